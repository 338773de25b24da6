# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 600
# quick: no
# break: module/policy/admit.c s/traffic == TC_TRAFFIC_READ \&\& page == TC_PAGE_WRITE/false/
# break: module/engine/admit.c s/ ||$/ || true ||/
# break: module/engine/kmigrated.c s/bool admit = node->fast ||/bool admit = true ||/
# Duplex admission: while slow memory is moderately pressed and its traffic is read-dominant, pages that are written stay there and
# pages that are read come up; once the pressure is gone, those that stayed come up too. At a high level, with duplex=half and with
# duplex=off nothing is held back, and off has no memory.

cycles=/sys/kernel/debug/simpmu/cxl_cycles

quiet_kernel
load_pmu
load_module mode=observe duplex=full ring_slots=65536 adaptation_samples=1000 kmigrated_ms=50 cpu_limit_bp=0 gate=off
holder read
holder read map 512 1
holder far
holder far map 8192 1
# it stays there, and its reads are the traffic
holder far bind 1

expect_eq "bytes in a mode that does not decide" "$(stat duplex_bytes)" 0
level_is() {
	holder far feed 0 1024 1
	[ "$(stat contention_level)" = "$1" ]
}
wait_until 60 level_is 1
# by a quarter
echo 640 >$cycles
wait_until 60 level_is 2
parameter mode tier
expect_ge "bytes of the filters" "$(stat duplex_bytes)" 131072
expect_eq "traffic" "$(tier 1 traffic)" read

# reading goes on while 256 pages are written, again and again, and 512 are read
held_back() {
	holder far feed 0 4096 2
	holder read feed 0 512 12
	feed 256 12 1 store
	[ "$(stat duplex_read_write)" -ge 200 ]
}
wait_until 120 held_back
expect_eq "traffic" "$(tier 1 traffic)" read
expect_eq "not admitted" "$(stat duplex_prevented)" "$(stat duplex_read_write)"
expect_ge "counted as such" "$(stat promote_skip_policy)" 200
read_up() {
	holder read feed 0 512 12
	[ "$(holder read on 0)" -ge 500 ]
}
wait_until 120 read_up
expect_ge "read-heavy pages asked about" "$(stat duplex_read_read)" 200

# at a high level, and when it is half-duplex or off, it is not asked
free_to_go() {
	holder far feed 0 4096 1
	moved=$(stat promote_moved)
	feed 256 12 1 store
	[ "$(stat promote_moved)" -ge $((moved + 128)) ]
}
echo 1530 >$cycles
wait_until 60 level_is 3
prevented=$(stat duplex_prevented)
wait_until 120 free_to_go
expect_eq "not admitted at a high level" "$(stat duplex_prevented)" "$prevented"
echo 640 >$cycles
wait_until 60 level_is 2
for duplex in half off; do
	parameter duplex $duplex
	expect_eq "bytes of the filters" "$(stat duplex_bytes)" 0
	prevented=$(stat duplex_prevented)
	wait_until 120 free_to_go
	expect_eq "not admitted with duplex=$duplex" "$(stat duplex_prevented)" "$prevented"
done
parameter duplex full
expect_ge "bytes of the filters" "$(stat duplex_bytes)" 131072
parameter mode off
expect_eq "bytes in mode off" "$(stat duplex_bytes)" 0
parameter mode observe
expect_moves_agree
unload_module
