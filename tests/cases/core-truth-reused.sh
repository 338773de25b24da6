# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/move/mover.c s/(!candidate->owner || tc_folio_owner(folio) == candidate->owner)/true/
# Pages that wait to be demoted are freed, and their frames are another process's: that one's pages are new, and do not
# leave in the place of those that were judged.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000
parameter settings "demote_watermark_bp=5000 rate_limit_mib=1"
pages=$(($(node_value 0 free) - $(node_value 0 keep_free) + 8192))
holder old
holder old map "$pages" 0
wait_until 90 feeding 64 20 0 at_least 4096 node_value 0 queued
# nothing leaves, and no pass goes on, while the pages change hands
parameter mode observe
holder old frames >/tmp/old
holder old quit
passes=$(node_value 0 passes)

holder new
holder new map "$pages" 0
holder new frames >/tmp/new
same=$(sort /tmp/old /tmp/new | uniq -d | wc -l)
note "$same of $pages frames are the same, $(node_value 0 queued) pages wait"
expect_ge "frames that are the same" "$same" $((pages / 2))
parameter settings "rate_limit_mib=0 mode=tier"
# how many of those that wait are of the old process depends on where others lie
wait_until 60 at_least 64 stat demote_skip_changed
stop_moves
expect_eq passes "$(node_value 0 passes)" "$passes"
# the tag of one in 255 is the same by chance
note "$(holder new on 1) pages of the new process left, $(stat demote_skip_changed) were found changed"
[ "$(holder new on 1)" -le $((pages / 100 + 64)) ] || fail "$(holder new on 1) pages of the new process left"
expect_moves_agree
unload_module
