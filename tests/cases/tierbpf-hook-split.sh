# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 600
# quick: no
# programs: thermoctl
# policies: answers
# break: module/engine/granularity.c s/d->order = tc_ask_split_order(&page, d->order);/;/
# break: module/engine/granularity.c s/if (d->order < TC_PIECE_ORDER_MIN || /if (/
# A policy says into what huge pages are split: into an order that the module would not choose, or not at all. What is no
# order is counted and the module decides, as it does when the policy is detached.

quiet_kernel
load_pmu
load_module mode=observe split=tierbpf split_gate=off adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50 cpu_limit_bp=0 gate=off
mount -t bpf bpf /sys/fs/bpf
for name in seven whole none own; do
	holder $name
	holder $name huge 1024 1
	holder $name fill 3
done
echo never >/sys/kernel/mm/transparent_hugepage/enabled
up() {
	holder "$1" feed-pieces 0 16 1
	[ "$(holder "$1" pieces-on 0 0 16)" = 32 ]
}
# promoted HOLDER: with its profile taken in before it is wanted
promoted() {
	parameter mode observe
	taken_in holder "$1" feed-pieces 0 16 8
	parameter mode tier
	wait_until 120 up "$1"
	expect_eq "pages with another byte" "$(holder "$1" check 3 0 1024)" 0
}

ctl 0 policy attach /answers.bpf.o order=7
promoted seven
expect_eq "huge pages split to order 7" "$(stat split_order_7)" 2
expect_eq "pages that came along" "$(holder seven pieces-on 0 0 128)" 256
ctl 0 policy detach

ctl 0 policy attach /answers.bpf.o order=9
promoted whole
expect_ge "left whole by the policy" "$(stat granularity_whole)" 2
expect_eq "huge pages" "$(holder whole hugepages)" 2
ctl 0 policy detach

ctl 0 policy attach /answers.bpf.o order=3
promoted none
expect_ge "answers that are none" "$(stat hook_split_order_invalid)" 2
expect_eq "huge pages split to order 4" "$(stat split_order_4)" 2
ctl 0 policy detach

asked=$(stat hook_split_order_asked)
promoted own
expect_eq "huge pages split to order 4" "$(stat split_order_4)" 4
expect_eq "questions to no policy" "$(stat hook_split_order_asked)" "$asked"
stop_moves
expect_moves_agree
hook_end
