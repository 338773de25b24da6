# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 600
# quick: no
# break: module/engine/ksampled.c s/tc_granularity_wants(node, block, folio, sample))$/false)/
# break: module/engine/granularity.c s/if (!left)/if (true)/
# Policy tpp with split=tierbpf: a huge page that is touched again and of which one piece is hot is split, and that piece comes
# up; what is touched again everywhere comes up whole.

quiet_kernel
load_pmu
load_module mode=observe policy=tpp two_touch=off split=tierbpf split_gate=off adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50 cpu_limit_bp=0 gate=off
for name in skewed even; do
	holder $name
	holder $name huge 1024 1
	holder $name fill 6
done
echo never >/sys/kernel/mm/transparent_hugepage/enabled
taken_in holder skewed feed-pieces 32 32 8
taken_in holder even feed 0 1024 2
parameter mode tier
up() {
	holder skewed feed-pieces 32 32 1
	holder even feed 0 1024 1
	[ "$(holder skewed pieces-on 0 32 32) $(holder even on 0)" = "64 1024" ]
}
wait_until 120 up
stop_moves
expect_moves_agree
grep -E 'granularity|split_order' "$tc_debugfs/stats" | sed 's/^/# /' >&2
expect_eq "huge pages split" "$(stat split_order_5) $(stat split_done)" "2 2"
expect_eq "cold pages that stayed" "$(holder skewed pieces-on 1 64 448)" 896
expect_eq "huge pages" "$(holder even hugepages)" 2
expect_eq "pages with another byte" "$(holder skewed check 6 0 1024) $(holder even check 6 0 1024)" "0 0"
unload_module
