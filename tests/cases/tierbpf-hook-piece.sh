# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 600
# quick: no
# programs: thermoctl
# policies: answers
# break: module/engine/granularity.c s/if (tc_ask_piece_cold(&ask, !(d->pieces & piece))) {/if (!(d->pieces \& piece)) {/
# break: module/engine/granularity.c s/return d->pieces ? TC_VERDICT_SPLIT : TC_VERDICT_COLD;/return TC_VERDICT_SPLIT;/
# A policy says which pieces stay in slow memory: hot ones from a place on, then all of them, and the huge page is left where it
# is. Detached, what is hot comes up.

quiet_kernel
load_pmu
load_module mode=observe split=tierbpf split_gate=off adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50 cpu_limit_bp=0 gate=off
mount -t bpf bpf /sys/fs/bpf
for name in half all; do
	holder $name
	holder $name huge 1024 1
	holder $name fill 3
done
echo never >/sys/kernel/mm/transparent_hugepage/enabled
# two hot pieces, the first and the last
feed_both() {
	holder "$1" feed-pieces 0 16 "$2"
	holder "$1" feed-pieces 496 16 "$2"
}
first_up() {
	feed_both "$1" 1
	[ "$(holder "$1" pieces-on 0 0 16)" = 32 ]
}
both_up() {
	first_up "$1" && [ "$(holder "$1" pieces-on 0 496 16)" = 32 ]
}

ctl 0 policy attach /answers.bpf.o cold=1 cold_from=256
taken_in feed_both half 8
asked=$(stat hook_piece_is_cold_asked)
parameter mode tier
split_done() {
	holder half feed-pieces 0 16 1
	[ "$(stat split_order_4)" = 2 ]
}
wait_until 120 split_done
expect_ge "questions" "$(stat hook_piece_is_cold_asked)" $((asked + 64))
expect_ge "answers that changed something" "$(stat hook_piece_is_cold_changed)" 2
expect_eq "pieces promoted" "$(stat split_pieces_promoted)" 2
parameter mode observe
ctl 0 policy detach

ctl 0 policy attach /answers.bpf.o cold=1
taken_in feed_both all 8
parameter mode tier
all_cold() {
	feed_both all 1
	[ "$(stat granularity_cold)" -ge 2 ]
}
wait_until 120 all_cold
expect_eq "huge pages" "$(holder all hugepages)" 2
expect_eq "pages that left" "$(holder all on 1)" 1024
ctl 0 policy detach
wait_until 200 both_up all
wait_until 200 both_up half
expect_eq "pages with another byte" "$(holder half check 3 0 1024) $(holder all check 3 0 1024)" "0 0"
stop_moves
expect_moves_agree
hook_end
