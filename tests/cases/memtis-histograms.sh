# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/policy/block.c s/tc_histogram_add(&h->base, tc_base_bin(count), 1);/tc_histogram_add(\&h->base, bin, 1);/
# break: module/policy/block.c s/tc_histogram_shift(&h->base);//
# break: module/policy/block.c s/^\tunaccount_base(b, h, head, 1U << order);//
# Both histograms, by real folio sizes and as if every page were a base page, are what the counts say: after samples,
# after a cooling, after a split and after pages were freed.

[ -e /sys/kernel/debug/split_huge_pages ] || skip "this kernel cannot be told to split huge pages"

# bins FILE: "bin:pages" of the bins from 1 on that are not empty
bins() {
	awk '!/^#/ && $1 && $2 { printf "%s%s:%s", sep, $1, $2; sep = " " }' "$tc_debugfs/$1"
}
total() {
	awk '!/^#/ { sum += $2 } END { print sum }' "$tc_debugfs/$1"
}
# is REAL BASE: are these the two?
is() {
	[ "$(bins histogram), $(bins base_histogram)" = "$1, $2" ]
}
expect_same_total() {
	expect_eq "pages as base pages" "$(total base_histogram)" "$(total histogram)"
}

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000 mode=observe
holder big
holder big huge 1024 1
expect_eq "huge pages" "$(holder big hugepages)" 2
echo never >/sys/kernel/mm/transparent_hugepage/enabled
holder small
holder small map 100 0

# one page of a huge page with 200 samples: H is 200 for the huge page, and 102400 for the page, in the open top bin
holder big feed 3 1 200
# pages with 4 samples: H is 2048
holder small feed 0 100 4
wait_until 20 is "7:512 11:100" "11:100 15:1"
expect_same_total

# halved, the page is in the top bin still
parameter cooling_samples 100
wait_until 20 at_least 1 value_of "$tc_debugfs/thresholds" coolings
parameter cooling_samples 100000000
wait_until 20 is "6:512 10:100" "10:100 15:1"
expect_same_total

# split, by somebody else
start=$(holder big address 0)
printf '%d,0x%x,0x%x' "$(holder big pid)" "$start" $((start + 512 * 4096)) >/sys/kernel/debug/split_huge_pages
expect_eq "huge pages after a split" "$(holder big hugepages)" 1
wait_until 60 is "10:100 15:1" "10:100 15:1"
expect_same_total

# half of them freed
holder small drop 0 50
wait_until 60 is "10:50 15:1" "10:50 15:1"
expect_same_total
unload_module
