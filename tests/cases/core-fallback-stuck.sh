# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 300
# break: module/engine/ksampled.c s/since && time_after/false \&\& time_after/
# A batch does not end: the module gives up, says why, and goes on when told to.

why="a migration worker has been stuck in one batch"
quiet_kernel
load_pmu
load_module adaptation_samples=1000 cooling_samples=100000000 kmigrated_ms=10
wait_until 60 feeding 1024 8 1 at_least 512 stat promote_moved
insmod /tcbreak.ko how=stall
wait_until 120 feeding 1024 8 1 status_says "reduced: tier was asked for, but $why"
status_says "mode: observe" || fail "the status does not say observe"
expect_dmesg "thermocline: nothing is moved any more: $why; write the mode again to go on"
rmmod tcbreak
wait_until 20 at_least 1 stat promote_fail_busy
expect_sums

# it stays so, whatever comes
tried=$(tc_tried)
feed 1024 8 1
sleep 2
expect_eq "folios tried after giving up" "$(tc_tried)" "$tried"

parameter mode tier
status_says "mode: tier" || fail "the status does not say tier"
moved=$(stat promote_moved)
wait_until 60 feeding 1024 8 1 at_least $((moved + 512)) stat promote_moved
unload_module
