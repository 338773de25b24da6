# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck disable=SC2154 # bench_*: words of the kernel's command line
# A cell's half in the guest: everything else that moves pages is off, one system is prepared, the workload runs and
# switches the system on when its working set is in place. What the host needs goes to /dev/ttyS2 as lines "name
# value". It knows the kernel's own knobs; those of a system are in systems/.

vmstat() {
	awk -v name="$1" '$1 == name { print $2 }' /proc/vmstat
}

# set_knob FILE VALUE: if this kernel has it
set_knob() {
	[ ! -e "$1" ] || echo "$2" >"$1"
}

# tuned NAME DEFAULT: the value of a system's setting
# shellcheck disable=SC2317 # systems/ call it
tuned() {
	echo "$bench_tune" | tr , '\n' | awk -F= -v name="$1" -v value="$2" '$1 == name { value = $2 } END { print value }'
}

# Time on the processor, in ns, of kernel threads of these names.
thread_ns() {
	for stat in /proc/[0-9]*/comm; do
		grep -qE "$1" "$stat" 2>/dev/null && cat "${stat%comm}schedstat" 2>/dev/null
	done | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

set_knob /proc/sys/kernel/numa_balancing 0
set_knob /proc/sys/vm/compaction_proactiveness 0
set_knob /sys/kernel/mm/numa/demotion_enabled 0
set_knob /sys/module/damon_stat/parameters/enabled N
set_knob /sys/kernel/mm/ksm/run 0
set_knob /sys/kernel/mm/transparent_hugepage/khugepaged/defrag 0

# Free pages that a processor keeps to itself count as free to nobody, and would be given out all the same.
set_knob /proc/sys/vm/percpu_pagelist_high_fraction 10000
cat /proc/sys/vm/stat_refresh
# What fragmentation makes the kernel keep free for a while would be a quarter of fast memory.
set_knob /proc/sys/vm/watermark_boost_factor 0
# A machine this small has huge pages switched off; and switching them on raises the reserves to what would be a good
# part of it.
if [ "$bench_huge" != no ]; then
	reserves=$(cat /proc/sys/vm/min_free_kbytes)
	echo madvise >/sys/kernel/mm/transparent_hugepage/enabled
	echo "$reserves" >/proc/sys/vm/min_free_kbytes
fi

set -e
# shellcheck disable=SC1091 # one of systems/
. /system.sh
system_prepare

# What lies in the root file system is memory that could be moved: keep what is needed, so that all systems have the
# same room, which the workload then cuts to size.
rm -f /*.ko
for file in /bin/*; do
	case ${file#/bin/} in
	busybox | redis-server | "$bench_workload") ;;
	*) [ -L "$file" ] || rm -f "$file" ;;
	esac
done

# What the workload is not to have of the fast node goes to huge pages that nobody can move (some systems move locked
# memory too); the workload locks away the rest, less than one of them. But where all memory is to be huge pages it
# locks away some more, which takes the pages that lie scattered: what is left is whole.
scattered=0
[ "$bench_huge" != yes ] || scattered=10
echo 1 >/proc/sys/vm/compact_memory
free=$(awk '/MemFree/ { print $4 }' /sys/devices/system/node/node0/meminfo)
echo $((free / 2048 - bench_keep / 2 - 1 - scattered)) >/sys/devices/system/node/node0/hugepages/hugepages-2048kB/nr_hugepages
echo "reserved_huge $(cat /sys/devices/system/node/node0/hugepages/hugepages-2048kB/nr_hugepages)" >/tmp/reserved

cat >/start.sh <<END
set -e
$(export -p | grep bench_)
vmstat() { awk -v name="\$1" '\$1 == name { print \$2 }' /proc/vmstat; }
tuned() { echo "\$bench_tune" | tr , '\n' | awk -F= -v name="\$1" -v value="\$2" '\$1 == name { value = \$2 } END { print value }'; }
. /system.sh
system_start
END
moved=$(vmstat pgmigrate_success)
failed=$(vmstat pgmigrate_fail)
status=0
# shellcheck disable=SC2046 # options are words
"$bench_workload" --size "$bench_size" --seed "$bench_seed" --keep-free "$bench_keep" --reserve "$bench_reserve" \
	--run "$bench_run" --window "$bench_window" $(echo "$bench_options" | tr , ' ') --start 'sh /start.sh' \
	>/tmp/out || status=$?
{
	cat /tmp/out /tmp/reserved
	echo "moved_pages $(($(vmstat pgmigrate_success) - moved))"
	echo "failed_pages $(($(vmstat pgmigrate_fail) - failed))"
	echo "threads_ns $(thread_ns '^(tc_ksampled|tc_kmigrated.*|kdamond.*|kswapd.*)$')"
	echo "release $(uname -r)"
	system_tell
} >/dev/ttyS2
exit "$status"
