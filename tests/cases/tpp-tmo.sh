# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=320M slow=256M
# quick: no
# timeout: 1500
# modules: zram
# break: module/engine/touch.c s/tc_touch_again(left, order)/(false \&\& &)/
# Proactive reclaim (memory.reclaim, as TMO does it) of a cgroup with swap. Without the module its cold memory is swapped out
# of fast memory. After the module has demoted it, nearly all is swapped out of slow memory, and what is used is soon back in
# fast memory. With demotion_enabled nothing is swapped out of fast memory, but the kernel counts what it demotes as
# reclaimed, and demotes memory in use too: the module brings that back.

groups=/sys/fs/cgroup
echo +memory >"$groups/cgroup.subtree_control"
mkdir "$groups/service"
hot=3000 cold=9000
wanted=$((cold / 2)) portion=90
make_swap 256M
quiet_kernel
load_pmu
load_module policy=tpp mode=observe ring_slots=65536 adaptation_samples=1000 cooling_samples=100000000 cpu_limit_bp=0 gate=off
holder near
holder near map 64 0
holder locked
holder locked map $(($(node_value 0 free) - $(node_value 0 keep_free) - hot - cold - 2000)) 0
holder locked lock

# begin: new memory of the cgroup, all of it in fast memory, a part of it in use
begin() {
	for part in hot cold; do
		within service holder "$part"
		eval "holder $part map \$$part 0"
		holder "$part" fill 7 2
	done
}
end() {
	for part in hot cold; do
		expect_eq "pages of $part with another byte" "$(eval "holder $part check 7 0 \$$part")" 0
		holder "$part" quit
	done
}

on_fast() {
	holder "$1" on 0
}
# using CMD...: has what is in use touched twice in a row, as a touch may not count until the next time, then asks CMD. For wait_until.
using() {
	holder hot feed 0 "$hot" 2
	heating near 20 "$@"
}
# demote: the module brings down what is cold, and goes on with the head-room that it had
demote() {
	share=$(parameter demote_watermark_bp)
	parameter mode tier
	wait_until 300 using asking 0 at_most $((cold / 20)) on_fast cold
	parameter demote_watermark_bp "$share"
}

# written NODE: pages that reclaim wrote to swap from there
written() {
	cat /proc/sys/vm/stat_refresh
	value_of "/sys/devices/system/node/node$1/vmstat" nr_vmscan_write
}
# demoted_by_kernel: whoever reclaims: there are counters for each
demoted_by_kernel() {
	awk '/^pgdemote_/ { sum += $2 } END { print sum + 0 }' /proc/vmstat
}
# reclaim WHAT: half of the memory that is cold, in portions; between two of them all that is in use is read. What came of it
# is then in from_fast, from_slow, in_again and stayed.
reclaim() {
	from_fast=$(written 0) from_slow=$(written 1) in_again=$(vmstat pswpin) demoted=$(demoted_by_kernel) short=0 asked=0
	while [ "$asked" -lt "$wanted" ]; do
		holder hot nonzero 0 "$hot" >/dev/null
		echo $((portion * 4096)) >"$groups/service/memory.reclaim" || short=$((short + 1))
		asked=$((asked + portion))
	done
	stayed=$(on_fast hot)
	holder hot nonzero 0 "$hot" >/dev/null
	in_again=$(($(vmstat pswpin) - in_again))
	from_fast=$(($(written 0) - from_fast)) from_slow=$(($(written 1) - from_slow))
	note "$1, of $wanted pages: swapped from fast memory $from_fast, from slow $from_slow, in again $in_again;" \
		"demoted by the kernel $(($(demoted_by_kernel) - demoted)); in fast memory $stayed of $hot that are in use" \
		"($short portions came short)"
}
few=$((wanted / 10))

begin
reclaim "without the module"
expect_ge "pages swapped out of fast memory without the module" $((from_fast - in_again)) $((wanted - few))
end

begin
demote
reclaim "with it"
expect_ge "pages swapped out of slow memory" "$from_slow" $((wanted / 2))
expect_ge "$few, less the pages swapped out of fast memory for good" $((few - from_fast + in_again)) 0
# of each node reclaim takes its share: where the cold are gone, that is of those in use, and they come back
wait_until 300 using at_least $((hot * 95 / 100)) on_fast hot
end

echo 1 >/sys/kernel/mm/numa/demotion_enabled
parameter mode observe
begin
reclaim "with demotion_enabled"
expect_eq "pages swapped out of fast memory with demotion_enabled" "$from_fast" 0
freed=$from_slow
end

begin
demote
reclaim "with both"
expect_eq "pages swapped out of fast memory with both" "$from_fast" 0
expect_ge "pages swapped with both" "$from_slow" "$freed"
wait_until 300 using at_least $((hot * 98 / 100)) on_fast hot
end
stop_moves
expect_moves_agree
unload_module
