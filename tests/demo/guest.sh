# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck disable=SC2154 # demo_*: words of the kernel's command line
# The demo's half in the guest: quiets everything else that moves pages, loads the emulated PMU and the module,
# runs the workload, and compares the module's moves with the kernel's count. What the host needs of it goes to
# /dev/ttyS2 as NAME=VALUE lines. It knows the knobs; sizes and lengths come in by the kernel's command line.

vmstat() {
	awk -v name="$1" '$1 == name { print $2 }' /proc/vmstat
}

stats=/sys/kernel/debug/thermocline/stats

# sum PATTERN: over the module's statistics
sum() {
	awk -v pattern="$1" '$1 ~ pattern { sum += $2 } END { print sum + 0 }' "$stats"
}

# set_knob FILE VALUE: if this kernel has it
set_knob() {
	[ ! -e "$1" ] || echo "$2" >"$1"
}

# The kernel's own reasons to migrate pages: NUMA balancing, compaction, demotion by reclaim, DAMON's statistics
# (7.x), KSM; huge pages are off by the command line. What stays is compaction for a large allocation.
set_knob /proc/sys/kernel/numa_balancing 0
set_knob /proc/sys/vm/compaction_proactiveness 0
set_knob /sys/kernel/mm/numa/demotion_enabled 0
set_knob /sys/module/damon_stat/parameters/enabled N
set_knob /sys/kernel/mm/ksm/run 0

set -e
# Without the emulated PMU there is none, and the module looks at accessed bits instead.
[ "$demo_sampler" = scan ] || insmod /simpmu.ko
insmod /thermocline.ko mode=observe ibs_period="$demo_period" demote_watermark_bp="$demo_watermark_bp" \
	scan_limit_bp="$demo_scan_limit_bp"
grep '^sampler:' "${stats%/*}/status"
migrated=$(vmstat pgmigrate_success)

lookups() {
	kv --size "$demo_size" --seed "$demo_seed" --keep-free "$demo_keep" --reserve "$demo_reserve" \
		--warm-up "$demo_warm_up" --window "$demo_window" --run "$demo_run" --report "$demo_report" \
		--mode "$demo_mode"
}
{
	status=0
	lookups || status=$?
	echo "$status" >/tmp/status
} 2>&1 | tee /tmp/kv.out | grep -v '^kv: before='
status=$(cat /tmp/status)

# Nothing moves from here on; a batch that is under way ends first.
echo off >/sys/module/thermocline/parameters/mode
last=-1
until [ "$last" = "$(sum '_tried$')" ]; do
	last=$(sum '_tried$')
	sleep 1
done
{
	sed -n 's/^kv: \(before=.*\)/\1/p' /tmp/kv.out | tr ' ' '\n'
	echo "promoted=$(sum '^promote_moved_pages$')"
	echo "demoted=$(sum '^demote_moved_pages$')"
	echo "freed=$(sum '_freed_pages$')"
	echo "failed=$(sum '^(promote|demote)_fail_')"
	echo "skipped=$(sum '^(promote|demote)_skip_')"
	echo "module_lost=$(sum '^samples_lost$')"
	echo "pgmigrate_success=$(($(vmstat pgmigrate_success) - migrated))"
	echo "release=$(uname -r)"
	echo "status=$status"
} >/dev/ttyS2
exit "$status"
