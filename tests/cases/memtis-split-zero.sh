# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 900
# break: module/move/split.c s/freed += !page_ref_count(page + i);/freed += !page_ref_count(page);/
# break: module/move/split.c s/freed = !folio_mapped(first) \&\& folio_test_anon(first)/freed = 0/
# Huge pages of which all but a hot piece in the middle holds only zeroes: after a split the zeroes take no memory any
# more, the process has just so many pages less as the module says, and reads what it read before.

quiet_kernel
load_pmu
load_module mode=observe adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50 demote_watermark_bp=5000
huge=32
# what is locked is no part of the budget: leave fast memory 16 MiB of it
holder filler
filler=$((($(node_value 0 free) - $(node_value 0 keep_free) - 4096) / 512 * 512))
holder filler huge "$filler" 0
holder filler lock 0 "$filler"
holder big
holder big huge $((huge * 512)) 1
expect_eq "huge pages" "$(holder big hugepages)" "$huge"
echo never >/sys/kernel/mm/transparent_hugepage/enabled
holder big fill 7
i=0
while [ "$i" -lt "$huge" ]; do
	holder big clear $((i * 512)) 64
	holder big clear $((i * 512 + 80)) 432
	i=$((i + 1))
done
pages=$(holder big anonymous)

# some_split: huge pages split so far
some_split() {
	holder big feed-pieces 64 16 8
	stat split_done
}
parameter mode tier
wait_until 300 at_least 6 some_split
stop_moves
expect_moves_agree
done=$(stat split_done)
note "split: $done, pages: $pages before, $(holder big anonymous) after"
expect_eq "pages of zeroes freed" "$(stat split_zero_pages)" $((done * 496))
expect_eq "pages that are gone" $((pages - $(holder big anonymous))) $((done * 496))
i=0
while [ "$i" -lt "$huge" ]; do
	expect_eq "pages with another byte" "$(holder big check 7 $((i * 512 + 64)) 16)" 0
	i=$((i + 1))
done
expect_eq "pages that are not zero" "$(holder big nonzero 0 $((huge * 512)))" $((huge * 16))
unload_module
