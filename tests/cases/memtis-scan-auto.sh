# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 240
# break: module/track/scan.c s/scan->round_young++;/return;/
# Without a PMU the module looks at accessed bits instead and says so: pages that a program uses again and again are
# sampled and come up, those that it does not use are not. The looks take no more of a CPU than they may. All of it goes
# with the module, in the midst of its work.

# milliseconds
clock() {
	awk '{ printf "%d\n", $1 * 1000 }' /proc/uptime
}

quiet_kernel
start=$(clock)
load_module adaptation_samples=1000 kmigrated_ms=50 scan_limit_bp=1000
why="no hardware sampling: this machine has no PMU ibs_op and no Intel CPU; scanning accessed bits instead"
expect_dmesg "$why"
status_says "sampler: scan ($why)" || fail "the status does not say what samples, and why"
status_says "mode: tier" || fail "the status does not say tier"
expect_eq "state of the first ring" "$(awk '$1 == 0 { print $2, $3 }' "$tc_debugfs/samplers")" "scan on"

holder used
holder used map 2048 1
holder unused
holder unused map 2048 1
using() {
	holder used touch 0 2048 -1
	[ "$(holder used on 0)" -ge 1844 ]
}
wait_until 120 using
note "on the fast node: $(holder used on 0) used, $(holder unused on 0) unused"
expect_eq "unused pages that came up" "$(holder unused on 0)" 0
expect_ge scan_looks "$(stat scan_looks)" "$(stat scan_young)"
expect_ge samples_received "$(stat samples_received)" 2048

# one tenth of a CPU is allowed, and what was begun may be finished
busy=$(($(stat scan_busy_us) / 1000)) passed=$(($(clock) - start))
note "the scanner used $busy of $passed ms"
expect_ge "ms that the scanner may use" $((passed * 12 / 100 + 100)) "$busy"

# paused: nobody looks
parameter mode off
looks=$(stat scan_looks)
expect_eq "state of the first ring when off" "$(awk '$1 == 0 { print $3 }' "$tc_debugfs/samplers")" paused
holder used touch 0 2048 -1
expect_eq "looks when off" "$(stat scan_looks)" "$looks"
parameter mode tier
wait_until 60 at_least $((looks + 1000)) stat scan_looks
stop_moves
expect_moves_agree
parameter mode tier
unload_module
