# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/move/mover.c s/^\t\t\t  TC_OUTCOME_MOVED);/\t\t\t  TC_OUTCOME_GONE);/
# Each trace event appears, with fields that fit what the module counts: thresholds, coolings, the decision on every
# candidate with its reason, and the batches.

tracing=/sys/kernel/tracing
echo 16384 >"$tracing/buffer_size_kb"
quiet_kernel
load_pmu
load_module adaptation_samples=1000 cooling_samples=5000 kmigrated_ms=50 mode=observe
echo 1 >"$tracing/events/thermocline/enable"
parameter mode tier

expect_stays promote_skip_mempolicy wish anon bind stay
stop_moves
expect_moves_agree
echo 0 >"$tracing/events/thermocline/enable"
grep -o 'tc_[a-z]*: .*' "$tracing/trace" >/tmp/trace
expect_eq "events lost" "$(cat "$tracing"/per_cpu/cpu*/stats | awk '/overrun/ { sum += $2 } END { print sum + 0 }')" 0

# events NAME: the fields of each event of that name, one event a line
events() {
	sed -n "s/^$1: //p" /tmp/trace
}

expect_ge "threshold events" "$(events tc_thresholds | wc -l)" 5
if events tc_thresholds |
	grep -vE '^hot_bin=([1-9]|1[0-5]) warm_bin=[0-9]+ hot_pages=[0-9]+ budget_pages=[1-9][0-9]*$'; then
	fail "the threshold events above"
fi
expect_eq "coolings in the last cooling event" \
	"$(events tc_cooling | sed -n '$s/coolings=\([0-9]*\) samples=[1-9].*/\1/p')" \
	"$(value_of "$tc_debugfs/thresholds" coolings)"

expect_eq "decisions for the fast node" "$(events tc_decision | grep -c 'from=1 to=0')" "$(stat promote_tried)"
expect_eq "decisions for the slow node" "$(events tc_decision | grep -c 'from=0 to=1')" "$(stat demote_tried)"
expect_eq "decisions against a policy" "$(events tc_decision | grep -c 'to=0 outcome=skip_mempolicy')" \
	"$(stat promote_skip_mempolicy)"
expect_ge "decisions to move" "$(events tc_decision | grep -c 'order=0 from=1 to=0 outcome=moved')" 256
slow_start=$(awk '/^Node/ { node = $2 } /start_pfn/ && node == "1," && !start { start = $2 }
	END { print start }' /proc/zoneinfo)
events tc_decision | sed -n 's/pfn=\(0x[0-9a-f]*\) .*from=1 .*/\1/p' | while read -r pfn; do
	expect_ge "page frame of a candidate on the slow node" $((pfn)) "$slow_start"
done

# batch_sum PATTERN: the sum of what the pattern finds in the batch events
batch_sum() {
	events tc_batch | sed -n "s/$1.*/\\1/p" | awk '{ sum += $1 } END { print sum + 0 }'
}

expect_eq "pages moved up in batch events" "$(batch_sum 'to=0 .*moved_pages=\([0-9]*\)')" \
	"$(stat promote_moved_pages)"
expect_eq "folios tried in batch events" "$(batch_sum '.*tried=\([0-9]*\)')" "$(tc_tried)"
unload_module
