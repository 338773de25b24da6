# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 600
# quick: 6.12
# break: module/policy/granularity.c s/TC_DENSITY_BP << order/TC_DENSITY_BP << (order - 1)/
# break: module/engine/granularity.c s/d->pieces |= 1U << (piece\[i\].page >>/d->pieces |= 1U << (0 >>/
# break: module/move/split.c s/if (!tc_split_possible(folio, order))/if (order > 6)/
# Huge pages of slow memory of which one piece is hot, of each size from 64 KiB to 1 MiB: each is split to that size when it is
# to be promoted, the hot piece comes to fast memory as one folio, the rest stays where it is. No byte is another one.

huge=4
mthp=/sys/kernel/mm/transparent_hugepage
# sized ORDER: anonymous folios of an order
sized() {
	cat "$mthp/hugepages-$((4 << $1))kB/stats/nr_anon"
}
# what holds the piece of an order: its pages, and the first of them in each huge page
nr() {
	echo $((1 << $1))
}
first() {
	echo $((512 - (1 << $1)))
}

quiet_kernel
load_pmu
load_module mode=observe split=tierbpf split_gate=off adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50 cpu_limit_bp=0 gate=off
for order in 4 5 6 7 8; do
	holder "h$order"
	holder "h$order" huge $((huge * 512)) 1
	holder "h$order" fill "$order"
	expect_eq "huge pages" "$(holder "h$order" hugepages)" "$huge"
	eval "before$order=$(sized "$order")"
done
echo never >$mthp/enabled
# first what they are, and then that they are wanted: one is judged when it is to be promoted
feed_all() {
	for order in 4 5 6 7 8; do
		holder "h$order" feed-pieces "$(first "$order")" "$(nr "$order")" "$1"
	done
}
for _ in 1 2 3 4 5 6 7 8; do
	taken_in feed_all 2
done
parameter mode tier
on_fast() {
	sum=0
	for order in 4 5 6 7 8; do
		sum=$((sum + $(holder "h$order" pieces-on 0 "$(first "$order")" "$(nr "$order")")))
	done
	echo $sum
}
all_up() {
	feed_all 1
	[ "$(on_fast)" = $((huge * (16 + 32 + 64 + 128 + 256))) ]
}
wait_until 120 all_up
stop_moves
expect_moves_agree
grep -E 'split_order|pieces|granularity|_ns' "$tc_debugfs/stats" | sed 's/^/# /' >&2
for order in 4 5 6 7 8; do
	expect_eq "huge pages split to order $order" "$(stat "split_order_$order")" "$huge"
	expect_eq "pages that are cold and stay" "$(holder "h$order" pieces-on 1 0 "$(first "$order")")" $((huge * $(first "$order")))
	expect_eq "huge pages left" "$(holder "h$order" hugepages)" 0
	eval "before=\$before$order"
	expect_ge "folios of order $order" "$(sized "$order")" $((before + huge))
	expect_eq "pages with another byte" "$(holder "h$order" check "$order" 0 $((huge * 512)))" 0
done
expect_eq "pieces promoted" "$(stat split_pieces_promoted)" $((5 * huge))
expect_eq "huge pages split" "$(stat split_done)" $((5 * huge))
# one that somebody looked at just then is asked for again
expect_eq "decided by their own profile" "$(stat granularity_by_block)" "$(stat split_tried)"
expect_eq "lost" "$(stat split_lost) $(stat split_pending)" "0 0"
unload_module
for order in 4 5 6 7 8; do
	expect_eq "pages with another byte" "$(holder "h$order" check "$order" 0 $((huge * 512)))" 0
done
