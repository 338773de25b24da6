# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 600
# break: module/move/coalesce.c s/all = all && hot(page_to_pfn(pages\[i\]));/;/
# break: module/engine/coalesce.c s/!config.coalesce ||//;s/!coalesce->wanted ||//
# With coalesce=1, a region whose 512 pages are all hot is made one huge page, by the kernel. One with a cold page is
# not, nor one whose program wants no huge pages, nor any without the parameter. Every byte is what it was.

[ -e /sys/kernel/debug/split_huge_pages ] || skip "this kernel cannot be told to split huge pages"
quiet_kernel
load_pmu
load_module mode=tier adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50
for name in whole cold; do
	holder "$name"
	holder "$name" huge 512 0
	expect_eq "huge pages, $name" "$(holder "$name" hugepages)" 1
	holder "$name" fill 7
done
holder unwilling
holder unwilling map 512 0
holder unwilling fill 7
echo never >/sys/kernel/mm/transparent_hugepage/enabled
for name in whole cold; do
	start=$(holder "$name" address 0)
	printf '%d,0x%x,0x%x' "$(holder "$name" pid)" "$start" $((start + 512 * 4096)) >/sys/kernel/debug/split_huge_pages
	expect_eq "huge pages after a split, $name" "$(holder "$name" hugepages)" 0
done

# feeding_all CMD...: feeds samples of all but one page of "cold", then asks CMD
feeding_all() {
	holder whole feed 0 512 4
	holder unwilling feed 0 512 4
	holder cold feed 0 511 4
	"$@"
}
wait_until 60 at_least 3 feeding_all value_of "$tc_debugfs/thresholds" adaptations
expect_eq "asked for without the parameter" "$(stat coalesce_tried)" 0
parameter coalesce 1
for counter in "done" skip_cold fail; do
	wait_until 120 at_least 1 feeding_all stat "coalesce_$counter"
done
parameter coalesce 0
expect_eq "huge pages" "$(holder whole hugepages) $(holder cold hugepages) $(holder unwilling hugepages)" "1 0 0"
expect_eq coalesce_done "$(stat coalesce_done)" 1
for name in whole cold unwilling; do
	expect_eq "pages with another byte, $name" "$(holder "$name" check 7 0 512)" 0
done
unload_module
