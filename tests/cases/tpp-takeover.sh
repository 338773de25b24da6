# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 900
# break: module/kernel/takeover.c s/regs_set_return_value(regs, false);/;/
# break: module/engine/takeover.c s/if (!tc_takeover_acts())/if (false)/
# break: module/engine/takeover.c s/tc_queue_full(&from->queue) ||/false \&\&/
# break: module/engine/takeover.c s/tc_scope_has_mm(current->mm)/true/
# break: module/engine/takeover.c s/tc_takeover.fates\[fate\] + 1/tc_takeover.fates[fate] + !fate/
# Policy tpp with numa_takeover: pages of slow memory that NUMA balancing would promote in a fault come up by the module,
# and the kernel promotes none of them; what the program keeps there stays right. Where the module does not promote, or
# is not to, and when it is off, the kernel promotes them as ever. Every page that was asked about has one answer.

pages=6000
balancing=/proc/sys/kernel/numa_balancing
quiet_kernel
for setting in scan_delay_ms scan_period_min_ms scan_period_max_ms; do
	knob "/sys/kernel/debug/sched/numa_balancing/$setting" 20
done
# on a slow machine it takes long from the look at a page to its fault
knob /sys/kernel/debug/sched/numa_balancing/hot_threshold_ms 60000
load_pmu
load_module policy=tpp numa_takeover=1 ring_slots=65536 cpu_limit_bp=0 gate=off split=off kmigrated_ms=50
status_says 'takeover: was asked for, but numa_balancing is off' || fail "the status does not tell of the takeover"

# in_use NAME [MAP]: a program begins that has pages on slow memory, of this kind
in_use() {
	name=$1 seed=0
	holder "$name"
	holder "$name" "${2:-map}" $pages 1
	echo 2 >$balancing
}
# using CMD...: writes all its pages and reads them again, then asks CMD. For wait_until.
using() {
	seed=$((seed + 1))
	holder "$name" fill $seed
	expect_eq "wrong pages" "$(holder "$name" check $seed 0 $pages)" 0
	"$@"
}
comes_up() {
	wait_until 150 using at_least $((pages * 9 / 10)) holder "$name" on 0
	echo 0 >$balancing
	using true
	note "$name: $(holder "$name" on 0) of $pages came up; kernel $(vmstat pgpromote_success), module $(stat promote_moved), $(
		sed -n 's/^takeover_//p' "$tc_debugfs/stats" | tr '\n' ' ')"
	holder "$name" quit
}
# at rest every page has one answer, and what was taken over has one fate
expect_takeover_sums() {
	wait_until 60 at_most 0 stat takeover_waiting
	expect_eq "takeover_in_hand" "$(stat takeover_in_hand)" 0
	awk '
		$1 == "takeover_asked" { asked = $2; next }
		$1 == "takeover_taken" { taken = $2 }
		$1 ~ /^takeover_(taken|left_.*|missed|in_hand)$/ { answers += $2; next }
		$1 ~ /^takeover_/ { fates += $2 }
		END { exit !(asked > 0 && asked == answers && taken == fates) }' "$tc_debugfs/stats" ||
		fail "the sums of the takeover are wrong: $(grep ^takeover "$tc_debugfs/stats" | tr '\n' ' ')"
}
# left REASON: the kernel promotes by itself, for this reason
left() {
	before=$(vmstat pgpromote_success) reason=$(stat "takeover_left_$1") tried=$(stat promote_tried)
	in_use "$1"
	comes_up
	expect_ge "pages that the kernel promoted" $(($(vmstat pgpromote_success) - before)) $((pages * 8 / 10))
	expect_ge "takeover_left_$1" $(($(stat "takeover_left_$1") - reason)) $((pages * 8 / 10))
	expect_eq "folios that the module tried" "$(stat promote_tried)" "$tried"
	expect_takeover_sums
}

kernel=$(vmstat pgpromote_success) numa=$(vmstat numa_pages_migrated)
in_use taken
status_says 'takeover: of ' || fail "the status does not tell how many"
status_says 'others: numa_balancing=2 finds pages' || fail "the status tells that NUMA balancing moves pages"
comes_up
wait_until 60 at_most 0 node_value 1 queued
kernel=$(($(vmstat pgpromote_success) - kernel)) numa=$(($(vmstat numa_pages_migrated) - numa))
# what a worker has in hand is not movable for a moment; the kernel says yes, and finds that too
own=0
for reason in unmovable refused full; do
	own=$((own + $(stat "takeover_left_$reason")))
done
expect_ge "pages taken over" "$(stat takeover_taken)" $((pages * 9 / 10))
expect_ge "pages that the module promoted" "$(stat promote_moved)" $((pages * 9 / 10 - own))
expect_eq "folios tried" "$(stat promote_tried)" "$(stat takeover_queued)"
expect_ge "pages left to the kernel, less those it promoted" $((own - kernel)) 0
expect_ge "pages left to the kernel, less those it migrated" $((own - numa)) 0
expect_takeover_sums

# huge pages, of which the kernel asks about each as a whole
pages=4096 asked=$(stat takeover_asked) before=$(stat promote_moved_pages) kernel=$(vmstat pgpromote_success)
in_use huge huge
expect_eq "pages in huge pages" $(($(holder huge hugepages) * 512)) $pages
comes_up
expect_ge "pages that the module promoted" $(($(stat promote_moved_pages) - before)) $((pages * 8 / 10))
expect_ge "half of the pages, less those asked about" $((pages / 2 - $(stat takeover_asked) + asked)) 0
expect_ge "a fifth of the pages, less those that the kernel promoted" $((pages / 5 - $(vmstat pgpromote_success) + kernel)) 0
expect_takeover_sums
pages=6000

parameter mode advise
left idle
parameter settings "mode=tier policy=memtis"
left idle
parameter policy tpp
parameter scope_comms holder
left scope
parameter scope_comms ''

# Fast memory has no room for the module, as half of it is to be free: the queue fills, and what it does not hold is the
# kernel's, which needs less room.
parameter demote_watermark_bp 5000
holder room
holder room map $(($(node_value 0 free) - $(node_value 0 keep_free))) 0
pages=14000 before=$(vmstat pgpromote_success) full=$(stat takeover_left_full)
in_use full
wait_until 150 using at_least $((full + 4000)) stat takeover_left_full
wait_until 150 using at_least $((before + 3000)) vmstat pgpromote_success
echo 0 >$balancing
using true
note "left as the queue was full: $(($(stat takeover_left_full) - full)), the kernel promoted $(($(vmstat pgpromote_success) - before)), waiting: $(node_value 1 queued)"
expect_takeover_sums
holder full quit
holder room quit
parameter demote_watermark_bp 200
pages=6000

parameter numa_takeover 0
status_says 'takeover: off' || fail "the status does not tell that it is off"
if grep -q should_numa_migrate_memory /sys/kernel/debug/kprobes/list; then
	fail "the probe is still there"
fi
asked=$(stat takeover_asked) before=$(vmstat pgpromote_success)
in_use off
comes_up
expect_eq "pages asked about when off" "$(stat takeover_asked)" "$asked"
expect_ge "pages that the kernel promoted" $(($(vmstat pgpromote_success) - before)) $((pages * 8 / 10))
parameter numa_takeover 1
grep -q should_numa_migrate_memory /sys/kernel/debug/kprobes/list || fail "the probe is not there"
parameter mode off
if grep -q should_numa_migrate_memory /sys/kernel/debug/kprobes/list; then
	fail "the probe is still there when the mode is off"
fi
expect_sums
unload_module

# where the function cannot be probed, all else goes on
load_module policy=tpp numa_takeover=1 hide_symbols=should_numa_migrate_memory
status_says 'mode: tier' || fail "the mode is another one"
status_says 'takeover: was asked for, but should_numa_migrate_memory is not to be probed' ||
	fail "the status does not tell what is lacking"
expect_dmesg "numa_takeover: no return probe on should_numa_migrate_memory"
unload_module
