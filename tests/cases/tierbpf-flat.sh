# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 600
# quick: no
# break: module/policy/entropy.c s/return e->entropy_bp >= TC_FLAT_BP || e->chi <= TC_UNIFORM_CHI;/return false;/
# break: module/policy/granularity.c s/if (g->evenness.samples >= TC_BLOCK_SAMPLES_MIN) {/if (true) {/
# Huge pages that are used evenly, or of which too few samples tell: they are promoted whole, and none is split. One of which
# single pages are hot, scattered, has no piece that is worth a split either.

quiet_kernel
load_pmu
load_module mode=observe split=tierbpf split_gate=off adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50 cpu_limit_bp=0 gate=off
for name in even few spread; do
	holder $name
	holder $name huge 2048 1
done
echo never >/sys/kernel/mm/transparent_hugepage/enabled
profiles() {
	holder even feed 0 2048 2
	# every 24th page: no 64 KiB have more than one
	for page in $(seq 0 24 511); do
		holder spread feed-pieces "$page" 1 8
	done
	holder few feed-pieces 0 12 4
}
taken_in profiles
parameter mode tier
up() {
	holder even feed 0 2048 1
	holder few feed-pieces 3 1 1
	holder spread feed-pieces 24 1 1
	[ "$(holder even on 0) $(holder few on 0) $(holder spread on 0)" = "2048 2048 2048" ]
}
wait_until 120 up
stop_moves
expect_moves_agree
grep -E 'granularity' "$tc_debugfs/stats" | sed 's/^/# /' >&2
expect_ge "found flat" "$(stat granularity_flat)" 4
expect_ge "found of too few samples" "$(stat granularity_few)" 4
expect_ge "found without a dense piece" "$(stat granularity_sparse)" 1
expect_eq "splits tried" "$(stat split_tried)" 0
expect_eq "huge pages" "$(holder even hugepages) $(holder few hugepages) $(holder spread hugepages)" "4 4 4"
unload_module
