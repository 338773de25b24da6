# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/engine/ksampled.c s/tc_block_carry(from, head, to, .*/tc_block_drop(from, \&map->heat, head, 1U << result->order);/
# Heat goes along with a page that the module moves: after a promotion the histogram shows the pages as hot as before,
# and when fast memory runs short they are not the ones that have to leave.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000 mode=observe
holder hot
holder hot map 2048 1
holder hot feed 0 2048 16
wait_until 10 at_least 2048 binned 12
parameter mode tier
# few samples more, by which alone they would be in a lower bin
wait_until 60 heating hot 1 at_least 2000 holder hot on 0
parameter mode observe
received=$(stat samples_received)
# time for a sweep, which would find heat that is at a place where its page is not
sleep 35
expect_eq "samples received" "$(stat samples_received)" "$received"
# a sweep that comes while a batch is under way finds some of it at neither place, and takes it for freed
expect_ge "hot pages after their promotion" "$(binned 12)" $((2048 * 98 / 100))
expect_ge "pages with heat" "$(binned 1)" $((2048 * 98 / 100))
[ "$(binned 1)" -le 2048 ] || fail "$(binned 1) pages have heat, of 2048"

parameter mode tier
dd if=/dev/zero of=/dev/shm/cold bs=4k count=$(($(node_value 0 free) - $(node_value 0 keep_free) / 2)) 2>/dev/null
wait_until 90 feeding 64 20 0 at_least 1000 stat demote_moved
expect_ge "hot pages that stayed" "$(holder hot on 0)" 2000
stop_moves
expect_moves_agree
unload_module
