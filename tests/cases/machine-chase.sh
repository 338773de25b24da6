# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=1 fast=512M slow=512M machine=yes
# append: nokaslr no5lvl
# quick: 6.12
# break(command): tests/machine/plugin/access.c s/v->wait_ps += wait;/v->wait_ps += wait \/ 2;/
# The simulated machine says what it was told to be: a pointer chase sees each tier's latency within 1 %, and mixes
# of both nodes the known hit ratio; with the emulated PMU sampling, samples arrive and none is lost.

quiet_kernel
chase
load_pmu
insmod /pmutest.ko type="$(cat /sys/bus/event_source/devices/ibs_op/type)" period=976 \
	newer="$(grep -c ' perf_ibs_check_period$' /proc/kallsyms || true)"
chase
expect_ge "samples delivered" "$(value_of /sys/kernel/debug/pmutest/received count)" 3000
expect_eq "samples lost" "$(value_of /sys/kernel/debug/simpmu/stats lost)" 0
rmmod pmutest
rmmod simpmu
