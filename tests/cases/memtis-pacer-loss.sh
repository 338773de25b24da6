# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: 6.12
# break: module/engine/pacer.c /static enum tc_pace tc_see_flood/,/^}/s/lost = totals.lost + totals.throttled;/lost = 0;/
# More samples than can be taken in: the period doubles at once when a ring loses some, and when perf throttles the
# event; with no limit it stays; what is written to the parameter begins anew.

quiet_kernel
load_pmu
load_module mode=observe ring_slots=64 cpu_limit_bp=0
feed 64 2000 0
expect_ge "samples lost" "$(stat samples_lost)" 1
expect_eq "step without a limit" "$(stat pacer_step)" 0

parameter cpu_limit_bp 10000
expect_eq "step at first" "$(stat pacer_step)" 0
# the period in the line of the sampler, which is that of the hardware
period() {
	sed -n 's/^sampler: .* period //p' "$tc_debugfs/status"
}
start=$(period)
wait_until 60 feeding 64 2000 0 at_least 4 stat pacer_step
note "period $start, then $(period): $(grep '^pacer:' "$tc_debugfs/status")"
expect_ge "period" "$(period)" $((start * 2))
expect_ge "floods" "$(stat pacer_floods)" 1
expect_eq "refused" "$(stat pacer_refused)" 0
status_says "pacer: period [0-9]* (step [0-9]* of [0-9]*), CPU [0-9.]* % sampling" || fail "status does not tell of the pacer"

parameter ibs_period 144208
expect_eq "step after a new period" "$(stat pacer_step)" 0
expect_eq "period" "$(period)" 144208

# so few samples a tick that feeding is throttled
floods=$(stat pacer_floods)
knob /proc/sys/kernel/perf_event_max_sample_rate 5000
wait_until 60 feeding 64 200 0 at_least $((floods + 1)) stat pacer_floods
expect_ge "throttled" "$(stat samples_throttled)" 1
unload_module
