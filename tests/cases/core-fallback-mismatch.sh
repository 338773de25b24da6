# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 120
# break: module/engine/kmigrated.c s/if (mover->tally.mismatches)/if (false)/
# The kernel's count of moved pages differs from the module's: it moves nothing more, says why, and goes on when told to.

why="the module and the kernel count different numbers of pages"
quiet_kernel
load_pmu
load_module adaptation_samples=1000 cooling_samples=100000000 kmigrated_ms=10
wait_until 60 feeding 1024 8 1 at_least 512 stat promote_moved
insmod /tcbreak.ko how=miscount
wait_until 60 feeding 1024 8 1 status_says "reduced: tier was asked for, but $why"
status_says "mode: observe" || fail "the status does not say observe"
expect_dmesg "thermocline: nothing is moved any more: $why; write the mode again to go on"
expect_ge promote_mismatches "$(stat promote_mismatches)" 1
rmmod tcbreak

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
