# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=empty monitor=yes
# quick: no
# timeout: 240
# break: module/track/offline.c s/^\t\ttc_memory_changed();/\t\tbreak;/
# A DIMM is plugged into a node that had no memory while the module runs: it becomes a slow node and is used. Then it
# is pulled out, and the module observes.

quiet_kernel
load_pmu
load_module adaptation_samples=1000
status_says "mode: observe" || fail "the status does not say observe"
plug_memory 1 512M
wait_until 20 status_says "mode: tier"
expect_eq "tier of node 1" "$(node_value 1 tier)" slow
expect_eq "target of node 1" "$(node_value 1 target)" 0
expect_eq "target of node 0" "$(node_value 0 target)" 1
wait_until 60 feeding 2048 8 1 at_least 1024 stat promote_moved

# down too
mount -o remount,size=100% /dev/shm
# more and more of a file that nobody reads, until the head-room is gone or pages sink already
above_headroom() {
	echo $(($(node_value 0 free) - $(node_value 0 keep_free)))
}
fill_fast_memory() {
	until at_most 0 above_headroom || at_least 300 stat demote_moved; do
		dd if=/dev/zero bs=4k count=$(($(above_headroom) / 2 + 256)) 2>/dev/null >>/dev/shm/cold
	done
	feed 64 20 0
}
fills_until() {
	fill_fast_memory
	"$@"
}
wait_until 90 fills_until at_least 300 stat demote_moved
rm /dev/shm/cold

monitor "device_del dimm0"
wait_until 60 status_says "mode: observe"
if node_is_there 1; then
	fail "node 1 still has memory"
fi
stop_moves
expect_moves_agree
unload_module
