# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 180
# break: module/engine/engine.c s/^\t\ttc_engine_fall_back(why);/\t\tpr_info("%s\\n", why);/
# break: module/move/selftest.c s/i < ARRAY_SIZE(nodes) && !err/i < 1 \&\& !err/
# At load the module moves 32 pages of its own to the slow node and back, before anybody else's. Where that cannot be
# done, as the slow node is full, it only observes and says why, until the mode is written again.

quiet_kernel
load_pmu
tracing=/sys/kernel/tracing
echo 1 >"$tracing/events/kmem/mm_page_alloc/enable"
load_module mode=observe
echo 0 >"$tracing/events/kmem/mm_page_alloc/enable"
expect_eq "pages that the self-test moved" $(($(vmstat pgmigrate_success) - tc_moved_before)) 64
expect_eq "pages moved for its reason" "$(kernel_moved numa_misplaced)" 64

slow_start=$(awk '/^Node/ { node = $2 } /start_pfn/ && node == "1," && !start { start = $2 }
	END { print start }' /proc/zoneinfo)
# targets of moves: movable pages that must be on one node; which node that is
sed -n 's/.*insmod.* pfn=\(0x[0-9a-f]*\) order=0 migratetype=1 .*__GFP_THISNODE.*/\1/p' "$tracing/trace" |
	while read -r pfn; do
		if [ $((pfn)) -ge "$slow_start" ]; then echo slow; else echo fast; fi
	done >/tmp/targets
expect_eq "pages moved down" "$(grep -c slow /tmp/targets)" 32
expect_eq "pages moved up" "$(grep -c fast /tmp/targets)" 32
unload_module

crowd 1 8192 >/tmp/crowd &
wait_until 60 grep -q crowded /tmp/crowd
knob /proc/sys/vm/min_free_kbytes 131072
load_module mode=tier adaptation_samples=1000 kmigrated_ms=50
status_says "mode: observe" || fail "it does not only observe when its own pages cannot be moved"
status_says "reduced: tier was asked for, but the self-test could not move its own pages" ||
	fail "the status does not say why"
expect_dmesg "nothing is moved any more: the self-test could not move its own pages; write the mode again"
expect_dmesg "mode observe instead of tier: the self-test could not move its own pages"
echo 4096 >/proc/sys/vm/min_free_kbytes
feed 512 20 1
expect_eq "promote_tried after the self-test failed" "$(stat promote_tried)" 0

kill $!
parameter mode tier
status_says "mode: tier" || fail "writing the mode again does not help"
expect_goes wish anon none go
unload_module
