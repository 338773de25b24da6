# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=320M slow=512M
# timeout: 600
# break: module/engine/touch.c s/!tc_touch_now.two_touch ||//
# Policy tpp with two_touch=off: one touch promotes, whatever heat that makes. With two_touch=on it does not.

quiet_kernel
load_pmu
load_module policy=tpp two_touch=off ring_slots=65536 cpu_limit_bp=0 gate=off kmigrated_ms=50
holder far
holder far map 4096 1
on_fast() {
	holder far on 0 "$@"
}
holder far feed 0 512 1
wait_until 60 at_least 500 on_fast 0 512

parameter two_touch on
processed=$(stat samples_processed)
holder far feed 1024 512 1
wait_until 60 at_least $((processed + 512)) stat samples_processed
expect_eq "pages taken up at one touch" "$(node_value 1 queued)" 0
expect_eq "pages that came up at one touch" "$(on_fast 1024 512)" 0
stop_moves
expect_moves_agree
unload_module
