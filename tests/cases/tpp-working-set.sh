# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=320M slow=128M
# quick: no
# timeout: 900
# break: module/policy/usage.c s/needed += (here \* tally->sampled\[bin\] + tally->samples\[bin\] - 1) \//needed += (tally->samples[bin] * tally->sampled[bin]) \//
# break: module/engine/usage.c s/if (t->closes)$/if (false)/
# break: module/engine/usage.c s/unsigned long changed = tc_groups_rank(&t->groups);/unsigned long changed = 0;/
# break: module/ui/temperature.c s/tracked << tc_usage.shift/tracked/
# The working set of a cgroup, how few pages take 90, 95 and 99 % of its samples in a window, is what known samples
# ask for. Of many cgroups those with the most samples have lines of their own, and all lines add up. With one page
# in 16 tracked, the estimates are within what their error allows.

groups=/sys/fs/cgroup
echo +memory >"$groups/cgroup.subtree_control"

# cgroup NAME: makes it; prints its identifier
cgroup() {
	mkdir "$groups/$1"
	# shellcheck disable=SC2012 # the name is known
	ls -di "$groups/$1" | awk '{ print $1 }'
}
# working_set ID
working_set() {
	temperature "$1" anon samples sampled once ws_90 ws_95 ws_99
}

quiet_kernel
load_pmu
skewed=$(cgroup skewed)
even=$(cgroup even)
within skewed holder skewed
holder skewed map 500 0
within even holder even
holder even map 64 0
load_module temperature_step=1 temperature_unit_s=6 adaptation_samples=1000 ring_slots=65536 cpu_limit_bp=0 mode=observe

# 20 pages of 100 samples, 80 of 10 and 400 of 1. 90 % of 3200 are 2880: 20 and 80 pages, and 80. 64 pages of 4: 90 %
# of 256 are 231 samples, of 58 pages
holder skewed feed 0 20 100
holder skewed feed 20 80 10
holder skewed feed 100 400 1
holder even feed 0 64 4
wait_until 60 prints "3200 500 400 180 340 468" working_set "$skewed"
wait_until 60 prints "256 64 0 58 61 64" working_set "$even"

# the window is over: it stays in the table until the next one is, which has no samples
wait_until 150 at_least 1 stat temperature_windows
expect_eq "working set of the window" "$(working_set "$skewed")" "3200 500 400 180 340 468"
wait_until 150 prints "0 0 0 0 0 0" working_set "$skewed"
expect_eq "samples of pages that no window had" "$(stat temperature_dropped)" 0

# sums: is a column of all cgroups together that of the machine?
sums() {
	awk -v columns="$*" '
		/^#/ { sub(/.*: /, ""); for (i = 1; i <= NF; i++) at[$i] = i; n = split(columns, column, " "); next }
		$2 == "all" { for (i = 1; i <= n; i++) sum[i] += $1 == "machine" ? -$at[column[i]] : $at[column[i]]; lines++ }
		END { for (i = 1; i <= n; i++) bad += sum[i] != 0; exit bad || lines < 3 }' "$tc_debugfs/temperature"
}
expect_sums_up() {
	sums pages within_1 within_2 within_5 within_10 longer fresh again_1 samples sampled once ||
		fail "the lines of the cgroups are not those of the machine: $(grep -w all "$tc_debugfs/temperature")"
}
has_line() {
	[ "$(temperature "$1" anon pages)" -gt 0 ]
}

# 15 cgroups more: there are lines for 15 in all, and the root is there too
expect_sums_up
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	last=$(cgroup "many$i")
	within "many$i" holder "many$i"
	holder "many$i" map 20 0
	holder "many$i" feed 0 20 1
done
wait_until 60 has_line other
expect_eq "pages of the last one in a line of its own" "$(temperature "$last" anon pages)" 0
expect_sums_up
# with the most samples of a window it gets a line, and the least sampled one loses its own
holder many15 feed 0 20 50
wait_until 150 has_line "$last"
expect_ge "pages of the others" "$(temperature other all pages)" 20
expect_sums_up

# one page in 16: an estimate within five times its error, sqrt(16384 * 15). Which cgroup gets a line is chance while none has
# samples, so there are few.
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	holder "many$i" quit
done
wide=$(cgroup wide)
within wide holder wide
holder wide map 16384 0
parameter temperature_step 16
wait_until 20 prints 16 stat temperature_step
wait_until 60 at_least 1 stat temperature_passes
holder wide feed 0 16384 1
wait_until 60 at_least 900 stat temperature_samples
passes=$(stat temperature_passes)
wait_until 60 at_least $((passes + 2)) stat temperature_passes
for estimate in $(temperature "$wide" anon within_10 pages samples); do
	note "16384 is estimated as $estimate"
	expect_ge "an estimate of 16384" "$estimate" $((16384 - 5 * 496))
	expect_ge "16384 and five errors" $((16384 + 5 * 496)) "$estimate"
done
unload_module
