# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=320M slow=512M
# timeout: 600
# quick: no
# break: module/policy/gate.c s/return ratio + max_u32(4 . deviation, TC_GATE_FALL_BP) < g->peak_bp .. moved > 1;/return false;/
# A gate that was halved opens when the profile shifts: accesses that fast memory served go to slow memory.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cpu_limit_bp=0
wait_until 300 feeding 2048 10 1 at_least 1 stat gate_halvings
# now fast memory serves nearly all, for some windows
holder hot
holder hot map 1024 0
rose=$(stat gate_gain)
wait_until 120 heating hot 10 at_least $((rose + 1)) stat gate_gain
# and then hardly any
shifts=$(stat gate_shift)
wait_until 120 feeding 2048 10 1 at_least $((shifts + 1)) stat gate_shift
moved=$(stat promote_moved_pages)
wait_until 120 feeding 2048 10 1 at_least $((moved + 512)) stat promote_moved_pages
stop_moves
expect_moves_agree
unload_module
