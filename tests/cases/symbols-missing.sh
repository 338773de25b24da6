# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: 6.12
# break: module/kernel/symbols.c s/return ambiguous ? -ENOTUNIQ : -ENOENT;/return 0;/
# Hides each name of the module's table of kernel symbols in turn. Without a required one it refuses to load and
# names it; without an optional one it loads, says what it lacks, and shows the name as absent.

load_pmu
load_module
sed '/^#/d' "$tc_debugfs/symbols" >/tmp/symbols
unload_module

required=0 optional=0
while read -r name kind need matches entry _; do
	if [ "$need" = optional ] && ! grep -q " $name\$" /proc/kallsyms; then
		expect_eq "$name, which this kernel does not have" "$matches $entry" "0 absent"
		continue
	fi
	expect_eq "matches of $name" "$matches" 1
	[ "$entry" != absent ] || fail "$name ($kind) is absent on this kernel"
	case $need in
	required)
		refuse_module "hide_symbols=$name"
		expect_dmesg "symbol $name is not in this kernel"
		required=$((required + 1))
		;;
	optional)
		load_module "hide_symbols=other,$name"
		expect_dmesg "symbol $name is not in this kernel: going without"
		grep -q "^$name $kind optional 0 absent" "$tc_debugfs/symbols" || fail "$name is not shown as absent"
		unload_module
		optional=$((optional + 1))
		;;
	*)
		fail "need of $name is '$need'"
		;;
	esac
done </tmp/symbols
expect_ge "required symbols tried" "$required" 3
expect_ge "optional symbols tried" "$optional" 1

# the beginning of a name is not the name
load_module hide_symbols=migrate,pages,migrate_pages_sync
unload_module
