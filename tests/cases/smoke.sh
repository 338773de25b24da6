# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# break: module/engine/ksampled.c s/if (node->fast && node->target != NUMA_NO_NODE)/if (false)/
# The path of one access, end to end, with samples made by hand: they are received and counted, the pages that
# they name move from the slow node to the fast one; then the fast node fills up, and pages that nobody touches
# go down until its head-room is back.

quiet_kernel
load_pmu
load_module adaptation_samples=1000

wait_until 60 feeding 2048 20 1 at_least 1024 stat promote_moved
expect_ge samples_received "$(stat samples_received)" 40960

# a column of the line of node 0 in the table of nodes
fast_node() {
	awk -v column="$1" '$1 == 0 { print $column }' "$tc_debugfs/nodes"
}

has_headroom() {
	[ "$(fast_node 5)" -ge "$(fast_node 6)" ]
}

# pages of a file in memory that nobody reads again: half of the head-room is left. What is cold shows only while
# others are sampled, so some pages of the fast node stay in use.
pages=$(($(fast_node 5) - $(fast_node 6) / 2))
dd if=/dev/zero of=/dev/shm/cold bs=4k count="$pages" 2>/dev/null
wait_until 60 feeding 256 20 0 at_least 1000 stat demote_moved
wait_until 60 feeding 256 20 0 has_headroom

stop_moves
expect_moves_agree
unload_module
