# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 600
# quick: no
# break: module/engine/granularity.c s/tc_tier_contention() < TC_CONTENTION_MODERATE/false/
# break: module/engine/tier.c s/^\treturn READ_ONCE(tc_level);/\treturn TC_CONTENTION_NONE;/
# The gate of split=tierbpf: while slow memory is as quick as ever, a skewed huge page is promoted whole; while it is pressed,
# which its samples' latencies tell, it is split.

cycles=/sys/kernel/debug/simpmu/cxl_cycles

quiet_kernel
load_pmu
load_module mode=observe split=tierbpf adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50 cpu_limit_bp=0 gate=off
for name in calm pressed; do
	holder $name
	holder $name huge 2048 1
	holder $name fill 5
done
holder far
holder far map 4096 1
echo never >/sys/kernel/mm/transparent_hugepage/enabled
level_is() {
	holder far feed 0 512 1
	[ "$(stat contention_level)" = "$1" ]
}
up() {
	holder "$1" feed-pieces 0 16 1
	[ "$(holder "$1" pieces-on 0 0 16)" = 64 ]
}

wait_until 60 level_is 1
status_says "contention: none" || fail "the status does not say that nothing presses"
taken_in holder calm feed-pieces 0 16 8
parameter mode tier
wait_until 120 up calm
expect_eq "splits tried" "$(stat split_tried)" 0
expect_ge "kept whole by the gate" "$(stat granularity_gate)" 4
expect_eq "pages that came along" "$(holder calm on 0)" 2048

parameter mode observe
# by a quarter
echo $((510 * 5 / 4)) >$cycles
wait_until 60 level_is 2
taken_in holder pressed feed-pieces 0 16 8
parameter mode tier
pressed_up() {
	holder far feed 0 512 1
	up pressed
}
wait_until 120 pressed_up
stop_moves
expect_moves_agree
expect_eq "huge pages split" "$(stat split_order_4)" 4
expect_eq "cold pages that stayed" "$(holder pressed pieces-on 1 16 496)" $((4 * 496))
expect_eq "pages with another byte" "$(holder pressed check 5 0 2048)" 0
expect_eq "pages with another byte" "$(holder calm check 5 0 2048)" 0
unload_module
