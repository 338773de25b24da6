# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=640M
# quick: no
# timeout: 500
# break: module/policy/pressure.c s/tc_max_u64(p->reserve, second)/p->reserve/
# A program that allocates much and frees it, again and again, beside fast memory that is full of warm pages: at first
# most of it is born slow; then a reserve is kept free for it, the warm set shrinks, and it is born fast. When the
# program is gone, so is the reserve.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000 cpu_limit_bp=0 mode=observe

# fast memory is full but for its head-room and half as much
holder near
holder near map $(($(node_value 0 free) - $(node_value 0 keep_free) * 3 / 2)) 0
before=$(holder near on 0)
# what was allocated for good is forgotten slowly: anew from here
unload_module
load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000 cpu_limit_bp=0 mode=observe
holder far
holder far map 49152 1
sample_once near "$(holder near pages)"
sample_once far 49152
# of one sample, in bin 9, is more than fast memory holds
bin_of_one_sample() {
	[ "$(value_of "$tc_debugfs/thresholds" warm_bin)" = 9 ]
}
wait_until 30 feeding 64 20 0 bin_of_one_sample
parameter mode tier
burst=16384
holder job
holder job map "$burst" -1
first=$(holder job on 0)
expect_ge "pages of the first burst in slow memory" $((burst - first)) $((burst / 2))
holder job drop 0 "$burst"

# one round of the program: each half lasts for some looks at what is free
round() {
	holder job touch 0 "$burst" -1
	born=$(holder job on 0)
	feeding 64 20 0 sleep 0.8
	holder job drop 0 "$burst"
	feeding 64 20 0 sleep 0.8
	"$@"
}
born_fast() {
	[ "$born" -ge $((burst * 3 / 4)) ]
}
wait_until 300 round born_fast
wait_until 300 round at_least $((burst / 4)) stat reserve_pages
note "born in fast memory: $first of $burst, then $born; reserve $(stat reserve_pages), $((before - $(holder near on 0))) others left"
expect_ge "keep_free of the table of nodes" "$(node_value 0 keep_free)" "$(stat reserve_pages)"
wait_until 120 feeding 64 20 0 at_most 0 stat reserve_pages
stop_moves
expect_moves_agree
unload_module
