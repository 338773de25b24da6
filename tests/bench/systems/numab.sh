# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck disable=SC2154 # bench_*: words of the kernel's command line
# NUMA balancing for memory tiering, as Documentation/admin-guide/sysctl/kernel.rst and the ABI text of
# /sys/kernel/mm/numa/demotion_enabled say: mode 2, and demotion by reclaim. All else is the kernel's default; times
# are scaled with the clocks. As tuned: with other values, which `picked` and TUNE name.

debug=/sys/kernel/debug/sched/numa_balancing

# scale FILE [MS]: the default, or this many milliseconds, by the machine's clock
scale() {
	ms=${2:-$(cat "$debug/$1")}
	echo $((ms * bench_clock / 100)) >"$debug/$1"
}

system_prepare() {
	echo 1 >/sys/kernel/mm/numa/demotion_enabled
}

system_start() {
	for name in scan_delay_ms scan_period_max_ms scan_period_min_ms hot_threshold_ms; do
		scale "$name" "$(tuned "$name" '')"
	done
	size=$(tuned scan_size_mb '')
	[ -z "$size" ] || echo "$size" >"$debug/scan_size_mb"
	echo 2 >/proc/sys/kernel/numa_balancing
}

system_tell() {
	for name in pgpromote_success pgpromote_candidate numa_hint_faults numa_pte_updates; do
		echo "$name $(vmstat "$name")"
	done
	echo "pgdemote $(awk '/^pgdemote_/ { sum += $2 } END { print sum + 0 }' /proc/vmstat)"
}
