# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 600
# quick: no
# break: module/engine/granularity.c s/if (!tc_split_pays(node, block, d))/if (false)/
# break: module/policy/price.c s/plus(price->move_ns, price->tlb_ns)/price->move_ns/
# break: module/policy/price.c s/price->move_ns = .*/price->move_ns = 0;/
# split=joint: a split that costs less than its accesses gain is made, one that costs more by its copies, or by its TLB misses, is
# not, and the huge page is promoted whole. The trace has the figures of each decision.

events=/sys/kernel/tracing/events/thermocline/tc_granularity
quiet_kernel
load_pmu
load_module mode=observe split=joint adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50 cpu_limit_bp=0 gate=off
for name in cheap copies walks measured; do
	holder $name
	holder $name huge 1024 1
	holder $name fill 4
done
echo never >/sys/kernel/mm/transparent_hugepage/enabled
echo 1 >$events/enable
up() {
	holder "$1" feed-pieces 0 16 1
	[ "$(holder "$1" pieces-on 0 0 16)" = 32 ]
}
# promoted HOLDER NAME=VALUE...: with its profile taken in before it is wanted
promoted() {
	parameter mode observe
	holder=$1
	shift
	parameter settings "$*"
	taken_in holder "$holder" feed-pieces 0 16 8
	echo >/sys/kernel/tracing/trace
	parameter mode tier
	wait_until 120 up "$holder"
	grep -m 1 'verdict=' /sys/kernel/tracing/trace | sed 's/.*pfn/# pfn/' >&2
	expect_eq "pages with another byte" "$(holder "$holder" check 4 0 1024)" 0
}
# figure NAME: of the first decision in the trace
figure() {
	sed -n "s/.*tc_granularity: .* $1=\([0-9a-z]*\).*/\1/p" /sys/kernel/tracing/trace | head -n 1
}

promoted cheap residence_s=86400 copy_ns=1 split_ns=1 walk_ns=0
expect_eq "verdict" "$(figure verdict)" split
expect_eq "cost of a piece of 16 pages" "$(figure move_ns)" 17
expect_ge "benefit" "$(figure benefit_ns)" 18
expect_eq "huge pages split" "$(stat split_order_4)" 2

promoted copies residence_s=1 copy_ns=10000000 split_ns=1000000000 walk_ns=0
expect_eq "verdict" "$(figure verdict)" price
expect_eq "cost of a piece of 16 pages" "$(figure move_ns)" 1160000000
expect_ge "benefit" 1160000000 "$(figure benefit_ns)"
expect_eq "huge pages" "$(holder copies hugepages)" 2

parameter mode observe
# all accesses walk, for longer than they gain; said by samples of all of slow memory
echo Y >/sys/kernel/debug/simpmu/tlb_miss
holder far
holder far map 4096 1
walking() {
	holder far feed 0 512 1
	[ "$(awk '$1 == 1 { print $8 }' "$tc_debugfs/tiers")" = 10000 ]
}
wait_until 60 walking
promoted walks residence_s=86400 copy_ns=1 split_ns=1 walk_ns=100000
expect_eq "verdict" "$(figure verdict)" price
expect_ge "cost of walks" "$(figure tlb_ns)" "$(figure benefit_ns)"
expect_eq "huge pages" "$(holder walks hugepages)" 2

# what was measured meanwhile is a price, too
expect_ge "cost of moving a page" "$(stat copy_ns)" 1
expect_ge "cost of a split" "$(stat split_ns)" 1
promoted measured residence_s=86400 copy_ns=0 split_ns=0 walk_ns=0
expect_ge "cost as measured" "$(figure move_ns)" 18
stop_moves
expect_moves_agree
unload_module
