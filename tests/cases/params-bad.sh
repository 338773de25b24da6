# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 1200
# quick: 6.12
# break: module/ui/params.c s/value > param->maximum/false/
# Bad values of every parameter, when loading and while running: refused with a message that names the parameter,
# and the old value stays. The numbers' bounds come from the module's own description of its parameters.

load_pmu
tr '\0' '\n' </thermocline.ko | sed -n 's/^parm=\([a-z_]*\):.*, \([0-9]*\)\.\.\([0-9]*\), default \([0-9]*\)).*/\1 \2 \3 \4/p' \
	>/tmp/numbers
expect_ge "parameters with bounds" "$(wc -l </tmp/numbers)" 5

# refused_at_load NAME VALUE
refused_at_load() {
	refuse_module "$1=$2"
	said "thermocline: $1: " || said "thermocline: $1=" || fail "$1=$2 was refused without a word about $1"
}

# refused_at_run NAME VALUE
refused_at_run() {
	before=$(parameter "$1")
	if parameter "$1" "$2" 2>/dev/null; then
		fail "$1 took '$2' while running"
	fi
	expect_eq "$1 after '$2' was refused" "$(parameter "$1")" "$before"
}

writable() {
	[ -n "$(find "$tc_parameters/$1" -perm -200)" ]
}

bad_numbers() { # LOW HIGH
	[ "$1" = 0 ] || echo $(($1 - 1))
	echo "$(($2 + 1)) -1 abc 1x 0x 18446744073709551616 99999999999999999999999"
}

while read -r name low high default; do
	for value in $(bad_numbers "$low" "$high") ''; do
		refused_at_load "$name" "$value"
	done
	note "$name: $low to $high"
done </tmp/numbers
refused_at_load ibs_period 16337
refused_at_load ibs_period 16320
refused_at_load ring_slots 1000
refused_at_load mode fast
refused_at_load mode ''
refused_at_load sampler pebs
refused_at_load fast_nodes 7
refused_at_load fast_nodes x
refused_at_load slow_nodes 1-
refused_at_load sample_cpus 512-600
refused_at_load sample_cpus ''
refuse_module fast_nodes=0 slow_nodes=0
expect_dmesg "node 0 is in fast_nodes and in slow_nodes"

load_module
tried=0
while read -r name low high default; do
	expect_eq "default of $name" "$(parameter "$name")" "$default"
	writable "$name" || continue
	for value in $(bad_numbers "$low" "$high") ''; do
		refused_at_run "$name" "$value"
	done
	tried=$((tried + 1))
done </tmp/numbers
expect_ge "writable numbers tried" "$tried" 3
refused_at_run mode bogus
refused_at_run mode ''
refused_at_run ibs_period 16320

# and good ones are taken
parameter ibs_period 2096
expect_eq ibs_period "$(parameter ibs_period)" 2096
while read -r name low high default; do
	case $name in ibs_period) continue ;; esac
	writable "$name" || continue
	for value in "$low" "$high" "$default"; do
		parameter "$name" "$value"
		expect_eq "$name" "$(parameter "$name")" "$value"
	done
done </tmp/numbers
unload_module
