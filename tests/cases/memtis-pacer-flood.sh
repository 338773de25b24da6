# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M machine=yes
# programs: zipf
# quick: no
# timeout: 600
# break: module/policy/pacer.c /^static void lengthen/,/^}/s/p->step + 1/p->step/
# A workload on the simulated machine under the finest period: the period becomes longer on legal steps until sampling
# takes no more than it may, and comes back when the workload is gone.

quiet_kernel
load_pmu
load_module mode=observe ibs_period=176 cpu_limit_bp=300
period() {
	sed -n 's/^sampler: .* period //p' "$tc_debugfs/status"
}
# is this 16 times a prime?
legal() {
	[ $(($1 % 16)) = 0 ] && [ "$(factor $(($1 / 16)) | wc -w)" = 2 ]
}
# sampling gives way to the rest of the module, but keeps half of the limit
under_limit() {
	may=$((30000 - $(stat pacer_other_ppm)))
	[ "$(stat pacer_sampling_ppm)" -le $((may < 15000 ? 15000 : may)) ]
}
zipf --size 32 --run 100000000 >/dev/null 2>&1 &
workload=$!
wait_until 120 at_least 8 stat pacer_step
expect_eq "refused" "$(stat pacer_refused)" 0
legal "$(period)" || fail "period $(period) is not 16 times a prime"
wait_until 240 under_limit
received=$(stat samples_received)
wait_until 120 at_least $((received + 100)) stat samples_received
kill -0 "$workload" || fail "the workload ended too early"
peak=$(stat pacer_step)
note "$(grep '^pacer:' "$tc_debugfs/status")"
kill "$workload"
wait_until 240 at_most $((peak - 3)) stat pacer_step
expect_ge "steps back" "$(stat pacer_shorter)" 3
legal "$(period)" || fail "period $(period) is not 16 times a prime"
unload_module
