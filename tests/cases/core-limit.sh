# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/track/heatmap.c s/if (!map->max_blocks)/if (true)/
# break: module/track/heatmap.c s/tc_heatmap_shrink(map, blocks, TC_EVICT_ROUND);/;/
# A limit for the heat map's memory is held at every moment, the coldest blocks go, and the hot pages are promoted all
# the same. Without the limit the same load needs more, and a limit that is set later shrinks the map.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000 mode=observe
limit=192
holder wide
holder wide map 81920 1
holder wide feed 0 81920 1
wait_until 20 at_least $((limit * 1024 + 32768)) stat heatmap_bytes
expect_eq "heatmap_evicted without a limit" "$(stat heatmap_evicted)" 0
note "without a limit: $(stat heatmap_bytes) bytes"
# a limit that comes later makes the map smaller, without a sample
parameter heatmap_limit_kib "$limit"
wait_until 20 at_most $((limit * 1024)) stat heatmap_bytes
unload_module

load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000 heatmap_limit_kib="$limit"
holder hot
holder hot map 2048 1
{
	while [ ! -e /tmp/stop ]; do stat heatmap_bytes; done >/tmp/bytes
} &
for _ in 1 2 3; do
	holder wide feed 0 81920 1
	holder hot feed 0 2048 16
done
wait_until 60 heating hot 4 at_least 1900 holder hot on 0
touch /tmp/stop
wait $!
most=$(sort -n /tmp/bytes | tail -n 1)
note "$(wc -l </tmp/bytes) readings, at most $most bytes; $(stat heatmap_evicted) blocks evicted"
expect_ge "readings" "$(wc -l </tmp/bytes)" 20
[ "$most" -le $((limit * 1024)) ] || fail "the heat map had $most bytes, the limit is $((limit * 1024))"
expect_ge heatmap_evicted "$(stat heatmap_evicted)" 100
stop_moves
expect_moves_agree
unload_module
