# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# break: module/track/folio.h s/return 1 + place % 255;/return 1 + place % 1;/
# Pages that were hot are freed and given to another process at once: at their first sample there they are as warm as
# one sample makes them.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000 mode=observe
pages=4096
holder first
holder first map "$pages" 1
holder first feed 0 "$pages" 8
wait_until 10 at_least "$pages" binned 12
holder first frames | sort >/tmp/first
holder second
holder first drop 0 "$pages"
# all but a part of the node, so that the freed frames are among them
all=$(($(node_value 1 free) - 24000))
holder second map "$all" 1
holder second frames | sort >/tmp/second
reused=$(sort -m /tmp/first /tmp/second | uniq -d | wc -l)
expect_ge "page frames with a new owner" "$reused" $((pages / 8))

# the ring holds so many
feed_all() {
	first=0 accounted=$(stat samples_accounted)
	while [ "$first" -lt "$all" ]; do
		nr=$((all - first < 16384 ? all - first : 16384))
		holder second feed "$first" "$nr" 1
		first=$((first + nr))
		wait_until 20 at_least $((accounted + first)) stat samples_accounted
	done
}
feed_all
# what was not reused is still shown until the next sweep; of what was, a new tag is equal by chance once in 255
hot=$(($(binned 12) - (pages - reused)))
note "$reused page frames reused, $hot of them still hot"
[ "$hot" -le $((reused / 50)) ] || fail "$hot of $reused reused page frames are hot"
unload_module
