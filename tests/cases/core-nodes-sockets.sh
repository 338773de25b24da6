# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M,512M slow=384M,384M
# quick: no
# timeout: 300
# break: module/engine/node.c s/node_distance(from->nid, node->nid) < node_distance(from->nid, best)/false/
# Two sockets, each with fast and slow memory of its own: pages go up and down within their socket.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 ring_slots=65536 cooling_samples=100000000
while read -r node tier target; do
	expect_eq "tier of node $node" "$(node_value "$node" tier)" "$tier"
	expect_eq "target of node $node" "$(node_value "$node" target)" "$target"
done <<END
0 fast 2
1 fast 3
2 slow 0
3 slow 1
END

for slow in 2 3; do
	holder "up$slow"
	holder "up$slow" map 2048 "$slow"
done
wait_until 60 heating up2 4 at_least 1900 holder up2 on 0
wait_until 60 heating up3 4 at_least 1900 holder up3 on 1
expect_eq "pages of the first socket that went to the second" "$(holder up2 on 1)" 0
expect_eq "pages of the second socket that went to the first" "$(holder up3 on 0)" 0

for fast in 0 1; do
	# each on a processor of its socket; what does not fit there goes elsewhere by itself
	taskset $((1 << fast)) holder "down$fast"
	holder "down$fast" map $(($(node_value "$fast" free) - $(node_value "$fast" keep_free) / 2)) -1
	eval "below$fast=$(holder "down$fast" on $((fast + 2))) across$fast=$(holder "down$fast" on $((3 - fast)))"
	eval "lacked$fast=$(lacking $fast)"
done
expect_ge "pages that the first fast node lacks" "$lacked0" 100
expect_ge "pages that the second fast node lacks" "$lacked1" 100
wait_until 90 feeding 64 20 0 at_least $((below0 + lacked0 / 2)) holder down0 on 2
wait_until 90 feeding 64 20 0 at_least $((below1 + lacked1 / 2)) holder down1 on 3
expect_eq "pages of the first socket that sank in the second" "$(holder down0 on 3)" "$across0"
expect_eq "pages of the second socket that sank in the first" "$(holder down1 on 2)" "$across1"
stop_moves
expect_moves_agree
unload_module
