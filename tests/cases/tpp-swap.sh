# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: deterministic=yes fast=320M slow=256M
# quick: no
# timeout: 1200
# modules: zram
# break: module/engine/kmigrated.c s/^#include <linux.err.h>/#include <linux\/delay.h>\n&/;s/cond_resched();/mdelay(500);/
# Fast memory is freed by demotion, and by the kernel's own reclaim into compressed memory (zram): pages for the time of
# processors that each takes, which is the number of instructions here. What the module demotes is not swapped, is
# whole, and is used without waiting for it.

groups=/sys/fs/cgroup
echo +memory >"$groups/cgroup.subtree_control"
mkdir "$groups/reclaimed"
pages=12000
wanted=$((pages * 3 / 4))
make_swap 256M
quiet_kernel
load_pmu
load_module policy=tpp ring_slots=65536 adaptation_samples=1000 cooling_samples=100000000 cpu_limit_bp=0
holder near
holder near map 64 0
# full NAME: memory in fast memory of which a fourth has content
full() {
	holder "$1" map "$pages" 0
	holder "$1" fill 7 2
	expect_eq "pages of $1 in fast memory" "$(holder "$1" on 0)" "$pages"
}
holder demoted
full demoted
# what the module leaves alone takes the rest, but for room for what comes later
holder locked
holder locked map $(($(node_value 0 free) - $(node_value 0 keep_free) - pages)) 0
holder locked lock

left_fast() {
	holder "$1" on 0
}
# what finding, and moving, cost; and taking in the samples, which goes on whether pages are to leave or not
module_ns() {
	echo $(($(stat cpu_upkeep_ns) + $(stat cpu_scan_ns) + $(stat cpu_move_ns)))
}
swapped_out=$(vmstat pswpout) moving=$(stat cpu_move_ns) working=$(module_ns)
parameter demote_watermark_bp $((($(node_value 0 free) + wanted) * 10000 / $(node_value 0 managed) + 1))
wait_until 400 heating near 20 asking 0 at_most $((pages - wanted)) left_fast demoted
stop_moves
moving=$(($(stat cpu_move_ns) - moving)) working=$(($(module_ns) - working))
freed=$(stat demote_moved_pages)
expect_eq "pages swapped while the module freed fast memory" $(($(vmstat pswpout) - swapped_out)) 0
expect_eq "pages of the program in memory" "$(holder demoted on 1)" $((pages - $(holder demoted on 0)))

within reclaimed holder swapped
full swapped
# the shell itself does the kernel's work; what it could not do in one go it tries again
cat >/tmp/reclaim <<'END'
before=$(cut -d' ' -f1 /proc/$$/schedstat)
for try in $(seq 20); do
	left=$(($(holder swapped on 0) - $1))
	[ "$left" -gt 0 ] || break
	echo "$((left * 4096))" >"$2/memory.reclaim" || echo "try $try: $left pages are left of what was to go" >&2
done
echo $(($(cut -d' ' -f1 /proc/$$/schedstat) - before))
END
reclaiming=$(sh -eu /tmp/reclaim $((pages - wanted)) "$groups/reclaimed")
swapped=$((pages - $(holder swapped on 0)))
expect_ge "pages that reclaim swapped" $(($(vmstat pswpout) - swapped_out)) $((swapped * 9 / 10))
compressed=$(($(awk '{ print $3 }' /sys/block/zram0/mm_stat) / 4096))

# used NAME: time of its processor to read all of it
used() {
	pid=$(holder "$1" pid)
	before=$(processor_ns "$pid")
	expect_eq "pages of $1 with another byte" "$(holder "$1" check 7 0 "$pages")" 0
	using=$(($(processor_ns "$pid") - before))
}
swapped_in=$(vmstat pswpin)
used demoted
expect_eq "pages of demoted memory that were swapped in" "$(vmstat pswpin)" "$swapped_in"
using_demoted=$using
used swapped
note "ns of processors for a page: $((working / freed)) by the module ($((moving / freed)) of it moving), $((reclaiming / swapped))" \
	"by reclaim, which needs $((compressed * 100 / swapped)) % of the memory again; to read $pages pages then:" \
	"$((using_demoted / 1000)) us, $((using / 1000)) us"
note "pages freed for the same time: $((reclaiming * freed / (swapped * working / 100))) % of reclaim's"
expect_ge "us of reclaim for what the module demoted" $((reclaiming * freed / swapped / 1000)) $((working / 1000))
expect_moves_agree
unload_module
