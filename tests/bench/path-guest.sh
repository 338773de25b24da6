# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck disable=SC2154 # path_*: words of the kernel's command line
# The guest's half of tests/bench/path: per measurement a freshly loaded module, the samples, and what the module
# and the kernel say afterwards. What the host needs goes to /dev/ttyS2, each line with the measurement's number.
# It knows the knobs; sizes come in by the kernel's command line.

debugfs=/sys/kernel/debug/thermocline

# table FILE NAME: a value of a table of the module
table() {
	awk -v name="$2" '$1 == name { print $2 }' "$debugfs/$1"
}

# slab NAME: bytes of an object with its share of what its slab leaves unused
slab() {
	slab=/sys/kernel/slab/$1
	page=4096
	echo "$((page << $(cat "$slab/order"))) $(cat "$slab/objs_per_slab")" | awk '{ printf "%.1f\n", $1 / $2 }'
}

# Where the module's functions and those of its neighbours are: who owns an address follows from it.
symbols() {
	echo "text $(cat /sys/module/thermocline/sections/.text)"
	awk '$2 ~ /^[tTwW]$/ && $4 { print "symbol", $1, $3, $4 }' /proc/kallsyms
}

slabs() {
	echo "block_bytes $(slab thermocline_block)"
	echo "node_bytes $(slab radix_tree_node)"
}

# measure PAGES
measure() {
	insmod /thermocline.ko mode=observe
	echo "empty_bytes $(table stats heatmap_bytes)"
	echo "empty_blocks $(table stats heatmap_blocks)"
	pathload "$1" "$path_samples" || return
	echo "adaptations $(table thresholds adaptations)"
	echo "coolings $(table thresholds coolings)"
	slabs
	symbols
	rmmod thermocline
}

[ ! -e /proc/sys/kernel/numa_balancing ] || echo 0 >/proc/sys/kernel/numa_balancing
echo "$path_rate" >/proc/sys/kernel/perf_event_max_sample_rate
insmod /simpmu.ko
run=0
status=0
for pages in $(echo "$path_pages" | tr , ' '); do
	run=$((run + 1))
	measure "$pages" >/tmp/out || status=1
	sed "s/^/$run /" /tmp/out >/dev/ttyS2
done
echo "0 release $(uname -r)" >/dev/ttyS2
exit "$status"
