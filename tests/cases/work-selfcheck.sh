# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=1 fast=320M slow=512M
# kernels: 6.12
# programs: redis-server redis zipf btree graph xs train stencil moving sparse
# quick: no
# timeout: 900
# break: tests/bench/work/zipf.c s/digest += key;/digest += operations;/
# The benchmark's workloads, small and without the simulated machine: a seed gives the same results twice and
# wherever pages lie, another seed gives other ones, and one bit that is turned in the middle of a run is noticed.

quiet_kernel

# work PROGRAM OPTIONS...: what it says into /tmp/work, without what may differ: times, places, huge pages
work() {
	tc_program=$1
	shift
	"$tc_program" --size 4 --run "$(run_of "$tc_program")" "$@" >/tmp/work.all || return
	grep -v -e 'guest_ns ' -e '^huge_mib_' -e '^fast_pages_before ' /tmp/work.all >/tmp/work
	expect_eq "bad of $tc_program $*" "$(value_of /tmp/work bad)" 0
}

# run_of PROGRAM: operations that reach all of 4 MiB and end in the middle of something
run_of() {
	case $1 in
	graph) echo 1666666 ;;
	stencil) echo 1111111 ;;
	xs) echo 5555 ;;
	*) echo 49999 ;;
	esac
}

expect_same() { # PROGRAM OPTIONS...
	work "$@" || fail "$* ended with status $?"
	cmp /tmp/work /tmp/work.first || fail "$* has other results"
}

expect_other() { # PROGRAM OPTIONS...
	work "$@" || fail "$* ended with status $?"
	[ "$(value_of /tmp/work digest)" != "$(value_of /tmp/work.first digest)" ] || fail "$* has the same digest"
}

# a word in the second half of 4 MiB: in a value, leaf, row, list of neighbours, field or grid
expect_noticed() { # PROGRAM
	tc_status=0
	work "$1" --corrupt 400000 || tc_status=$?
	expect_eq "status of $1 with a bit turned" "$tc_status" 1
	expect_ge "bad of $1" "$(value_of /tmp/work.all bad)" 1
}

# placed PROGRAM WHERE: on a fast node of which about 2 MiB are for the program, the results are the same, and some of
# its pages lie there, some not
placed() {
	expect_same "$1" --place "$2" --huge never --keep-free 48 --reserve 46
	tc_fast=$(value_of /tmp/work.all fast_pages_before)
	expect_ge "fast pages of $1, $2" "$tc_fast" 128
	expect_ge "slow pages of $1, $2" $((4 * 256 - tc_fast)) 128
}

# Pages that a processor keeps to itself do not count as free, and could be more than a whole working set here.
knob /proc/sys/vm/percpu_pagelist_high_fraction 10000
cat /proc/sys/vm/stat_refresh

# redis-server asks for this.
knob /proc/sys/vm/overcommit_memory 1

for program in redis zipf btree graph xs train stencil moving sparse; do
	work "$program"
	mv /tmp/work /tmp/work.first
	expect_same "$program"
	expect_other "$program" --seed 2
	expect_noticed "$program"
	note "$program: digest $(value_of /tmp/work.first digest), with a bit turned $(value_of /tmp/work.all bad) bad"
	[ "$program" = redis ] || placed "$program" cold-first
done
placed sparse fast-first
placed sparse interleave
