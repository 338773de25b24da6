# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=1 fast=512M slow=512M machine=yes deterministic=yes
# quick: 6.12
# break(command): tests/machine/plugin/oracle.c s/return x > y ? -1 : x < y;/return x < y ? -1 : x > y;/
# The simulated machine against figures computed by hand: translations of pages of 4 KiB, 64 KiB and 2 MiB and what
# drops them, latencies under load in both directions, what a migration costs, the best placements. The long form,
# with a table, repeated, and with another processor, is "make check-machine".

quiet_kernel
tlb
loaded
if dmesg | grep -q 'mem auto-init:.*heap alloc:on'; then
	movecost zeroed
else
	movecost
fi
oracle
