# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=1 fast=512M slow=512M machine=yes deterministic=yes
# quick: 6.12
# break(command): tests/machine/simpmu/deliver.c s/if (sample->flags \& TCM_SAMPLE_TLB_MISS)/if (false)/
# The sampler of the simulated machine, as a handler of perf sees it: source, latency, TLB level and kind of accesses
# that are known, also while others press the tier; a period that changes while sampling; perf's throttle; a ring that is full.

stats=/sys/kernel/debug/simpmu/stats

# sampling PERIOD [NAME=VALUE...]: an event on each CPU
sampling() {
	tc_period=$1
	shift
	insmod /pmutest.ko type="$(cat /sys/bus/event_source/devices/ibs_op/type)" period="$tc_period" \
		newer="$(grep -c ' perf_ibs_check_period$' /proc/kallsyms || true)" "$@"
}

quiet_kernel
load_pmu
sampling 272
sampled loads 0
sampled loads 1
sampled stores 1
sampled pressed 1
expect_eq "throttled" "$(value_of $stats throttled)" 0
rmmod pmutest

sampling 4096 l3missonly=0
sampled period 4096
echo 8192 >/sys/kernel/debug/pmutest/period
sampled period 8192

# twenty samples a tick, of some hundreds that are due in each of the dozen ticks that the next program takes
knob /proc/sys/kernel/perf_event_max_sample_rate 5000
before=$(value_of $stats delivered)
echo 1024 >/sys/kernel/debug/pmutest/period
oracle
expect_ge "times that perf throttled" "$(value_of $stats throttled)" 5
note "throttled $(value_of $stats throttled) times, $(($(value_of $stats delivered) - before)) samples"
rmmod pmutest
rmmod simpmu

echo 100000 >/proc/sys/kernel/perf_event_max_sample_rate
insmod /simpmu.ko poll_us=100000
sampling 272 l3missonly=0
sampled ring
expect_ge "samples that simpmu says were lost" "$(value_of $stats lost)" 1000
rmmod pmutest
rmmod simpmu
