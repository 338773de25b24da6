# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=320M slow=128M
# quick: no
# timeout: 900
# modules: brd crc32c_generic? ext4
# break: module/engine/usage.c s/again\[slot\]\[tc_folio_type(folio)\]\[again\]++/again[slot][TC_PAGE_ANON][again]++/
# break: module/track/page_type.h s/if (folio_test_swapbacked(folio))/if (false)/
# break: module/track/page_type.h s/id = cgroup_id(memcg->css.cgroup);/id = TC_CGROUP_ROOT;/
# break: module/policy/usage.c s/return ticks < 10 \* TC_USE_TICKS ? TC_SPAN_10 : TC_SPAN_LONGER;/return TC_SPAN_LONGER;/
# break: module/ui/temperature.c s/within += tally->accessed\[i\];/within = tally->accessed[i];/
# The table of memory by page type: of known anonymous, tmpfs, file and page cache memory of a cgroup, the pages that
# are there, those sampled within 1, 2, 5 and 10 units of time, and the intervals between two samples of a page.

groups=/sys/fs/cgroup
echo +memory >"$groups/cgroup.subtree_control"
mkdir "$groups/typed"
# shellcheck disable=SC2012 # the name is known
id=$(ls -di "$groups/typed" | awk '{ print $1 }')

make_disk
quiet_kernel
load_pmu
load_module temperature_step=1 temperature_unit_s=16 adaptation_samples=1000 cpu_limit_bp=0 mode=observe

within typed holder anon
holder anon map 500 0
within typed holder shared
holder shared shared 200 0
within typed holder mapped
holder mapped file 150 0
within typed holder cache
holder cache file 100 1

# row TYPE COLUMN...: of the cgroup
row() {
	temperature "$id" "$@"
}
again() {
	row "$1" again_1 again_2 again_5 again_10 again_longer
}
# charged NAME: pages that the kernel has counted for the cgroup
charged() {
	cat /proc/sys/vm/stat_refresh
	awk -v name="$1" '$1 == name { print $2 / 4096 }' "$groups/typed/memory.stat"
}
# what the file system itself reads for the files is page cache of the cgroup too
agrees() {
	[ "$(row anon pages), $(row all pages)" = "$(charged anon), $(($(charged anon) + $(charged file)))" ]
}

unmapped() {
	echo "$(row file_mapped pages) $(row page_cache longer within_10)"
}

# the kernel has the sampled memory of the processes themselves on its lists only when told; clean page cache that nobody
# maps goes then
holder shared feed 0 40 3
holder mapped feed 0 30 1
holder cache feed 10 20 1
holder anon feed 100 150 1
sync
echo 1 >/proc/sys/vm/drop_caches
wait_until 60 agrees
expect_eq "mapped pages" "$(row file_mapped pages fresh within_10)" "250 200 50"
holder cache unmap 0 100
wait_until 60 prints "150 0 20" unmapped
expect_ge "page cache" "$(row page_cache pages)" 100
expect_ge "page cache that the kernel counts" $(($(charged file) - 200 - 150)) "$(row page_cache pages)"
expect_eq "anonymous pages with samples" "$(row anon within_10)" 150
expect_eq "pages of tmpfs" "$(row shmem pages longer fresh within_10)" "200 0 160 40"
expect_eq "mapped pages" "$(row file_mapped pages longer fresh within_10)" "150 0 120 30"
expect_eq "all pages with samples" "$(row all within_10)" 240
expect_eq "samples, pages with samples, with one" "$(row all samples sampled once)" "320 240 200"
expect_eq "intervals" "$(again anon), $(again file_mapped)" "0 0 0 0 0, 0 0 0 0 0"

# 150 others: 10 of them again within the unit, 20 when they were last sampled more than 1 unit ago, and so on
holder anon feed 300 150 1
wait_until 20 at_least $(($(tc_now) + 2)) tc_now
holder anon feed 300 10 1
wait_until 150 at_most 10 row anon within_1
expect_ge "pages with samples within 2 units" "$(row anon within_2)" 150
holder anon feed 310 20 1
wait_until 150 at_most 30 row anon within_2
holder anon feed 330 30 1
wait_until 150 at_most 60 row anon within_5
holder anon feed 360 40 1
wait_until 150 at_most 100 row anon within_10
holder anon feed 400 50 1
holder mapped feed 0 30 1
wait_until 60 prints "10 20 30 40 50" again anon
wait_until 60 prints "0 0 0 0 30" again file_mapped
expect_eq "intervals of all" "$(again all | cut -d' ' -f2-)" "20 30 40 80"
wait_until 60 prints "200 0 0 200 0" row shmem pages within_5 within_10 longer fresh
expect_eq "pages without memory for them" "$(stat temperature_no_memory)" 0

# without it there is no table and no memory for it
parameter temperature off
wait_until 20 prints 0 stat temperature_bytes
expect_eq "lines without it" "$(grep -vc '^#' "$tc_debugfs/temperature" || true)" 0
unload_module
