# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# break: module/track/heatmap.c s/tc_block_warm(block, .*//
# Hot pages are collapsed into a huge page, which is other memory: at its first sample it has the heat of its parts. A
# huge page without such a past has the heat of its one sample.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000 mode=observe
holder young
holder young huge 512 1
expect_eq "huge pages of the control" "$(holder young hugepages)" 1
holder young feed 0 1 1
wait_until 10 at_least 512 binned 1
expect_eq "bin of one sample" "$(binned 2)" 0
expect_eq heatmap_rebound "$(stat heatmap_rebound)" 0

holder old
holder old map 512 1
holder old feed 0 512 8
wait_until 10 at_least 512 binned 12
frame=$(holder old frames 0 1)
holder old collapse 0 512
expect_eq "huge pages" "$(holder old hugepages)" 1
[ "$(holder old frames 0 1)" != "$frame" ] || fail "the huge page is in the same place"
holder old feed 0 1 1
wait_until 10 at_least 1 stat heatmap_rebound
expect_eq heatmap_rebound "$(stat heatmap_rebound)" 1
# the old places are found empty by the next sweep
wait_until 40 at_most 512 binned 2
expect_eq "hot pages after the collapse" "$(binned 12)" 512
unload_module
