# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 240
# quick: 6.12
# break: module/ui/debugfs.c s/debugfs_remove(tc_debugfs_root);//
# Loads and unloads the module 20 times while samples come in and pages move. After each unload nothing of it is
# left, and at the end the PMU has no event left that would keep it.

quiet_kernel
load_pmu

sh -c 'while [ ! -e /tmp/stop ]; do feed 512 20 1; done' >/dev/null 2>&1 &
for round in $(seq 20); do
	load_module adaptation_samples=1000
	wait_until 20 at_least 1000 stat samples_received
	wait_until 20 at_least 1 stat promote_moved
	expect_sums
	unload_module
	note "round $round"
done
touch /tmp/stop
wait
rmmod simpmu
