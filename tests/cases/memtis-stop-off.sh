# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 300
# break: module/engine/kmigrated.c /^static bool tc_batch(/,/^}/s/if (tc_mode_decides(mode))/if (true)/
# With much to move, mode=off finishes the batch in hand and begins no other: when the write has returned nothing moves
# any more, over a hundred times that a worker would have woken up.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 gate=off rate_limit_mib=4 kmigrated_ms=10 cpu_limit_bp=0
holder much
holder much map 8192 1
for round in 1 2 3; do
	parameter mode tier
	moved=$(stat promote_moved)
	wait_until 60 heating much 3 at_least $((moved + 256)) stat promote_moved
	parameter mode off
	begun=$(stat batches_begun) moved=$(kernel_moved numa_misplaced) module=$(module_moved)
	waiting=$(node_value 1 queued)
	sleep 1
	note "round $round: $begun batches, $moved pages moved, $waiting wait"
	expect_ge "pages that wait to be promoted" "$waiting" 256
	expect_eq "batches begun after the stop" $(($(stat batches_begun) - begun)) 0
	expect_eq "pages moved after the stop" $(($(kernel_moved numa_misplaced) - moved)) 0
	expect_eq "pages that the module says it moved after the stop" $(($(module_moved) - module)) 0
done
expect_moves_agree
unload_module
