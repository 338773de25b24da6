# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=640M
# quick: no
# timeout: 400
# break: module/engine/cursor.c s/temperature == TC_COLD || cursor->take_warm/true/
# The warm set: pages of one heat, too many for fast memory, stay on both nodes while there is something colder, and
# head-room is made of that alone. With warm=off the same pages are cold, and leave.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000 cpu_limit_bp=0 mode=observe

has_headroom() {
	[ "$(node_value 0 free)" -ge "$(node_value 0 keep_free)" ]
}
# lack PAGES: head-room is wanted for so many more than are free
lack() {
	parameter demote_watermark_bp $((($(node_value 0 free) + $1) * 10000 / $(node_value 0 managed)))
	expect_ge "pages that the fast node lacks" $(($(node_value 0 keep_free) - $(node_value 0 free))) $(($1 * 9 / 10))
}
threshold() {
	value_of "$tc_debugfs/thresholds" "$1"
}
# 163840 pages of one sample, which are in bin 9, are more than fast memory holds
bin_of_one_sample() {
	[ "$(threshold warm_bin)" = 9 ]
}
same_bin() {
	[ "$(threshold warm_bin)" = "$(threshold hot_bin)" ]
}

# what nobody samples lies on both sides of what is warm
holder cold1
holder cold1 map 6144 0
holder near
holder near map 65536 0
holder cold2
holder cold2 map 6144 0
holder far
holder far map 98304 1
sample_once near 65536
sample_once far 98304
feed 64 20 0
wait_until 30 feeding 64 20 0 bin_of_one_sample
expect_eq "hot bin above the warm one" $(($(threshold hot_bin) - $(threshold warm_bin))) 1

# more than half of the cold pages with all that others have, less than both halves
lack 16000
parameter mode tier
wait_until 150 feeding 64 20 0 has_headroom
parameter mode observe
left=$((12288 - $(holder cold1 on 0) - $(holder cold2 on 0)))
note "$left of the cold pages left; passes $(node_value 0 passes)"
expect_ge "cold pages that left" "$left" 6144
expect_eq "warm pages still in fast memory" "$(holder near on 0)" 65536
expect_eq "warm pages still in slow memory" "$(holder far on 1)" 98304

parameter warm off
wait_until 60 feeding 64 20 0 same_bin
holder cold3
holder cold3 map 8192 0
lack 4000
parameter mode tier
wait_until 150 feeding 64 20 0 has_headroom
stop_moves
expect_ge "pages that left as they are not warm now" $((65536 - $(holder near on 0))) 1
expect_moves_agree
unload_module
