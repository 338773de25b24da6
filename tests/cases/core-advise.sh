# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: yes
# timeout: 240
# break: module/move/mover.c s/if (mover->dry_run)/if (mover->dry_run \&\& candidate->pfn \& 1)/
# break: module/engine/kmigrated.c s/^\ttc_batch_advised(worker);//
# Mode advise decides, counts and traces for both directions, and moves nothing; what it advised counts as done, so it
# does not advise more than there is need for. The same samples move pages when the mode becomes tier.

quiet_kernel
load_pmu
load_module mode=advise adaptation_samples=1000 kmigrated_ms=50
status_says "mode: advise" || fail "the status does not say advise"
tracing=/sys/kernel/tracing
echo 1 >"$tracing/events/thermocline/tc_decision/enable"

wish anon none stay >/tmp/wish &
wait_until 60 at_least 256 stat promote_advised
kill $!
parameter demote_watermark_bp 5000
need=1000
holder cold
holder cold map $(($(node_value 0 free) - $(node_value 0 keep_free) + need)) 0
begin=$(tc_now)
wait_until 120 feeding 512 20 0 at_least 64 stat demote_advised
for _ in $(seq 10); do
	feed 512 20 0 >/dev/null
	sleep 1
done
# what is in waiting, the feeder's pages and a batch beyond it; and a scrub, every half minute, begins anew
most=$(((need + 2048) * (($(tc_now) - begin) / 30 + 2)))
note "$(stat demote_advised) of $(holder cold pages) pages are advised to leave in $(($(tc_now) - begin)) s, $need had to"
[ "$(stat demote_advised)" -le "$most" ] || fail "$(stat demote_advised) pages are advised to leave, at most $most would do"
expect_ge "cold pages" "$(holder cold pages)" $((most * 2))
holder cold quit

for direction in promote demote; do
	expect_eq "${direction}_moved when advising" "$(stat "${direction}_moved")" 0
	expect_eq "${direction}_moved_pages when advising" "$(stat "${direction}_moved_pages")" 0
done
expect_eq "pages that the kernel moved" "$(kernel_moved numa_misplaced)" "$tc_own_moves"
feed 512 20 1 | tee /tmp/feed
grep -q '^after: node0=0 node1=512' /tmp/feed || fail "pages left the slow node when advising"
for way in 'from=1 to=0' 'from=0 to=1'; do
	grep -q "tc_decision: .*$way outcome=advised" "$tracing/trace" || fail "no advice to move $way in the trace"
done
if grep -q 'outcome=moved' "$tracing/trace"; then
	fail "the trace has a page that was taken when advising"
fi
expect_sums

parameter demote_watermark_bp 200
parameter mode tier
expect_goes wish anon none go
stop_moves
expect_moves_agree
unload_module
