# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 120
# break: module/kernel/company.c s/"kdamond", 7/"kdamond", 8/
# break: module/ui/debugfs.c s/if (!company.known)/if (false)/
# The status names who else moves pages on this machine: the kernel's NUMA balancing in both its modes, demotion by
# reclaim, DAMON while it runs; and says so when it cannot know.

# others TEXT: is that what the status says of others?
others() {
	status_says "others: $1\$" || fail "the status says '$(grep ^others: "$tc_debugfs/status")', not '$1'"
}

load_pmu
load_module
knob /proc/sys/kernel/numa_balancing 0
knob /sys/kernel/mm/numa/demotion_enabled 0
others "nobody else moves pages"
echo 1 >/proc/sys/kernel/numa_balancing
others "numa_balancing=1 moves pages too;"
echo 2 >/proc/sys/kernel/numa_balancing
others "numa_balancing=2 moves pages too;"
echo 0 >/proc/sys/kernel/numa_balancing
echo 1 >/sys/kernel/mm/numa/demotion_enabled
others "demotion_enabled: reclaim demotes too;"
echo 2 >/proc/sys/kernel/numa_balancing
others "numa_balancing=2 moves pages too; demotion_enabled: reclaim demotes too;"
echo 0 >/proc/sys/kernel/numa_balancing
echo 0 >/sys/kernel/mm/numa/demotion_enabled

damon=/sys/kernel/mm/damon/admin/kdamonds
echo 1 >"$damon/nr_kdamonds"
echo 1 >"$damon/0/contexts/nr_contexts"
echo vaddr >"$damon/0/contexts/0/operations"
echo 1 >"$damon/0/contexts/0/targets/nr_targets"
echo $$ >"$damon/0/contexts/0/targets/0/pid_target"
echo on >"$damon/0/state"
others "DAMON runs (1 threads) and may have schemes that move;"
echo off >"$damon/0/state"
wait_until 20 status_says "others: nobody else moves pages\$"
unload_module

load_module hide_symbols=numa_demotion_enabled
others "not known on this kernel"
unload_module
