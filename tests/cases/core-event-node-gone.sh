# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=empty monitor=yes
# quick: no
# timeout: 240
# break: module/engine/node.c s/WRITE_ONCE(node->active, present)/WRITE_ONCE(node->active, true)/
# The whole slow node goes offline: with one tier left the module observes and says so. It comes back, and moving
# goes on without a word from anybody.

plug_memory 1 512M
quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536
status_says "mode: tier" || fail "the status does not say tier"

# heat of 32 blocks of the node, for the heat map to forget
wait_until 60 feeding 2048 8 1 at_least 1024 stat promote_moved
holder heat
holder heat map 16384 1
parameter mode observe
holder heat feed 0 16384 1
wait_until 20 at_least 16384 binned 1
parameter mode tier
all_blocks() {
	for block in $(memory_blocks 1); do
		echo "$1" >"$block/state" || return
	done
}
blocks_before=$(stat heatmap_blocks)

wait_until 30 all_blocks offline
wait_until 20 status_says "mode: observe"
status_says "reduced: tier was asked for, but this machine has one memory tier" ||
	fail "the status does not say why"
if status_says "node 1"; then
	fail "the status still shows node 1"
fi
tried=$(tc_tried)
feed 2048 8 0
expect_eq "folios tried with one tier" "$(tc_tried)" "$tried"
wait_until 40 at_most $((blocks_before - 28)) stat heatmap_blocks
note "heat map: $blocks_before blocks, then $(stat heatmap_blocks)"

all_blocks online_movable
wait_until 20 status_says "mode: tier"
moved=$(stat promote_moved)
wait_until 60 feeding 2048 8 1 at_least $((moved + 1024)) stat promote_moved

stop_moves
expect_moves_agree
unload_module
