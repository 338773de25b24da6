# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck disable=SC2154 # bench_*: words of the kernel's command line
# NUMA balancing for memory tiering, as Documentation/admin-guide/sysctl/kernel.rst and the ABI text of
# /sys/kernel/mm/numa/demotion_enabled say: mode 2, and demotion by reclaim. All else is the kernel's default; times
# are scaled with the clocks. As tuned: see docs/benchmark.md for what was tried.

debug=/sys/kernel/debug/sched/numa_balancing

# scale FILE [MS]: the default, or this many milliseconds, by the machine's clock
scale() {
	ms=${2:-$(cat "$debug/$1")}
	echo $((ms * bench_clock / 100)) >"$debug/$1"
}

system_prepare() {
	echo 1 >/sys/kernel/mm/numa/demotion_enabled
}

# tuned_or_default NAME TUNED: of this run's TUNE, else TUNED in the tuned system, else the kernel's own
tuned_or_default() {
	value=''
	[ "$bench_system" != numab-tuned ] || value=$2
	tuned "$1" "$value"
}

system_start() {
	# one word each: an empty one is the default
	scale scan_delay_ms "$(tuned_or_default scan_delay_ms '')"
	scale scan_period_max_ms "$(tuned_or_default scan_period_max_ms 1000)"
	scale scan_period_min_ms "$(tuned_or_default scan_period_min_ms '')"
	scale hot_threshold_ms "$(tuned_or_default hot_threshold_ms '')"
	size=$(tuned_or_default scan_size_mb '')
	[ -z "$size" ] || echo "$size" >"$debug/scan_size_mb"
	echo 2 >/proc/sys/kernel/numa_balancing
}

system_tell() {
	for name in pgpromote_success pgpromote_candidate numa_hint_faults numa_pte_updates; do
		echo "$name $(vmstat "$name")"
	done
	echo "pgdemote $(awk '/^pgdemote_/ { sum += $2 } END { print sum + 0 }' /proc/vmstat)"
}
