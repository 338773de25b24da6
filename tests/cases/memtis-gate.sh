# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=320M slow=512M
# timeout: 600
# quick: no
# break: module/policy/gate.c /^static void halve/,/^}/s/g->halvings + 1/g->halvings/
# Promotions that do not raise the hit ratio, as each promoted page is soon gone: what may be promoted is halved, and
# status says so. With the gate off everything may be.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cpu_limit_bp=0
expect_eq "halvings at first" "$(stat gate_halvings)" 0
wait_until 300 feeding 2048 10 1 at_least 2 stat gate_halvings
note "$(grep '^gate:' "$tc_debugfs/status"), promoted $(stat promote_moved_pages)"
expect_ge "fruitless windows" "$(stat gate_fruitless)" 2
status_says 'gate: [0-9]* pages a window, halved [0-9]* times' || fail "status does not tell of the gate"
# of the pages that are hot now, no more go up than a window may
allowed=$(sed -n 's/^gate: \([0-9]*\) pages.*/\1/p' "$tc_debugfs/status")
expect_ge "pages of a window" "$allowed" 1
parameter gate off
status_says 'gate: off' || fail "the gate is not off"
moved=$(stat promote_moved_pages)
wait_until 120 feeding 2048 10 1 at_least $((moved + 1024)) stat promote_moved_pages
stop_moves
expect_moves_agree
unload_module
