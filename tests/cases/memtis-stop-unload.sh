# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 300
# quick: 6.12
# break(crash): module/engine/engine.c /^void tc_engine_stop/,/^}/s/tc_workers_stop();/;/
# Unloading with much to move, while samples come: the batch in hand is finished, nothing moves afterwards, and every
# page that the kernel moved for the module is one that the module counted.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 gate=off rate_limit_mib=4 kmigrated_ms=10 cpu_limit_bp=0
holder much
holder much map 8192 1
wait_until 60 heating much 3 at_least 256 stat promote_moved
expect_ge "pages that wait to be promoted" "$(node_value 1 queued)" 256
# the numbers of pages are read before, so at most what moves until the stop is missing
before=$(module_moved)
unload_module
moved=$(kernel_moved numa_misplaced)
sleep 1
expect_eq "pages moved after the stop" "$(kernel_moved numa_misplaced)" "$moved"
expect_ge "pages moved until the stop" "$moved" "$before"
expect_eq "pages with their holder" "$(($(holder much on 0) + $(holder much on 1)))" 8192
