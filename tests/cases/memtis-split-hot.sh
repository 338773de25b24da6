# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 900
# break: module/policy/split.c s/return 0;$/return TC_BLOCK_ORDER;/
# break: module/track/heatmap.c s/tc_block_rebin(block, &map->heat, head, order);/tc_block_drop(block, \&map->heat, head, 1U << order);/
# break: module/move/split.c s/folio_unlock(folio);/folio_unlock(folio); folio_get(folio);/
# Huge pages, twice as many as the budget of fast memory holds, in each of which one piece of 64 KiB is hot, some on the
# slow node and some on the fast one: what is hot comes to fast memory and what is not leaves it, which only splits can
# do. Every byte is what it was, the kernel counts as many splits as the module, and all pages are freed in the end.

# anonymous: pages that are anonymous memory, also those that nobody maps
anonymous() {
	echo 1 >/proc/sys/vm/stat_refresh
	echo $(($(vmstat nr_active_anon) + $(vmstat nr_inactive_anon)))
}

quiet_kernel
anonymous_before=$(anonymous)
load_pmu
load_module mode=observe adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50 demote_watermark_bp=5000
low=64
high=96
hot=$(((low + high) * 16))
holder low
holder low huge $((low * 512)) 1
holder high
holder high huge $((high * 512)) 0
expect_eq "huge pages" "$(holder low hugepages) $(holder high hugepages)" "$low $high"
holder low fill 7
holder high fill 8
# khugepaged must not make them whole again
echo never >/sys/kernel/mm/transparent_hugepage/enabled
splits=$(vmstat thp_split_page)

# hot_share: of 100 hot pages, so many are in fast memory
hot_share() {
	holder low feed-pieces 0 16 8
	holder high feed-pieces 0 16 8
	echo $((($(holder low pieces-on 0 0 16) + $(holder high pieces-on 0 0 16)) * 100 / hot))
}
expect_bytes() {
	expect_eq "pages with another byte" "$(holder low check 7 0 $((low * 512)))" 0
	expect_eq "pages with another byte" "$(holder high check 8 0 $((high * 512)))" 0
}
parameter mode tier
wait_until 300 at_least 90 hot_share
# the first page of a huge page is hot, and in the slow node's huge pages it had to move
stop_moves
expect_moves_agree
grep -hE 'split.*[1-9]$|_bp|moved_pages|base' "$tc_debugfs/stats" "$tc_debugfs/thresholds" | sed 's/^/# /' >&2
done=$(stat split_done)
expect_ge "huge pages split" "$done" 16
expect_eq "huge pages split, by the kernel" $(($(vmstat thp_split_page) - splits)) "$done"
expect_eq "huge pages left" $(($(holder low hugepages) + $(holder high hugepages))) $((low + high - done))
expect_ge "cold pages that left" "$(stat demote_moved_pages)" 4096
expect_eq "split_tried" "$(stat split_tried)" \
	"$(awk '/^split_(done|advised|skip_|fail_)/ { sum += $2 } END { print sum }' "$tc_debugfs/stats")"
expect_eq "pages freed" "$(stat split_zero_pages)" 0
expect_bytes
unload_module
expect_bytes
# a page of which a reference is left would stay
holder low quit
holder high quit
wait_until 60 at_most $((anonymous_before + done / 2)) anonymous
