# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=384M slow=512M
# quick: no
# timeout: 400
# break: module/engine/headroom.c s/config->policy == TC_POLICY_TPP/false/
# break: module/engine/headroom.c s/return tc_node_min_watermark(node->nid)/return 0/
# Policy tpp: promotions do not stop at the head-room of fast memory, but at the kernel's min watermark, and try no page
# beyond it. Demotion, which has to wait here until thresholds are known, then restores the head-room.

quiet_kernel
load_pmu
load_module policy=tpp ring_slots=65536 cooling_samples=100000000 adaptation_samples=100000000 cpu_limit_bp=0 \
	demote_watermark_bp=1000 gate=off kmigrated_ms=50
keep=$(node_value 0 keep_free)
min=$(awk '/^Node/ { node = $2 + 0 } node == 0 && $1 == "min" { sum += $2 } END { print sum }' /proc/zoneinfo)
note "head-room $keep pages, min watermark $min"
expect_ge "pages between head-room and min watermark" $((keep - min)) 4096
holder old
holder old map $(($(node_value 0 free) - keep - 64)) 0
holder far
holder far map 12000 1
expect_ge "free pages at first" "$(node_value 0 free)" $((keep - 2048))

# what cannot go up now is touched again, until all room is taken
touching() {
	processed=$(stat samples_processed)
	holder far feed 0 12000 1
	wait_until 60 at_least $((processed + 12000)) stat samples_processed
	"$@"
}
wait_until 120 touching at_most $((min + 128)) node_value 0 free
note "$(holder far on 0) of 12000 came up; free: $(node_value 0 free)"
expect_eq "pages demoted so far" "$(stat demote_moved_pages)" 0
expect_ge "pages that came up" "$(stat promote_moved_pages)" $(((keep - min) / 2))
expect_ge "free pages" "$(node_value 0 free)" $((min * 9 / 10))
expect_ge "pages tried beyond room, at most 256, less these" $((256 - $(stat promote_fail_no_memory))) 0

parameter adaptation_samples 1000
has_headroom() {
	[ "$(node_value 0 free)" -ge "$keep" ]
}
wait_until 200 feeding 64 20 0 has_headroom
stop_moves
note "demoted: $(stat demote_moved_pages); of far, $(holder far on 0) are up, of old $(holder old on 0)"
expect_ge "pages demoted" "$(stat demote_moved_pages)" $(((keep - min) / 2))
expect_moves_agree
unload_module
