# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 900
# break(crash): module/engine/engine.c /^void tc_engine_stop/,/^}/s/tc_takeover_stop();/;/
# break: module/engine/takeover.c /^void tc_takeover_apply/,/^}/s/tc_takeover_end();/;/
# The module is unloaded, and the takeover switched, while NUMA balancing asks about pages of a program that uses them:
# nothing stays behind, the kernel promotes afterwards, and no page is wrong.

pages=6000
knob /proc/sys/kernel/numa_balancing 0
for setting in scan_delay_ms scan_period_min_ms scan_period_max_ms; do
	knob "/sys/kernel/debug/sched/numa_balancing/$setting" 20
done
knob /sys/kernel/debug/sched/numa_balancing/hot_threshold_ms 60000
load_pmu
holder used
holder used map $pages 1

# Until it is told to stop, a program writes pages that are on slow memory at first and reads them again; how many it found
# wrong each time is in a file.
(
	seed=0
	while [ ! -e /tmp/stop ]; do
		seed=$((seed + 1))
		holder used drop 0 $pages
		holder used touch 0 $pages 1
		holder used fill $seed
		for _ in 1 2 3 4 5 6; do
			holder used check $seed 0 $pages
		done
	done >/tmp/wrong
) &
user=$!

# load SAMPLER: that of hint faults probes the function which asks
load() {
	load_module "sampler=$1" policy=tpp numa_takeover=1 ring_slots=65536 cpu_limit_bp=0 gate=off split=off kmigrated_ms=50
}
asked_more() {
	asked=$(stat takeover_asked)
	wait_until 100 at_least $((asked + 64)) stat takeover_asked
}
probed() {
	grep -c should_numa_migrate_memory /sys/kernel/debug/kprobes/list || true
}

echo 2 >/proc/sys/kernel/numa_balancing
for round in ibs hint scan; do
	load "$round"
	asked_more
	for switch in numa_takeover:0:1 mode:off:tier numa_takeover:0:1; do
		name=${switch%%:*} values=${switch#*:}
		parameter "$name" "${values%:*}"
		expect_eq "probes with $name=${values%:*}" "$(probed)" 0
		asked=$(stat takeover_asked)
		expect_eq "pages in hand with $name=${values%:*}" "$(stat takeover_in_hand)" 0
		expect_eq "pages asked about with $name=${values%:*}" "$(stat takeover_asked)" "$asked"
		parameter "$name" "${values#*:}"
		expect_eq "probes with $name=${values#*:}" "$(probed)" 1
		asked_more
	done
	note "sampler $round: $(sed -n 's/^takeover_//p' "$tc_debugfs/stats" | tr '\n' ' ')"
	expect_ge "pages taken over" "$(stat takeover_taken)" 1
	unload_module
	expect_eq "probes after unload" "$(probed)" 0
done

before=$(vmstat pgpromote_success)
wait_until 200 at_least $((before + 1024)) vmstat pgpromote_success
note "the kernel promoted $(($(vmstat pgpromote_success) - before)) pages"
touch /tmp/stop
wait "$user"
expect_ge "readings" "$(wc -l </tmp/wrong)" 6
expect_eq "readings that found wrong pages" "$(grep -vcx 0 /tmp/wrong || true)" 0
expect_eq "pages with their holder" "$(($(holder used on 0) + $(holder used on 1)))" $pages
