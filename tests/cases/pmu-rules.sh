# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# break: tests/machine/simpmu/rules.c s/if (\*config & SIMPMU_COUNT_BITS)/if (false)/
# The emulated PMU refuses what AMD's driver of this kernel refuses and delivers what it is fed. What passes on a
# PMU that is more lenient than the hardware's would prove nothing.

load_pmu
if grep -q ' perf_ibs_check_period$' /proc/kallsyms; then
	newer=1
else
	newer=0
fi
insmod /pmutest.ko type="$(cat /sys/bus/event_source/devices/ibs_op/type)" newer="$newer"
results=/sys/kernel/debug/pmutest/results
cat "$results"
expect_ge "rules tried" "$(grep -c '^ok' "$results")" 20
if grep '^not ok' "$results"; then
	fail "the rules above"
fi
feed 100 20
expect_ge "samples delivered" "$(value_of /sys/kernel/debug/pmutest/received count)" 2000
rmmod pmutest
rmmod simpmu
