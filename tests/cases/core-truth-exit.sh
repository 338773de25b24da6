# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/engine/engine.c s/tc_watch_exits(tc_sweep_soon);//
# A process with hot pages ends: its heat is out of the histogram long before the next sweep that time alone would
# bring, while that of another process stays. Three times, as a sweep may come by chance.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000 mode=observe

holder stays
holder stays map 1024 1
holder stays feed 0 1024 8
wait_until 20 at_least 1024 binned 12
for round in 1 2 3; do
	# the hot ones are freed last, well after the process began to end
	holder goes
	holder goes map 49152 1
	holder goes feed 47104 2048 8
	wait_until 20 at_least 3072 binned 12
	holder goes quit
	wait_until 8 at_most 1024 binned 9
	note "round $round: $(binned 9) pages with heat"
done
expect_eq "hot pages of the process that stays" "$(binned 12)" 1024
unload_module
