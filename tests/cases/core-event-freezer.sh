# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 300
# break: module/engine/kmigrated.c s/set_freezable();//;s/try_to_freeze();//;s/wait_event_freezable_timeout/wait_event_interruptible_timeout/
# The freezer, as suspend uses it, ten times while there is always something to move: no batch runs between the
# freezing and the thawing of the kernel's threads, and moving goes on after each.

[ -e /sys/power/pm_test ] || skip "this kernel has no pm_test"
tracing=/sys/kernel/tracing
quiet_kernel
load_pmu
# a slow rate, so that there is always something left to move
load_module adaptation_samples=1000 ring_slots=65536 rate_limit_mib=1 cooling_samples=100000000
knob /sys/module/suspend/parameters/pm_test_delay 1
echo freezer >/sys/power/pm_test

holder hot
holder hot map 32768 1
holder hot feed 0 32768 2
wait_until 30 at_least 512 stat promote_moved
echo 1 >"$tracing/events/thermocline/tc_batch/enable"
echo 1 >"$tracing/events/power/suspend_resume/enable"

for _ in $(seq 10); do
	wait_until 30 heating hot 1 at_least 4096 node_value 1 queued
	moved=$(stat promote_moved)
	echo freeze >/sys/power/state
	wait_until 20 at_least $((moved + 100)) stat promote_moved
done
echo none >/sys/power/pm_test
stop_moves
cat "$tracing/trace" >/tmp/trace
awk '
	/suspend_resume: freeze_processes.* end/ { frozen = 1; freezes++ }
	/suspend_resume: thaw_processes.* begin/ { frozen = 0 }
	/tc_batch/ { if (frozen) inside++; else outside++ }
	END { print freezes + 0, inside + 0, outside + 0 }' /tmp/trace >/tmp/counts
read -r freezes inside outside </tmp/counts
note "$freezes times frozen, $inside batches within, $outside outside"
expect_eq "times frozen" "$freezes" 10
expect_eq "batches while frozen" "$inside" 0
expect_ge "batches" "$outside" 10
expect_moves_agree
unload_module
