#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# where: host
# quick: no
# timeout: 1500
# break: module/track/scan.c s/if (answer == TC_YOUNG_NO)/if (answer == TC_YOUNG_YES)/
# No PMU at all, with the demo's workload: looking at accessed bits alone must bring so much of what is used into fast
# memory that this serves at least 0.8 of the accesses that the best fixed placement would have served. The demo
# computes both from the machine's own counts of each page, and compares the module's moves with the kernel's. It runs
# for twice as long as with hardware samples: looks tell heat more slowly.
set -euo pipefail

fail() {
	echo "# FAIL: $*"
	exit 1
}

repo=$(cd "$(dirname "$0")/../.." && pwd)
SAMPLER=scan SIZE_MIB=48 LOOKUPS=576 KERNEL=$TC_KERNEL "$repo/tests/demo/run" >"$repo/build/vm/$TC_KERNEL/scan-demo.log" 2>&1 ||
	fail "the demo did not run through: see build/vm/$TC_KERNEL/scan-demo.log"
grep '^sampler: scan (no hardware sampling' "$repo/build/vm/$TC_KERNEL/scan-demo.log" || fail "it did not fall back to scanning"
line=$(grep '^demo: hit_ratio' "$repo/build/vm/$TC_KERNEL/scan-demo.log")
echo "# $line"
awk '{ for (i = 1; i <= NF; i++) { split($i, part, "="); got[part[1]] = part[2] } }
	END { exit !(got["oracle"] > 0 && got["before"] < 0.5 * got["oracle"] && got["after"] >= 0.8 * got["oracle"]) }' \
	<<<"$line" || fail "less than 0.8 of the best placement: $line"
