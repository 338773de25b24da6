# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# break: module/engine/ksampled.c s/if (!node->fast || node->target == NUMA_NO_NODE)/if (true)/
# The path of one access, end to end, with samples made by hand: they are received and counted, the pages that
# they name move from the slow node to the fast one; then the fast node fills up, and pages that nobody touches
# go down until its head-room is back.

quiet_kernel
load_pmu
load_module adaptation_samples=1000

wait_until 60 feeding 2048 20 1 at_least 1024 stat promote_moved
expect_ge samples_received "$(stat samples_received)" 40960

# Pages of a file in memory that nobody reads again: half of the head-room is left, or what the kernel itself does not
# use while the slow node has more. What is cold shows only while others are sampled, so some pages of the fast node
# stay in use.
dd if=/dev/zero of=/dev/shm/cold bs=4k count=$(($(node_value 0 free) - $(node_value 0 keep_free) / 2)) 2>/dev/null
lacked=$(lacking 0)
expect_ge "pages that the fast node lacks" "$lacked" 100
wait_until 60 feeding 256 20 0 at_most 0 lacking 0
expect_ge demote_moved "$(stat demote_moved)" $((lacked / 2))

stop_moves
expect_moves_agree
unload_module
