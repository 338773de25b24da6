# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/move/wishes.c s/if (vma->vm_ops && vma->vm_ops->get_policy)/if (false)/
# The policy of shared memory lives in its inode, not in the mapping: set through one mapping, it holds for a file in
# tmpfs and for a segment of System V. Without one, the same memory comes up.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50

for memory in tmpfs sysv; do
	expect_stays promote_skip_mempolicy wish "$memory" bind stay
	rm -f /dev/shm/wish
	skipped=$(stat promote_skip_mempolicy)
	wishing wish "$memory" interleave stay
	expect_eq "interleaved pages moved" "$(wish_value moved)" 0
	expect_ge promote_skip_mempolicy $(($(stat promote_skip_mempolicy) - skipped)) $(($(wish_value node1) / 2))
	rm -f /dev/shm/wish
	expect_goes wish "$memory" none go
	rm -f /dev/shm/wish
done

stop_moves
expect_moves_agree
unload_module
