#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# quick: no
# where: host
# kernels: 6.12
# timeout: 400
# break: tests/vm/guest-case s/'BUG:|/'/
# The harness itself: guests in which something goes wrong on purpose must be reported as failed, each in its own
# way. A harness that cannot see a crash would make every other case worthless.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
scripts=$root/build/vm/$TC_KERNEL/harness
rm -rf "$scripts"
mkdir -p "$scripts"

fail() {
	echo "# FAIL: $*"
	exit 1
}

# boots NAME WANTED [OPTIONS...]: runs the case text on standard input as a guest's case would be run, and compares
# the exit status; the console's log must then hold TEXT (set by the caller).
boots() {
	local name=$1 wanted=$2 got=0
	shift 2
	cat >"$scripts/$name.sh"
	"$root/tests/vm/boot" --kernel "$TC_KERNEL" --name "harness-$name" --script "$root/tests/vm/guest-case" \
		--file "$scripts/$name.sh:/case.sh" --file "$root/tests/cases/lib.sh:/lib.sh" \
		--fast 384M --slow 0 --append "TC_CASE=$name" "$@" || got=$?
	[ "$got" = "$wanted" ] || fail "$name: exit status $got instead of $wanted"
	grep -q "$TEXT" "$root/build/vm/$TC_KERNEL/harness-$name.log" || fail "$name: the log does not say: $TEXT"
	echo "# $name: $wanted, as it should be"
}

TEXT='^ok 1 passes' boots passes 0 <<'END'
expect_eq sum $((1 + 1)) 2
END

TEXT='^ok 1 skips # SKIP for want of a reason' boots skips 4 <<'END'
skip for want of a reason
END

TEXT='FAIL: a command of the case ended' boots command 1 <<'END'
false
echo "goes on after a command that failed"
END

TEXT='FAIL: sum is .3., should be .4.' boots expectation 1 <<'END'
expect_eq sum 3 4
END

TEXT='FAIL: waited in vain for: false' boots waiting 1 <<'END'
wait_until 1 false
END

TEXT="FAIL: the kernel's log has the lines above" boots log 1 <<'END'
echo 'BUG: on purpose' >/dev/kmsg
END

TEXT='Kernel panic' boots panic 125 <<'END'
echo c >/proc/sysrq-trigger
END

TEXT='KTAP version 1' boots power 125 <<'END'
poweroff -f
END

TEXT='KTAP version 1' boots token 125 <<'END'
echo "0123456789abcdef 0" >/dev/ttyS1
poweroff -f
END

TEXT='KTAP version 1' boots hang 124 --timeout 40 <<'END'
sleep 1000
END
