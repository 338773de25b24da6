# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck disable=SC2154 # bench_*: words of the kernel's command line
# This module, on the emulated PMU. The sampling period and the intervals are short for the size of the memory, so that
# a cell has at least five coolings; what it costs is in the model's time. Times are scaled with the clocks.

parameters=/sys/module/thermocline/parameters
tables=/sys/kernel/debug/thermocline

system_prepare() {
	insmod /simpmu.ko
	insmod /thermocline.ko mode=off ibs_period="$bench_period" demote_watermark_bp="$bench_watermark_bp" \
		kmigrated_ms=$((500 * bench_clock / 100)) cooling_samples="$bench_cooling" \
		adaptation_samples=$((bench_cooling / 20))
}

system_start() {
	echo tier >"$parameters/mode"
}

system_tell() {
	echo off >"$parameters/mode"
	awk '!/^#/ { print "module." $1, $2 }' "$tables/stats" "$tables/thresholds"
	grep -q '^mode: off' "$tables/status" || exit 1
}
