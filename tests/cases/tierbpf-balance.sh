# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=320M slow=512M
# timeout: 900
# quick: no
# break: module/engine/headroom.c s/if (!node || (node->fast && tc_balance_stops(config)))/if (!node)/
# break: module/engine/headroom.c s/config->demote_watermark_bp + tc_balance_reserve_bp(config)/config->demote_watermark_bp/
# break: module/policy/balance.c s/if (!settled || ++b->windows/if (++b->windows/
# break: module/policy/balance.c s/tc_write_once(b->stopped, false);/;/
# Policy balance: hot pages come up while fast memory is the quicker one. When its loaded latency is the higher one, as the samples
# tell, no page comes up any more, and memory leaves it, a step at a time, each after the one before was made. When it is the
# quicker one again, all of that is taken back, and pages come up.

dram=/sys/kernel/debug/simpmu/dram_cycles

quiet_kernel
load_pmu
load_module policy=balance ring_slots=65536 adaptation_samples=1000 kmigrated_ms=50 cpu_limit_bp=0 gate=off
holder near
holder near map 36000 0
for name in first second third; do
	holder $name
	holder $name map 512 1
done
holder far
holder far map 4096 1
# both tiers have samples of their latency in each window
both() {
	holder near feed 0 512 1
	holder far feed 0 64 1
	feed 512 1 1
}
up() {
	both
	holder "$1" feed 0 512 2
	[ "$(holder "$1" on 0)" -ge 500 ]
}
wait_until 120 up first
expect_eq "stopped" "$(stat balance_stopped) $(stat balance_reserve_bp)" "0 0"

# the head-room is just there: what is to be given away has to leave
parameter demote_watermark_bp $(($(node_value 0 free) * 10000 / $(node_value 0 managed)))
# five times as long as slow memory takes
echo 2550 >$dram
stopped() {
	both
	[ "$(stat balance_stopped)" = 1 ]
}
wait_until 60 stopped
sleep 1
moved=$(stat promote_moved_pages)
free=$(node_value 0 free)

# raised BP: and no step before the last one was made, within a window's time
raised() {
	both
	holder second feed 0 512 2
	reserve=$(stat balance_reserve_bp)
	[ "$reserve" -ge "$1" ]
}
for bp in 200 400 600; do
	wait_until 120 raised $bp
	lacks=$(lacking 0)
	note "reserve $reserve bp, lacking $lacks pages, $(stat balance_steps) steps"
	# a step is 2 % of the node
	[ "$lacks" -le $(($(node_value 0 managed) * 5 / 200)) ] ||
		fail "a step was made before the one before: $lacks pages lack"
done
expect_eq "pages that came up meanwhile" "$(stat promote_moved_pages)" "$moved"
expect_ge "pages that left, and are free" "$(node_value 0 free)" $((free + $(node_value 0 managed) * 3 / 100))

echo 240 >$dram
back() {
	both
	[ "$(stat balance_stopped) $(stat balance_reserve_bp)" = "0 0" ]
}
parameter demote_watermark_bp 200
wait_until 120 back
wait_until 120 up third
stop_moves
expect_moves_agree
unload_module
