# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=empty monitor=yes
# quick: no
# timeout: 600
# break: module/track/heatmap.c s/if (!pfn_to_online_page(index << TC_BLOCK_ORDER))/if (false)/;s/if (tc_block_empty(block) && !entry->scanned)/if (false)/
# Memory blocks of the slow node go offline and come back, again and again, while pages move up from it. Taking a
# block offline succeeds as it does without the module, the module goes on moving, and the heat map forgets the blocks
# of memory that is gone.

rounds=4
plug_memory 1 512M
quiet_kernel

# each_block_goes_and_comes: prints how many of the blocks went offline; all are online afterwards
each_block_goes_and_comes() {
	gone=0
	for block in $(memory_blocks 1); do
		if echo offline >"$block/state" 2>/dev/null; then
			gone=$((gone + 1))
			echo online_movable >"$block/state"
		fi
	done
	echo "$gone"
}

expect_eq "blocks that went without the module" "$(each_block_goes_and_comes)" 4

load_pmu
load_module adaptation_samples=4000 ring_slots=65536 cooling_samples=100000000 kmigrated_ms=50
sh -c 'while [ ! -e /tmp/stop ]; do feed 8192 4 1; done' >/dev/null 2>&1 &
wait_until 60 at_least 1000 stat promote_moved
gone=0
for round in $(seq "$rounds"); do
	gone=$((gone + $(each_block_goes_and_comes)))
	note "round $round: $gone blocks went offline so far, $(stat promote_moved) pages promoted"
done
# one in eight may lose against a page that is just then in use
expect_ge "blocks that went with the module" "$gone" $((rounds * 4 * 7 / 8))
expect_eq "mode" "$(sed -n 's/^mode: //p' "$tc_debugfs/status")" tier
moved=$(stat promote_moved)
wait_until 60 at_least $((moved + 1000)) stat promote_moved
touch /tmp/stop
wait

stop_moves
expect_moves_agree

# heat of 32 blocks of the slow node, and no other pages with heat
holder heat
holder heat map 16384 1
holder heat feed 0 16384 1
wait_until 20 at_least 16384 binned 1
wait_until 60 at_most 16500 binned 1
before=$(stat heatmap_blocks)
for block in $(memory_blocks 1); do
	echo offline >"$block/state"
done
wait_until 40 at_most $((before - 28)) stat heatmap_blocks
note "heat map: $before blocks before the slow memory went, $(stat heatmap_blocks) after"
unload_module
