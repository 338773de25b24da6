# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=256M slow=512M
# timeout: 900
# quick: no
# break: module/engine/granularity.c s/if (!tc_split_at_promotion(tc_now.config.split) ||/if (true ||/
# Fast memory in which nearly all that is free is in runs of 128 KiB: huge pages of which 64 KiB are hot cannot come up whole; split
# before, their hot pieces do. Both are counted and the ratio of failed promotions is printed (TierBPF: 11 to 777 times fewer).

huge=32

quiet_kernel
load_pmu
load_module mode=observe split=off demote_watermark_bp=0 adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50 cpu_limit_bp=0 gate=off
# the kernel's own compaction would gather what is scattered
knob /proc/sys/vm/compaction_proactiveness 0
holder scattered
pages=$(($(node_value 0 free) - $(node_value 0 keep_free) - 512))
holder scattered map "$pages" 0
for at in $(seq 32 64 $((pages - 33))); do
	holder scattered drop "$at" 32
done
for name in whole split; do
	holder $name
	holder $name huge $((huge * 512)) 1
	holder $name fill 2
done
echo never >/sys/kernel/mm/transparent_hugepage/enabled
note "free on the fast node: $(awk '/Node 0, zone +DMA32/ { $1 = $2 = $3 = $4 = ""; print }' /proc/buddyinfo)"
failed() {
	awk '/^promote_fail_/ { sum += $2 } END { print sum }' "$tc_debugfs/stats"
}
# What could not be moved is not tried again for half a minute: each huge page once.
up() {
	holder "$1" feed-pieces 0 16 1
	case $1 in
	whole) [ $(($(stat promote_tried) - tried)) -ge "$huge" ] ;;
	split) [ "$(holder split pieces-on 0 0 16)" = $((huge * 16)) ] ;;
	esac
}
# promoted HOLDER: folios that were tried, and of these, failed
promoted() {
	parameter mode observe
	taken_in holder "$1" feed-pieces 0 16 8
	tried=$(stat promote_tried) before=$(failed)
	parameter mode tier
	wait_until 200 up "$1"
	stop_moves
	sleep 1
	note "$1: $(($(stat promote_tried) - tried)) promotions tried, $(($(failed) - before)) failed"
	failures=$(($(failed) - before))
}
promoted whole
failures_whole=$failures
expect_ge "promotions of huge pages that failed" "$failures_whole" $((huge / 2))
parameter split tierbpf
parameter split_gate off
promoted split
expect_eq "huge pages split" "$(stat split_order_4)" "$huge"
note "failed promotions, whole to split: $failures_whole to $failures"
expect_ge "a tenth of those of whole ones" $((failures_whole / 10)) "$failures"
expect_eq "pages with another byte" "$(holder whole check 2 0 $((huge * 512))) $(holder split check 2 0 $((huge * 512)))" "0 0"
expect_moves_agree
unload_module
