# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=384M slow=512M
# quick: no
# timeout: 900
# break: module/engine/headroom.c s/&& config->trend/\&\& !config->trend/
# break: module/engine/engine.c s/tc_watch_kswapd(tc_kswapd_woken);//
# Policy tpp: free memory that falls makes demotion begin before it is below the head-room, and more of the burst that
# follows is born in fast memory. With trend=off the same fall moves nothing, and less of the burst is.

quiet_kernel
load_pmu
load_module policy=tpp trend=off ring_slots=65536 adaptation_samples=1000 cooling_samples=100000000 cpu_limit_bp=0 \
	demote_watermark_bp=1000
holder near
holder near map 64 0
holder old
holder old map $(($(node_value 0 free) - $(node_value 0 keep_free) - 64)) 0
has_headroom() {
	[ "$(node_value 0 free)" -ge $((keep + $1)) ]
}
# head_room_and MORE: demotion leaves so much free beyond the head-room; the cursor is then in the middle of a pass, and
# knows all pages that are in its way
head_room_and() {
	keep=$(node_value 0 keep_free)
	parameter demote_watermark_bp $(((keep + $1) * 10000 / $(node_value 0 managed) + 1))
	wait_until 250 heating near 20 has_headroom "$1"
	parameter demote_watermark_bp 1000
	# no batch is in hand after this
	parameter mode observe
	parameter mode tier
}
# burst NAME PAGES: allocates them wherever the kernel does
burst() {
	holder "$1"
	holder "$1" map "$2" -1
}
# the module looks at free memory four times a second
ticks_passed() {
	[ "$(tc_now)" -ge $((since + 3)) ]
}

head_room_and 8000
demoted=$(stat demote_moved_pages)
burst fall1 6000
since=$(tc_now)
wait_until 30 ticks_passed
expect_ge "free pages above the head-room" $(($(node_value 0 free) - keep)) 1
expect_eq "pages demoted without looking ahead" "$(stat demote_moved_pages)" "$demoted"
burst without 14000
born=$(holder without on 0)
wait_until 250 heating near 20 has_headroom 0

head_room_and 8000
parameter trend on
demoted=$(stat demote_moved_pages)
burst fall2 6000
wait_until 60 at_least $((demoted + 64)) stat demote_moved_pages
# as long as the fall is expected to go on
wait_until 60 at_most 0 stat ahead_pages
ahead=$(($(stat demote_moved_pages) - demoted))
burst with 14000
note "of 14000 born in fast memory: $born, and $(holder with on 0) after $ahead were demoted ahead"
expect_ge "pages more of the burst in fast memory" $(($(holder with on 0) - born)) $((ahead / 4))

# an allocation that may go nowhere else makes the kernel reclaim: of all that the node has, but for half of what is between
# the low and the min watermark; and nothing makes room for it
parameter mode advise
holder bound
holder bound map $(($(zones 0 nr_free_pages) - ($(zones 0 low) + $(zones 0 min)) / 2)) 0
wait_until 30 at_least 1 stat kswapd_kicks
stop_moves
expect_moves_agree
unload_module
