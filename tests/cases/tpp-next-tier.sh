# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=384M slow=64M,64M
# quick: no
# timeout: 900
# break: module/engine/headroom.c s/return next == NUMA_NO_NODE ? target : next;/return target;/
# Demotion when the node that pages of fast memory go to is full: they go to the next one.

quiet_kernel
load_pmu
load_module policy=tpp ring_slots=65536 adaptation_samples=1000 cooling_samples=100000000 cpu_limit_bp=0 \
	demote_watermark_bp=3000 gate=off kmigrated_ms=50 mode=observe
near=$(node_value 0 target)
other=$((3 - near))
holder pulse
holder pulse map 64 0
holder old
holder old map $(($(node_value 0 free) - $(node_value 0 keep_free) / 4)) 0
holder old fill 3
moved() {
	holder old on "$other"
}
has_headroom() {
	[ "$(node_value 0 free)" -ge "$(node_value 0 keep_free)" ]
}
expect_ge "pages to demote beyond what the first node has" $(($(node_value 0 keep_free) - $(node_value 0 free) - \
	$(node_value "$near" free))) 2048
parameter mode tier
wait_until 250 heating pulse 20 has_headroom
note "of old: $(holder old on "$near") on node $near, $(moved) on node $other"
expect_ge "pages demoted to the next node" "$(moved)" 1024
expect_eq "pages with a wrong byte" "$(holder old check 3 0 "$(holder old pages)")" 0
stop_moves
expect_moves_agree
unload_module
