# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=320M slow=512M
# quick: no
# timeout: 900
# break: module/engine/touch.c s/node->pingpong + 1/node->pingpong/
# break: module/policy/again.c s/needed << slot->level/needed/
# Policy tpp: pages that came up, went down and come up again soon are counted. The next time two touches are not enough
# for them, four are.

quiet_kernel
load_pmu
# a touch counts for 4000 samples, and soon is within 8000
load_module policy=tpp ring_slots=65536 cooling_samples=4000 adaptation_samples=200 cpu_limit_bp=0 gate=off \
	kmigrated_ms=50
# of these come the samples by which time passes; they stay where they are
holder near
holder near map 64 1
holder near bind 1
holder far
holder far map 20000 1
# what is not for others is locked: head-room can be made of what is left only, which is all that others have
holder full
holder full map $(($(node_value 0 free) - $(node_value 0 keep_free) - 8192)) 0
holder full lock 0 "$(holder full pages)"

touches() {
	before=$(stat samples_processed)
	holder "$@"
	wait_until 60 at_least $((before + $4 * $5)) stat samples_processed
}
on_node() {
	holder far on "$1" 0 256
}
# touched_up TOUCHES: so many touches, of which the last one brings them up
touched_up() {
	for touch in $(seq "$1"); do
		expect_ge "pages still down before touch $touch" "$(on_node 1)" 250
		expect_eq "pages queued before touch $touch" "$(node_value 1 queued)" 0
		touches far feed 0 256 1
	done
	wait_until 60 at_least 250 on_node 0
}
pushed_down() {
	parameter demote_watermark_bp 5000
	wait_until 120 passing at_least 250 on_node 1
	parameter demote_watermark_bp 200
	wait_until 30 at_most 0 node_value 0 queued
}
passing() {
	touches near feed 0 64 10
	"$@"
}

# first all that others have goes: what is remembered of moved pages has an end
parameter demote_watermark_bp 5000
wait_until 120 passing at_least 5 node_value 0 passes
parameter demote_watermark_bp 200
note "others went: $(stat demote_moved_pages); lru: $(node_value 0 lru)"
touched_up 2
expect_eq "pages that came up again" "$(stat promote_again)" 0
pushed_down
touched_up 2
again=$(stat promote_again)
note "came up again: $again"
expect_ge "pages that came up again" "$again" 250
expect_eq "the same in the table of nodes" "$(node_value 1 pingpong)" "$again"
pushed_down
touched_up 4
stop_moves
expect_ge "pages that came up again twice" "$(stat promote_again)" $((again + 240))
expect_moves_agree
unload_module
