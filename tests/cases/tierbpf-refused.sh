# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 600
# quick: no
# break: module/engine/granularity.c s/tc_heatmap_set_unsplittable(block);/;/
# break: module/move/split.c s/return tc_movable(folio, why) \&\& /return /
# Huge pages that must not be split, as somebody has pinned them or locked them into memory: they stay as they are, where they
# are, the reason is counted, and one that could not be split is not tried again and again.

quiet_kernel
load_pmu
load_module mode=observe split=tierbpf split_gate=off adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50 cpu_limit_bp=0 gate=off
for name in pinned locked; do
	holder $name
	holder $name huge 1024 1
	holder $name fill 8
done
echo never >/sys/kernel/mm/transparent_hugepage/enabled
holder pinned pin 0 4
holder pinned pin 512 4
holder locked lock 0 1024
taken_in holder pinned feed-pieces 16 16 8
taken_in holder locked feed-pieces 16 16 8
parameter mode tier
refused() {
	holder pinned feed-pieces 16 16 1
	holder locked feed-pieces 16 16 1
	[ "$(stat split_skip_pinned)" -ge 2 ]
}
wait_until 120 refused
for _ in 1 2 3 4 5 6 7 8 9 10; do
	taken_in refused
done
stop_moves
expect_moves_agree
grep -E '^split_' "$tc_debugfs/stats" | grep -v ' 0$' | sed 's/^/# /' >&2
expect_eq "huge pages split" "$(stat split_done)" 0
expect_ge "splits that are tried of four huge pages" 40 "$(stat split_tried)"
expect_eq "huge pages" "$(holder pinned hugepages) $(holder locked hugepages)" "2 2"
expect_eq "pages that left" "$(holder pinned on 1) $(holder locked on 1)" "1024 1024"
expect_eq "pages with another byte" "$(holder pinned check 8 0 1024) $(holder locked check 8 0 1024)" "0 0"
unload_module
