# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# The guest's half of capture: has the module move pages up and down, and prints its files to /dev/ttyS2.
set -eu
# shellcheck source=../cases/lib.sh
. /lib.sh

load_pmu
load_module adaptation_samples=1000
wait_until 60 feeding 2048 20 1 at_least 1024 stat promote_moved
dd if=/dev/zero of=/dev/shm/cold bs=4k count=$(($(node_value 0 free) - $(node_value 0 keep_free) / 2)) 2>/dev/null
lacking() {
	echo $(($(node_value 0 keep_free) - $(node_value 0 free)))
}
wait_until 60 feeding 256 20 0 at_most 0 lacking

# save FILE: binary ones are left out
save() {
	[ -r "$1" ] && [ -f "$1" ] || return 0
	echo "= $1"
	sed 's/^/|/' "$1" 2>/dev/null || true
	echo
}

{
	for file in "$tc_debugfs"/* "$tc_parameters"/* /sys/module/thermocline/version \
		/sys/devices/virtual/memory_tiering/memory_tier*/nodelist /sys/devices/system/node/has_* \
		/proc/sys/kernel/numa_balancing /proc/sys/kernel/osrelease /sys/kernel/mm/numa/demotion_enabled \
		/sys/kernel/security/lockdown; do
		save "$file"
	done
	echo "= /proc/cpuinfo"
	grep -E '^(vendor_id|flags)' /proc/cpuinfo | head -n 2 | sed 's/^/|/'
	echo "= /proc/kallsyms"
	awk '!/^#/ { print $1 }' "$tc_debugfs/symbols" | while read -r name; do
		grep -E " $name\$" /proc/kallsyms | sed 's/^/|/'
	done
	for mark in /sys/bus/event_source/devices/ibs_op/type /sys/kernel/btf/vmlinux; do
		echo "= $mark"
	done
} >/dev/ttyS2
