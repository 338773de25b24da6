# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 600
# quick: no
# break: module/move/split.c s/if (!request->pieces || !tc_split_paths_available())/if (true)/
# break: module/move/split.c s/page = tc_next_piece(request->pieces, page + (1U << request->order));/page = TC_BLOCK_PAGES;/
# On kernels that can split around a page, only the path to the hot pieces gets small: of a huge page with one hot piece of
# 64 KiB the rest stays as large as halving leaves it, and of one with two, what lies between. On 6.12 all of it gets small.

mthp=/sys/kernel/mm/transparent_hugepage
huge=4
sizes() {
	for kb in 64 128 256 512 1024; do
		cat "$mthp/hugepages-${kb}kB/stats/nr_anon"
	done | tr '\n' ' '
}
# since BEFORE: how many more there are of each size
since() {
	for after in $(sizes); do
		before=${1%% *}
		set -- "${1#* }"
		echo $((after - before))
	done | tr '\n' ' '
}

quiet_kernel
load_pmu
load_module mode=observe split=tierbpf split_gate=off adaptation_samples=1000 ring_slots=65536 kmigrated_ms=50 cpu_limit_bp=0 gate=off
for name in one two; do
	holder $name
	holder $name huge $((huge * 512)) 1
	holder $name fill 9
done
echo never >$mthp/enabled
# the last piece; and the first and the last: of the other half each leaves 64, 128, 256 and 512 KiB
feed_one() {
	holder one feed-pieces 496 16 "$1"
}
feed_two() {
	holder two feed-pieces 0 16 "$1"
	holder two feed-pieces 496 16 "$1"
}
one() {
	feed_one 1
	[ "$(holder one pieces-on 0 496 16)" = $((huge * 16)) ]
}
two() {
	feed_two 1
	[ "$(holder two pieces-on 0 0 16) $(holder two pieces-on 0 496 16)" = "$((huge * 16)) $((huge * 16))" ]
}
for name in one two; do
	before=$(sizes)
	parameter mode observe
	taken_in feed_$name 8
	parameter mode tier
	wait_until 120 $name
	stop_moves
	got=$(since "$before")
	note "$name: $got"
	if awk '$1 == "folio_split" { exit $5 == "absent" }' "$tc_debugfs/symbols"; then
		case $name in
		one) wanted="$((2 * huge)) $huge $huge $huge $huge " ;;
		two) wanted="$((4 * huge)) $((2 * huge)) $((2 * huge)) $((2 * huge)) 0 " ;;
		esac
	else
		wanted="$((32 * huge)) 0 0 0 0 "
	fi
	expect_eq "folios of 64, 128, 256, 512 and 1024 KiB" "$got" "$wanted"
	expect_eq "pages with another byte" "$(holder $name check 9 0 $((huge * 512)))" 0
done
expect_moves_agree
expect_eq "pieces promoted" "$(stat split_pieces_promoted)" $((3 * huge))
# the heat map has each folio in the size that it has
expect_eq "pages in the histogram" "$(binned 0)" "$(awk '!/^#/ { sum += $2 } END { print sum }' "$tc_debugfs/base_histogram")"
unload_module
