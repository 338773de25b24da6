# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# The guest's half of tests/machine/check: runs the programs that measure the machine. What they say goes to the
# console and, for the host, to /dev/ttyS2. It knows their names and the order; what they measure they know themselves.

# machine_programs: a word of the kernel's command line, program names with commas between them
# shellcheck disable=SC2154
programs=$machine_programs
failed=0

# quiet: the kernel's own reasons to move pages or to collapse them
echo 0 >/proc/sys/kernel/numa_balancing
echo 0 >/sys/kernel/mm/transparent_hugepage/khugepaged/defrag

# arguments PROGRAM: what this kernel makes it need to know
arguments() {
	if [ "$1" = movecost ] && dmesg | grep -q 'mem auto-init:.*heap alloc:on'; then
		echo zeroed
	fi
}

for program in $(echo "$programs" | tr , ' '); do
	# shellcheck disable=SC2046 # one word or none
	"$program" $(arguments "$program") >/tmp/said || failed=1
	cat /tmp/said
	sed "s/^gauge|/$program |/" /tmp/said >/dev/ttyS2
done
echo "release $(uname -r)" >/dev/ttyS2
echo "status $failed" >/dev/ttyS2
exit "$failed"
