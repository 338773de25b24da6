# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/track/heatmap.c s/order = folio_order(folio);//
# Huge pages that others split are seen in their new shape without a new sample: the histogram then has each piece
# where its own samples put it, and nothing of pieces that were freed. A trace event tells of the split.

[ -e /sys/kernel/debug/split_huge_pages ] || skip "this kernel cannot be told to split huge pages"
quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000 mode=observe
holder big
holder big huge 1024 1
expect_eq "huge pages" "$(holder big hugepages)" 2
# khugepaged must not make it whole again
echo never >/sys/kernel/mm/transparent_hugepage/enabled

# 64 samples of one page of 512: bin 6 for all of them, the top bins for that page alone
holder big feed 3 1 64
wait_until 10 at_least 512 binned 6
expect_eq "pages with heat, in a huge page" "$(binned 1)" 512
events=/sys/kernel/tracing/events/thermocline
echo 1 >"$events/tc_split/enable"
start=$(holder big address 0)
printf '%d,0x%x,0x%x' "$(holder big pid)" "$start" $((start + 512 * 4096)) >/sys/kernel/debug/split_huge_pages
expect_eq "huge pages after a split" "$(holder big hugepages)" 1
wait_until 40 at_most 1 binned 1
expect_eq "hot pages after the split" "$(binned 15)" 1
expect_eq "split events" "$(grep -c 'tc_split: pfn=0x[0-9a-f]*00 order=9 new_order=0 why=found outcome=split$' /sys/kernel/tracing/trace)" 1

# all the samples of the other are of pages that go
holder big feed 800 64 2
wait_until 10 at_least 513 binned 6
holder big unmap 768 256
# shrinking the kernel's caches splits what is only partially in use
echo 2 >/proc/sys/vm/drop_caches
expect_eq "huge pages after a part was freed" "$(holder big hugepages)" 0
wait_until 40 at_most 1 binned 1
expect_eq "hot pages at the end" "$(binned 15)" 1
unload_module
