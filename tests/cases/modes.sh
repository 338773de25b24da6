# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# break: module/engine/engine.c s/config->mode != TC_MODE_OFF/true/
# Changes of mode while samples come in: off takes none, observe counts and moves nothing, tier moves.

quiet_kernel
load_pmu
load_module mode=off adaptation_samples=1000
status_says "mode: off" || fail "the status does not say off"
if feed 512 20 1; then
	fail "the PMU had an event to deliver to in mode off"
fi
expect_eq "samples_received when off" "$(stat samples_received)" 0
expect_eq "state of the first sampler when off" "$(awk '$1 == 0 { print $3 }' "$tc_debugfs/samplers")" paused

parameter mode observe
expect_eq "state of the first sampler when observing" "$(awk '$1 == 0 { print $3 }' "$tc_debugfs/samplers")" on
feed 512 20 1
wait_until 20 at_least 1000 stat samples_accounted
wait_until 20 at_least 1 value_of "$tc_debugfs/thresholds" adaptations
expect_eq "promote_tried when observing" "$(stat promote_tried)" 0
expect_eq "moved pages when observing" "$(vmstat pgmigrate_success)" $((tc_moved_before + tc_own_moves))

parameter mode tier
wait_until 60 feeding 512 20 1 at_least 256 stat promote_moved
stop_moves
expect_moves_agree
unload_module
