# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/move/wishes.c s/if (task->mempolicy)/if (false)/
# break: module/move/wishes.c s/for_each_thread(owner, task) {/for (task = owner; task; task = NULL) {/
# The policy of a task, set by set_mempolicy, holds for all its memory that has no policy of its own: bound, preferred
# and interleaved; and that of any thread for what all of them share.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50

for policy in task-bind task-preferred task-interleave thread-bind; do
	expect_stays promote_skip_mempolicy wish anon "$policy" stay
done

stop_moves
expect_moves_agree
unload_module
