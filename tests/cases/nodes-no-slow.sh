# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=0
# break: module/engine/engine.c s/if (!tc_nodes_tiered())/if (false)/
# A machine with one kind of memory: the module loads, says that there is nowhere to move to, and observes.

load_pmu
load_module adaptation_samples=1000
expect_dmesg "mode observe instead of tier"
status_says "mode: observe" || fail "the status does not say observe"
status_says "reduced: tier was asked for, but this machine has one memory tier" ||
	fail "the status does not say why"
feed 512 20
wait_until 20 at_least 1000 stat samples_accounted
expect_eq promote_tried "$(stat promote_tried)" 0
expect_eq demote_tried "$(stat demote_tried)" 0
unload_module
