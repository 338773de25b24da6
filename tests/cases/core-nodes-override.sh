# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M hmat=off
# quick: no
# break: module/engine/node.c s/if (node_isset(nid, tc_fast_list) || node_isset(nid, tc_slow_list))/if (false)/
# Firmware that tells nothing of latencies: the kernel puts all memory in one tier, so the module says so and
# observes. The operator knows better: with slow_nodes= it tiers.

quiet_kernel
load_pmu
load_module adaptation_samples=1000
expect_dmesg "mode observe instead of tier"
status_says "reduced: tier was asked for, but this machine has one memory tier" ||
	fail "the status does not say why"
expect_eq "tier of node 1" "$(node_value 1 tier)" fast
wait_until 20 feeding 1024 8 1 at_least 8000 stat samples_accounted
expect_eq "folios tried" "$(tc_tried)" 0
unload_module

for list in slow_nodes=1 fast_nodes=0; do
	load_module adaptation_samples=1000 "$list"
	status_says "mode: tier" || fail "$list: the status does not say tier"
	expect_eq "tier of node 1" "$(node_value 1 tier)" slow
	expect_eq "tier of node 0" "$(node_value 0 tier)" fast
	wait_until 60 feeding 1024 8 1 at_least 512 stat promote_moved
	stop_moves
	expect_sums
	unload_module
done
