# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 900
# break: module/track/heatmap.c s/return tc_split_region_alone(.*/return false;/
# break: module/engine/split.c s/tc_flight_region(result->from),/0,/
# Huge pages that were split and are made whole again: it is noticed, though they are other page frames now, they are
# left alone for a while, and after that they may be split again.

quiet_kernel
load_pmu
load_module mode=observe adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50
holder big
holder big huge 1024 1
holder big bind 1
expect_eq "huge pages" "$(holder big hugepages)" 2
holder big fill 7
echo never >/sys/kernel/mm/transparent_hugepage/enabled
parameter mode tier

# feeding_big CMD...: feeds samples, then asks CMD
feeding_big() {
	holder big feed-pieces 0 16 40
	"$@"
}
wait_until 200 at_least 2 feeding_big stat split_done
expect_eq "huge pages after the splits" "$(holder big hugepages)" 0
parameter mode observe
holder big collapse 0 1024
expect_eq "huge pages again" "$(holder big hugepages)" 2
expect_eq split_recollapsed "$(stat split_recollapsed)" 0
wait_until 100 at_least 2 feeding_big stat split_recollapsed
parameter mode tier
wait_until 300 at_least 2 feeding_big stat split_left_alone
expect_eq split_recollapsed "$(stat split_recollapsed)" 2
expect_eq "huge pages split meanwhile" "$(stat split_done)" 2
expect_eq "huge pages left alone" "$(holder big hugepages)" 2
parameter split_alone_s 1
wait_until 300 at_least 3 feeding_big stat split_done
expect_eq "pages with another byte" "$(holder big check 7 0 1024)" 0
unload_module
