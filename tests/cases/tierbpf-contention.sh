# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=256M slow=256M
# timeout: 400
# quick: no
# break: module/policy/contention.c s/(was_high \&\& over_bp >= (u64)high_bp \* 3 \/ 4)/was_high/
# break: module/engine/tier.c s/return config->slow_idle_ns;/return 1;/
# break: module/engine/tier.c s/WRITE_ONCE(tier->kind, .*/;/
# What samples say of slow memory: its level of contention follows their latencies, up and down; the direction of its traffic
# follows loads and stores; an idle latency that is set counts instead of one that was learned; and what has no latency
# yet is not known.

cycles=/sys/kernel/debug/simpmu/cxl_cycles

level_is() {
	holder far feed 0 512 1
	[ "$(stat contention_level)" = "$1" ]
}
traffic_is() {
	feed 512 1 1 "$2"
	[ "$(tier 1 traffic)" = "$1" ]
}

quiet_kernel
load_pmu
load_module mode=observe ring_slots=65536 cpu_limit_bp=0
holder far
holder far map 4096 1
expect_eq "level without a sample" "$(stat contention_level) $(tier 1 traffic) $(tier 1 latency_ns)" "0 unknown 0"
wait_until 60 level_is 1
idle=$(tier 1 idle_ns)
note "idle: $idle ns"
expect_ge "idle latency" "$idle" 10
expect_eq "latency of what is idle" "$(tier 1 latency_ns)" "$idle"
expect_eq "TLB misses" "$(tier 1 tlb_miss_bp)" 0
expect_eq "traffic" "$(tier 1 traffic)" read
expect_ge "KiB a second" "$(tier 1 read_kib_s)" 1

# 1.3 times, 3 times, 1.3 times, and idle
echo 663 >$cycles
wait_until 60 level_is 2
echo 1530 >$cycles
wait_until 60 level_is 3
status_says "contention: high" || fail "the status does not say that slow memory is pressed"
echo 663 >$cycles
wait_until 60 level_is 2
echo 510 >$cycles
wait_until 60 level_is 1
expect_eq "idle latency" "$(tier 1 idle_ns)" "$idle"

# half of it, as the operator knows it: what is seen is twice as much
parameter slow_idle_ns $((idle / 2))
wait_until 60 level_is 3
expect_eq "idle latency" "$(tier 1 idle_ns)" $((idle / 2))
parameter slow_idle_ns 0
wait_until 60 level_is 1

echo Y >/sys/kernel/debug/simpmu/tlb_miss
missing() {
	level_is 1
	[ "$(tier 1 tlb_miss_bp)" = 10000 ]
}
wait_until 60 missing
wait_until 60 traffic_is write store
unload_module
