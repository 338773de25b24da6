# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=384M,384M
# quick: no
# break: module/engine/engine.c s/err = node->worker ?/err = node->worker || nid > 1 ?/
# Three nodes, two of them slow: each has its worker and promotes to the fast one.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536
expect_eq "tier of node 0" "$(node_value 0 tier)" fast
for node in 1 2; do
	expect_eq "tier of node $node" "$(node_value "$node" tier)" slow
	expect_eq "target of node $node" "$(node_value "$node" target)" 0
	holder "on$node"
	holder "on$node" map 2048 "$node"
done
for node in 1 2; do
	wait_until 60 heating "on$node" 4 at_least 1900 holder "on$node" on 0
	expect_ge "pages moved from node $node" "$(node_value "$node" moved_pages)" 1900
done
stop_moves
expect_moves_agree
unload_module
