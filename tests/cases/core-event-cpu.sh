# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 400
# break: module/track/sampler.c s/!cpumask_test_cpu(cpu, &tc_sampler.cpus)/sc->ring.slots/
# A processor goes and comes 50 times while samples arrive and pages move: it is sampled again each time, nothing
# of its event or its ring is left over, and moving never stops.

quiet_kernel
load_pmu
load_module adaptation_samples=1000
cpu=/sys/devices/system/cpu/cpu1/online

# sampler CPU COLUMN: of the table of samplers
sampler() {
	awk -v cpu="$1" -v column="$2" '$1 == cpu { print $column }' "$tc_debugfs/samplers"
}

rings() {
	grep -c thermocline /proc/vmallocinfo || true
}

sh -c 'while [ ! -e /tmp/stop ]; do feed 512 20 1; done' >/dev/null 2>&1 &
wait_until 30 at_least 100 stat promote_moved
rings_before=$(rings)
for round in $(seq 50); do
	echo 0 >"$cpu"
	expect_eq "sampler of the processor that went, round $round" "$(sampler 1 3)" off
	status_says "sampler: ibs on 1 CPUs" || fail "round $round: the status does not say one CPU"
	echo 1 >"$cpu"
	expect_eq "sampler of the processor that came, round $round" "$(sampler 1 3)" on
done
status_says "mode: tier" || fail "the status does not say tier"
expect_eq "vmalloc areas of the module" "$(rings)" "$rings_before"

received=$(sampler 1 4) moved=$(stat promote_moved)
taskset 2 feed 512 20 1
expect_ge "samples of the processor since it came" $(($(sampler 1 4) - received)) 5000
wait_until 60 at_least $((moved + 100)) stat promote_moved
touch /tmp/stop
wait
stop_moves
expect_moves_agree
unload_module
# an event that is left over would keep the PMU's module
rmmod simpmu
