# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=256M
# quick: no
# timeout: 600
# modules: brd crc32c_generic? ext4
# break: module/engine/touch.c s/if (!slow)/if (true)/
# break: module/alloc/filemap.c s/if (outcome == TC_ALLOC_SLOW) {/if (false) {/
# File cache with the livepatch and policy tpp: it begins on the slow node; what is touched twice comes up with its bytes,
# what is touched once or not at all stays there.

pages=2048
make_disk
quiet_kernel
load_pmu
load_module policy=tpp ring_slots=65536 cpu_limit_bp=0 gate=off kmigrated_ms=50
load_alloc
holder cache
holder cache file $pages -1
holder cache fill 7
on_slow() {
	holder cache on 1 "$@"
}
expect_eq "pages that began on the slow node" "$(on_slow)" $pages

# touches FIRST NR: once each, taken in
touches() {
	before=$(stat samples_processed)
	holder cache feed "$1" "$2" 1
	wait_until 60 at_least $((before + $2)) stat samples_processed
}
touches 0 1024
touches 0 512
# the kernel may hold a few while it writes them
wait_until 120 at_most 12 on_slow 0 512
expect_eq "pages touched once or not at all that left" "$((pages - 512 - $(on_slow 512 $((pages - 512)))))" 0
expect_eq "pages with a wrong byte" "$(holder cache check 7 0 $pages)" 0
stop_moves
expect_moves_agree
unload_alloc
unload_module
