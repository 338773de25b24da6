# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck disable=SC2154 # bench_*: words of the kernel's command line
# This module, on the emulated PMU. The sampling period and the intervals are short for the size of the memory, so that
# a cell has at least five coolings; what it costs is in the model's time, and the pacer is off, as it would take the
# scale back. Times are scaled with the clocks. fits-PERIOD: the module as a server would have it, with this sampling
# period, where everything is in fast memory anyway.

parameters=/sys/module/thermocline/parameters
tables=/sys/kernel/debug/thermocline

# What of TUNE is not computed here goes to the module under its name.
other_settings() {
	echo "$bench_tune" | tr , '\n' | grep -vE '^(|cooling_percent=.*|adaptations=.*|kmigrated_ms=.*)$'
}

system_prepare() {
	insmod /simpmu.ko
	set -- mode=off kmigrated_ms=$(($(tuned kmigrated_ms 500) * bench_clock / 100))
	case $bench_system in
	fits-*)
		set -- "$@" ibs_period="${bench_system#fits-}"
		;;
	*)
		cooling=$((bench_cooling * $(tuned cooling_percent 100) / 100))
		set -- "$@" ibs_period="$bench_period" demote_watermark_bp="$bench_watermark_bp" \
			cooling_samples="$cooling" adaptation_samples=$((cooling / $(tuned adaptations 20))) \
			cpu_limit_bp=0
		;;
	esac
	# shellcheck disable=SC2046 # settings are words
	insmod /thermocline.ko "$@" $(other_settings)
}

system_start() {
	echo tier >"$parameters/mode"
}

system_tell() {
	echo off >"$parameters/mode"
	awk '!/^#/ { print "module." $1, $2 }' "$tables/stats" "$tables/thresholds"
	grep -q '^mode: off' "$tables/status" || exit 1
}
