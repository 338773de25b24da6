# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 900
# break: module/move/filter.c s/folio_maybe_dma_pinned(folio)/false/
# break: module/move/split.c s/tc_wishes_allow(folio, NUMA_NO_NODE, &splitter->memo, why);/true;/
# break: module/ui/params.c s/"mode=%s split=%s policy=%s duplex=%s", tc_mode_names\[config.mode\],/"mode=%s split=%s policy=%s duplex=%s", "tier",/
# Skewed huge pages that are pinned, locked or of an excluded process stay whole, each counted with its reason. So does
# everything with split=off, and in mode advise. Without these the same huge pages are split.

quiet_kernel
load_pmu
load_module mode=observe adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50
for name in pinned locked excluded; do
	holder "$name"
	holder "$name" huge 2048 1
	holder "$name" bind 1
	expect_eq "huge pages, $name" "$(holder "$name" hugepages)" 4
done
echo never >/sys/kernel/mm/transparent_hugepage/enabled
parameter scope_pids "$(holder excluded pid)"

# feeding_all CMD...: feeds samples, then asks CMD
feeding_all() {
	for name in pinned locked excluded; do
		holder "$name" feed-pieces 0 16 16
	done
	"$@"
}
expect_whole() {
	for name in pinned locked excluded; do
		expect_eq "huge pages, $name" "$(holder "$name" hugepages)" 4
	done
	expect_eq "huge pages split" "$(stat split_done)" 0
	expect_eq "split_tried" "$(stat split_tried)" \
		"$(awk '/^split_(done|advised|skip_|fail_)/ { sum += $2 } END { print sum }' "$tc_debugfs/stats")"
}

# off: the gap is there, and nothing is tried
parameter settings "split=off mode=tier"
expect_eq settings "$(parameter settings | cut -d' ' -f 1,2)" "mode=tier split=off"
windows=$(stat split_windows)
wait_until 200 at_least $((windows + 4)) feeding_all stat split_windows
expect_ge gap_bp "$(value_of "$tc_debugfs/thresholds" gap_bp)" 500
expect_eq "tried with split=off" "$(stat split_tried)" 0

parameter settings "split=memtis mode=advise"
wait_until 200 at_least 1 feeding_all stat split_advised
expect_whole
parameter mode observe
if parameter split sometimes 2>/dev/null; then
	fail "split took 'sometimes'"
fi
expect_eq split "$(parameter split)" memtis

holder pinned pin 0 2048
feeding_all true
holder locked lock 0 2048
parameter mode tier
for reason in pinned excluded mlocked; do
	wait_until 300 at_least 1 feeding_all stat "split_skip_$reason"
done
parameter mode observe
expect_whole

# the same without the exclusion
parameter scope_pids ''
parameter mode tier
wait_until 300 at_least 1 feeding_all stat split_done
expect_eq "pinned huge pages" "$(holder pinned hugepages)" 4
expect_eq "locked huge pages" "$(holder locked hugepages)" 4
unload_module
