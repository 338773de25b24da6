# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=256M slow=512M
# quick: no
# timeout: 1800
# break: module/engine/headroom.c s/config->policy == TC_POLICY_TPP/false/
# break: module/engine/headroom.c s/READ_ONCE(node->cursor.pass) > 1/true/
# Policy tpp: promotions do not stop at the head-room of fast memory, but at the kernel's min watermark, and try no page
# beyond it; unless demotion cannot follow, as nothing is known of memory yet. Demotion then restores the head-room; what it
# would take is locked until then.

quiet_kernel
load_pmu
load_module policy=tpp ring_slots=65536 cooling_samples=100000000 adaptation_samples=100000000 cpu_limit_bp=0 \
	demote_watermark_bp=2500 gate=off kmigrated_ms=50
keep=$(node_value 0 keep_free) min=$(zones 0 min)
note "head-room $keep pages, min watermark $min"
expect_ge "pages between head-room and min watermark" $((keep - min)) 4096
holder near
holder near map 64 0
holder old
holder old map $(($(node_value 0 free) - keep - 64)) 0
holder old lock 0 "$(holder old pages)"
holder far
holder far map 16000 1
# taken: 4 KiB pages that promotions took of fast memory, and demotions have not given back
taken() {
	echo $(($(stat promote_moved_pages) - $(stat demote_moved_pages)))
}
room=$(($(node_value 0 free) - keep))
[ $room -ge 0 ] || room=0

# touches HOLDER FIRST NR COUNT: and waits until they are taken in
touches() {
	before=$(stat samples_processed)
	holder "$@"
	wait_until 60 at_least $((before + $4 * $5)) stat samples_processed
}
# before the first thresholds nothing is demoted, so nothing goes below the head-room
touches far feed 0 4000 1
touches far feed 0 4000 1
batches=$(stat batches_begun)
wait_until 60 at_least $((batches + 5)) stat batches_begun
expect_ge "room, and 1024 pages more, while demotion cannot follow" $((room + 1024)) "$(taken)"

# The cursor's first pass knows no page and takes none; from the second one on promotions take head-room.
parameter adaptation_samples 1000
squeezing() {
	touches far feed 0 16000 2
	[ "$(node_value 0 free)" -le $((keep - 2048)) ]
}
wait_until 60 squeezing
note "$(holder far on 0) of 16000 came up; room was for $room"
# what processors hold for themselves is free too
expect_ge "free pages" "$(zones 0 nr_free_pages count:)" $((min * 95 / 100))
# and as it is not counted as free, a batch or two may find that there is no room
expect_ge "1024 less pages tried beyond room" $((1024 - $(stat promote_fail_no_memory))) 0

holder old unlock 0 "$(holder old pages)"
demoted=$(stat demote_moved_pages)
# the kernel's reclaim may have made room as well: what lacks now is for demotion
parameter demote_watermark_bp $((($(node_value 0 free) + 4096) * 10000 / $(node_value 0 managed) + 1))
has_headroom() {
	[ "$(node_value 0 free)" -ge "$(node_value 0 keep_free)" ]
}
wait_until 200 heating near 20 has_headroom
stop_moves
demoted=$(($(stat demote_moved_pages) - demoted))
note "demoted: $demoted; of far, $(holder far on 0) are up, of old $(holder old on 0)"
expect_ge "pages demoted" "$demoted" 1024
expect_moves_agree
unload_module
