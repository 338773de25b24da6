# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 400
# break: module/track/scan.c s/folio_entire_mapcount(folio) > 0/folio_entire_mapcount(folio) < 0/
# Huge pages have one accessed bit, which counts for all of their parts: one that is used is as hot as small pages that
# are, comes up, and stays huge. One that is not used stays where it is.

quiet_kernel
load_module sampler=scan mode=observe adaptation_samples=1000 cooling_samples=100000000 kmigrated_ms=50 \
	scan_limit_bp=3000 scan_ms=200
holder used
holder used huge 4096 1
holder unused
holder unused huge 4096 1
expect_eq "huge pages" "$(holder used hugepages)" 8

using() {
	holder used touch 0 4096 -1
	"$@"
}
# each look that finds it used is one sample a page: after eight, it is in bin 12, as one of 4 KiB with eight samples is
wait_until 120 using at_least 4096 binned 11
note "$(grep ^scan_ "$tc_debugfs/stats" | tr '\n' ' ')"
parameter mode tier
came_up() {
	[ "$(holder used on 0)" = 4096 ]
}
wait_until 120 using came_up
stop_moves
expect_eq "huge pages after the move" "$(holder used hugepages)" 8
expect_eq "unused pages that came up" "$(holder unused on 0)" 0
expect_moves_agree
unload_module
