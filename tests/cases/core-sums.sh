# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 300
# break: module/move/account.c s/"account.h"/"account.h"\n#include <linux\/delay.h>/;s/spin_[a-z]*(&account->lock);//;s/sum->tried .*/&\n\tudelay(1000);/
# The books are closed at every moment: in each reading of the statistics while pages move, folios tried are the sum
# of their outcomes. When all is quiet, samples received are the sum of what became of them.

quiet_kernel
load_pmu
load_module adaptation_samples=4000 cooling_samples=100000000 kmigrated_ms=10

# readings: prints the folios tried of each reading, and "bad" for one that does not close
readings() {
	while [ ! -e /tmp/stop ]; do
		awk '
			$1 ~ /_tried$/ { tried += $2 }
			$1 ~ /^(promote|demote)_(moved|advised|skip_.*|fail_.*)$/ { sum += $2 }
			END { print tried; if (tried != sum) print "bad", tried, sum }' "$tc_debugfs/stats"
	done
}
readings >/tmp/first &
readings >/tmp/second &
pingpong 32 4
touch /tmp/stop
wait

cat /tmp/first /tmp/second >/tmp/all
different=$(sort -u /tmp/all | wc -l)
note "$(wc -l </tmp/all) readings, $different different"
expect_ge "different readings" "$different" 8
if grep bad /tmp/all; then
	fail "the readings above do not close"
fi
stop_moves
expect_moves_agree

samples_close() {
	[ "$(stat samples_received)" = $(($(stat samples_no_address) + $(stat samples_cache_hit) +
		$(stat samples_lost) + $(stat samples_processed))) ]
}
wait_until 20 samples_close
expect_ge samples_received "$(stat samples_received)" 10000
expect_eq "what became of the samples processed" "$(stat samples_processed)" $(($(stat samples_accounted) +
	$(stat samples_gone) + $(stat samples_untracked) + $(stat samples_other_node) + $(stat samples_no_block)))
unload_module
