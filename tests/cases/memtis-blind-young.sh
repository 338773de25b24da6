# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=288M slow=512M
# quick: no
# timeout: 400
# break: module/engine/cursor.c s/cursor->young++;/return true;/
# The blind spot: samples come from a few pages only. Fast memory is full of pages that a program uses and that were
# never sampled, and of some that nobody uses. When head-room is needed, those that are not used leave, and no other.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000 cpu_limit_bp=0

# what is unused lies on both sides of it, so that the cursor comes by
holder unused1
holder unused1 map 6144 0
# The rest is used, but for what lies above head-room, and as much again: the kernel's own reclaim stays asleep.
holder used
holder used map $(($(node_value 0 free) - 2 * $(node_value 0 keep_free) - 6144)) -1
holder unused2
holder unused2 map 6144 0
used=$(holder used pages) before=$(holder used on 0)
expect_ge "used pages on the fast node" "$before" $((used * 9 / 10))
# Then head-room is wanted for more pages than are in anybody else's hands.
parameter demote_watermark_bp $((($(node_value 0 free) + 14000) * 10000 / $(node_value 0 managed)))
expect_ge "pages that the fast node lacks" $(($(node_value 0 keep_free) - $(node_value 0 free))) 13000

# touches what is used, more often than the cursor passes, while samples come from elsewhere
using() {
	holder used touch 0 "$used" -1
	feeding 64 20 0 "$@"
}
has_headroom() {
	[ "$(node_value 0 free)" -ge "$(node_value 0 keep_free)" ]
}
wait_until 150 using has_headroom
stop_moves
left=$((12288 - $(holder unused1 on 0) - $(holder unused2 on 0)))
note "of the unused, $left left of 12288; looks: $(grep ^unsampled_ "$tc_debugfs/stats" | tr '\n' ' ')"
expect_ge unsampled_young "$(stat unsampled_young)" 100
expect_ge "used pages still in fast memory" "$(holder used on 0)" $((before * 995 / 1000))
expect_ge "unused pages that left" "$left" 100
expect_moves_agree
unload_module
