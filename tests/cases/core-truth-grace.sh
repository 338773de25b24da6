# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/engine/cursor.c /cursor->fresh++;/,/}/s/return;/;/
# New pages have the grace of one pass of the cursor: the first pass, to which all are new, takes none. When new ones
# fill fast memory, it is the pages that were there before and are not used that leave, and none of the new.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000
has_headroom() {
	[ "$(node_value 0 free)" -ge "$(node_value 0 keep_free)" ]
}
holder old
holder old map $(($(node_value 0 free) - $(node_value 0 keep_free) / 2)) -1
# its samples are those that adaptations are made of; its pages are there when they are taken in
holder pulse
holder pulse map 64 0
# all pages are new to the first pass: it takes none
in_first_pass() {
	tried=$(stat demote_tried)
	at_most 1 node_value 0 passes
}
while in_first_pass; do
	expect_eq "folios tried in the first pass" "$tried" 0
	holder pulse feed 0 64 20
done
wait_until 90 heating pulse 20 at_least 100 stat demote_moved
wait_until 60 heating pulse 20 has_headroom

demoted=$(stat demote_moved_pages) passes=$(node_value 0 passes) new=4096
holder new
holder new map "$new" 0
wait_until 60 heating pulse 20 at_least $((demoted + new / 2)) stat demote_moved_pages
stop_moves
note "passes: $passes, then $(node_value 0 passes)"
expect_ge "new pages still in fast memory" "$(holder new on 0)" $((new * 98 / 100))
expect_moves_agree
unload_module
