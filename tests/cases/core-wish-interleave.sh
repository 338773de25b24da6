# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/move/wishes.c /default:/,/}/s/return false;/return true;/
# Interleaved memory has its place by its address: however hot it is, each page stays on its node, and so the ratio
# between the nodes.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50

for mode in interleave weighted-interleave; do
	skipped=$(stat promote_skip_mempolicy)
	wishing wish anon "$mode" stay
	expect_eq "interleaved pages moved" "$(wish_value moved)" 0
	# a weight by bandwidth, as newer kernels set it, gives the slow node fewer
	expect_ge "interleaved pages on the slow node" "$(wish_value node1)" 32
	expect_ge promote_skip_mempolicy $(($(stat promote_skip_mempolicy) - skipped)) $(($(wish_value node1) / 2))
	expect_eq "interleaved pages" $(($(wish_value node0) + $(wish_value node1))) "$(wish_value pages)"
done

stop_moves
expect_moves_agree
unload_module
