# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 900
# break: module/policy/split.c s/pace->wait = pace->backoff;/pace->wait = 0;/
# Splits that do not pay, as a memory policy keeps the pieces where they are: the next round waits, twice as long each
# time, and it is tried again. Nothing moves.

quiet_kernel
load_pmu
load_module mode=observe adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50
huge=24
holder big
holder big huge $((huge * 512)) 1
expect_eq "huge pages" "$(holder big hugepages)" "$huge"
holder big bind 1
echo never >/sys/kernel/mm/transparent_hugepage/enabled
parameter mode tier

# unpaid: rounds that did not pay, after less samples than a window has
unpaid() {
	holder big feed-pieces 0 16 4
	stat split_rounds_unpaid
}
wait_until 200 at_least 1 unpaid
first=$(stat split_windows)
expect_ge "huge pages split in the first round" "$(stat split_done)" 1
wait_until 200 at_least 2 unpaid
second=$(stat split_windows)
wait_until 300 at_least 3 unpaid
third=$(stat split_windows)
stop_moves
note "windows by the judgements: $first $second $third"
# 2 and then 4 windows of waiting, and 2 for the next round to settle and to be judged
expect_ge "windows from the first to the second" $((second - first)) 4
expect_ge "windows from the second to the third" $((third - second)) 6
expect_eq "rounds that paid" "$(stat split_rounds_paid)" 0
expect_ge split_done "$(stat split_done)" 3
expect_eq "pages that moved" "$(stat promote_moved)" 0
expect_eq "pages in their place" "$(holder big on 1)" $((huge * 512))
unload_module
