# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=320M slow=512M
# timeout: 600
# break: module/engine/touch.c s/tc_touch_again(left, order)/true/
# break: module/engine/touch.c s/tc_touch_clock_tick(.*, age)/0/
# Policy tpp: a page of slow memory that is touched once stays where it is. Touched again while that counts it comes up;
# touched again later it stays, and comes up with the next touch. The same without MGLRU: the marks are the module's own.

quiet_kernel
load_pmu
# a touch counts for 4000 samples, as a fourth of memory has more pages
load_module policy=tpp ring_slots=65536 cooling_samples=4000 cpu_limit_bp=0 gate=off kmigrated_ms=50
holder near
holder near map 64 0
holder far
holder far map 20000 1

# touches HOLDER FIRST NR COUNT: and waits until they are taken in; a page that comes up is on its queue then
touches() {
	before=$(stat samples_processed)
	holder "$@"
	wait_until 60 at_least $((before + $4 * $5)) stat samples_processed
}
taken_up() {
	echo $(($(stat promote_tried) + $(node_value 1 queued)))
}
on_fast() {
	holder far on 0 "$1" 256
}

# rounds of 256 pages each, from one page on
first_touch_stays() {
	tried=$(taken_up)
	touches far feed "$1" 256 1
	expect_eq "pages taken up at their first touch" "$(taken_up)" "$tried"
}
second_touch_promotes() {
	touches far feed "$1" 256 1
	wait_until 60 at_least 250 on_fast "$1"
}
two_touches() {
	first_touch_stays "$1"
	second_touch_promotes "$1"
	first_touch_stays $(($1 + 256))
	# others are touched 4800 times meanwhile
	touches near feed 0 64 75
	first_touch_stays $(($1 + 256))
	expect_eq "pages that came up late" "$(on_fast $(($1 + 256)))" 0
	second_touch_promotes $(($1 + 256))
}

# The marks are in the blocks of the heat map: with the share of its slab and a 64th of a node of the index (576 bytes), a
# block has a thousandth of its 2 MiB at most.
slab=/sys/kernel/slab/thermocline_block
bytes=$(((4096 << $(cat "$slab/order")) / $(cat "$slab/objs_per_slab") + 576 / 64))
note "bytes for a block of 2 MiB: $bytes ($(cat "$slab/object_size") of its own)"
expect_ge "bytes that a block may have beyond those it has" $((2097 - bytes)) 0

touches near feed 0 64 1
status_says 'policy: tpp, a touch counts for 4000 samples' || fail "status does not tell of the policy"
two_touches 0
if [ -w /sys/kernel/mm/lru_gen/enabled ]; then
	knob /sys/kernel/mm/lru_gen/enabled 0
	two_touches 1024
fi
stop_moves
expect_moves_agree
parameter policy memtis
status_says 'policy: memtis' || fail "status does not tell of the policy"
unload_module
