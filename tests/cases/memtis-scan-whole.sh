# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 400
# break: module/engine/split.c s/tc_split_available() && tc_sampler_sees_parts()/tc_split_available()/
# The scanner looks at few pages of each huge page, and finds the accessed bit of the whole: so only these few seem to
# be hot. No huge page is split for that.

quiet_kernel
load_module sampler=scan mode=advise adaptation_samples=200 cooling_samples=100000000 scan_limit_bp=3000 scan_ms=200
holder used
holder used huge 8192 1
expect_eq "huge pages" "$(holder used hugepages)" 16
using() {
	holder used touch 0 8192 -1
	"$@"
}
wait_until 300 using at_least 4 stat split_windows
note "$(grep ^scan_ "$tc_debugfs/stats" | tr '\n' ' ')$(grep -E 'r_bp|gap' "$tc_debugfs/thresholds" | tr '\n' ' ')"
expect_ge "gap between estimated and real hit ratio, in 1/10000" "$(value_of "$tc_debugfs/thresholds" gap_bp)" 500
expect_eq "huge pages wanted to be split" "$(stat split_wanted)" 0
expect_eq "huge pages tried to be split" "$(stat split_tried)" 0
unload_module
