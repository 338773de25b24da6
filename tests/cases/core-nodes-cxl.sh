# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=768M slow=0 cxl=512M
# quick: no
# timeout: 900
# modules: cxl_pci cxl_mem cxl_acpi dax_cxl kmem
# break: module/engine/node.c s/\*is_fast = !tc_symbol_found(TC_SYMBOL_node_is_toptier) ||/*is_fast = true ||/
# A CXL memory device comes up while the module observes: the kernel's drivers make a region of it and bring it online
# as a node in a tier of its own. The module takes the node as slow and promotes hot pages from it. Then the memory
# goes offline again, and the module observes.

cxl=/sys/bus/cxl/devices

# cxl_device KIND: the first of the kernel's CXL devices whose name begins so
cxl_device() {
	find "$cxl/" -name "$1*" | sort | sed -n '1s,.*/,,p'
}

cxl_has() {
	[ -n "$(cxl_device "$1")" ]
}

# make_region SIZE: volatile memory of the one device, in the window that the firmware made for it
make_region() {
	window=$(cxl_device decoder0.) decoder=$(cxl_device decoder2.)
	region=$(cat "$cxl/$window/create_ram_region")
	echo "$region" >"$cxl/$window/create_ram_region"
	echo 256 >"$cxl/$region/interleave_granularity"
	echo 1 >"$cxl/$region/interleave_ways"
	echo ram >"$cxl/$decoder/mode"
	echo "$1" >"$cxl/$decoder/dpa_size"
	echo "$1" >"$cxl/$region/size"
	echo "$decoder" >"$cxl/$region/target0"
	echo 1 >"$cxl/$region/commit"
	echo "$region" >/sys/bus/cxl/drivers/cxl_region/bind
}

all_blocks_offline() {
	for block in $(memory_blocks 1); do
		[ "$(cat "$block/state")" = offline ] || echo offline >"$block/state" || return
	done
}

echo online_movable >/sys/devices/system/memory/auto_online_blocks
quiet_kernel
load_pmu
load_module adaptation_samples=1000
status_says "mode: observe" || fail "the status does not say observe"
status_says "reduced: tier was asked for, but this machine has one memory tier" ||
	fail "the status does not say why"

insert_modules
wait_until 120 cxl_has decoder2.
make_region 0x20000000
wait_until 60 node_is_there 1
wait_until 20 status_says "mode: tier"
expect_eq "tier of node 1" "$(node_value 1 tier)" slow
expect_eq "target of node 1" "$(node_value 1 target)" 0
expect_eq "pages of node 1" "$(node_value 1 managed)" 131072

holder hot
holder hot map 1024 1
wait_until 120 heating hot 8 at_least 900 holder hot on 0
expect_ge "pages moved from node 1" "$(node_value 1 moved_pages)" 900
stop_moves
expect_moves_agree

parameter mode tier
wait_until 60 all_blocks_offline
wait_until 20 status_says "mode: observe"
unload_module
