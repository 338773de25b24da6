# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=320M slow=512M
# quick: no
# timeout: 1200
# break: module/engine/headroom.c s/need\[bin\] = tc_above(/need[bin] = 0 * tc_above(/
# break: module/engine/headroom.c s/return max(share,/return max(share * 0,/
# Policy tpp: fast memory is full of memory that nobody uses. Without the module bursts of new memory are born in slow
# memory. With it they are born in fast memory, burst after burst, as demotion keeps up; and as they are used, they stay.

quiet_kernel
load_pmu
load_module policy=tpp mode=observe ring_slots=65536 adaptation_samples=1000 cooling_samples=100000000 cpu_limit_bp=0 \
	demote_watermark_bp=2000
holder near
holder near map 64 0
low=$(zones 0 low) keep=$(node_value 0 keep_free)
expect_ge keep_free "$keep" $(($(node_value 0 managed) * 2000 / 10000))
expect_ge "head-room beyond what the kernel lets nobody have" $((keep - low)) 1024
# below the low watermark the kernel takes other nodes first
holder old
holder old map $(($(node_value 0 free) - low + 2048)) -1
expect_ge "pages that fast memory had no room for" "$(holder old on 1)" 1

bursts='1 2 3 4'
step=$(((keep - low) / 2))
all=$((step * 4))
# in_fast NAME: of all its bursts, the pages in fast memory
in_fast() {
	sum=0
	for burst in $bursts; do
		sum=$((sum + $(holder "$1$burst" on 0)))
	done
	echo "$sum"
}
# allocate NAME CMD...: a burst each time that CMD has come true; each of its pages is used twice
allocate() {
	name=$1 born=0
	shift
	for burst in $bursts; do
		wait_until 300 "$@"
		holder "$name$burst"
		holder "$name$burst" map "$step" -1
		born=$((born + $(holder "$name$burst" on 0)))
		sample_once "$name$burst" "$step"
		sample_once "$name$burst" "$step"
	done
}
has_headroom() {
	[ "$(node_value 0 free)" -ge "$(node_value 0 keep_free)" ]
}

# with the module at rest there is nothing to wait for
allocate without true
born_without=$born
for burst in $bursts; do
	holder "without$burst" quit
done

parameter mode tier
allocate with heating near 20 has_headroom
wait_until 300 heating near 20 has_headroom
stop_moves
stayed=$(in_fast with)
note "of $all pages in bursts of $step, born in fast memory: $born_without without the module, $born with it; $stayed are there" \
	"in the end, after $(stat demote_moved_pages) were demoted and $(stat promote_moved_pages) promoted"
expect_ge "pages of bursts born in fast memory" "$born" $((all * 9 / 10))
expect_ge "pages of bursts that stayed there" "$stayed" $((all * 9 / 10))
expect_ge "of two with the module, those for each one without" "$born" $((born_without * 2))
expect_moves_agree
unload_module
