# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 600
# break: module/track/hint.c s/tc_ring_push(&sc->ring, &sample);/;/
# The hint faults of NUMA balancing as samples: while it makes faults, pages that are used get heat; the module itself
# moves nothing for them. When it is off, the status says that no faults come.

knob /proc/sys/kernel/numa_balancing 0
load_module sampler=hint mode=observe adaptation_samples=1000 cooling_samples=100000000 ring_slots=65536
status_says "sampler: hint" || fail "the status does not say hint"
status_says "hint: no faults come" || fail "the status does not say that no faults come"
holder used
holder used map 16384 1
expect_eq samples_received "$(stat samples_received)" 0

for setting in scan_delay_ms scan_period_min_ms; do
	knob "/sys/kernel/debug/sched/numa_balancing/$setting" 20
done
knob /proc/sys/kernel/numa_balancing 2
if status_says "hint: no faults come"; then
	fail "the status says that no faults come"
fi
holder eager
holder eager map 16384 1
using() {
	holder eager touch 0 16384 -1
	"$@"
}
# a page of 4 KiB that was sampled once is in bin 9
wait_until 150 using at_least 4096 binned 9
note "$(vmstat numa_hint_faults) hint faults, $(stat samples_received) samples, $(stat samples_accounted) with heat"
expect_ge "hint faults" "$(vmstat numa_hint_faults)" "$(stat samples_received)"
expect_eq "folios that the module tried" "$(tc_tried)" 0

parameter mode off
received=$(stat samples_received)
faults=$(vmstat numa_hint_faults)
wait_until 60 using at_least $((faults + 100)) vmstat numa_hint_faults
expect_eq "samples when off" "$(stat samples_received)" "$received"
unload_module
refuse_module sampler=hints
