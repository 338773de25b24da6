# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/move/wishes.c s/if (!tasks.cpuset)/if (false)/
# break: module/move/wishes.c s/!tc_cpuset_allows(folio, question->target)/false/
# A process whose cpuset does not allow the fast node keeps its memory on the slow one, one that is allowed both gets
# its hot pages up. Page cache that nobody maps stays where the cpuset of its cgroup allows it to be.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50

groups=/sys/fs/cgroup
echo +cpuset >"$groups/cgroup.subtree_control"
mkdir "$groups/slow" "$groups/both"
echo 1 >"$groups/slow/cpuset.mems"
echo 0-1 >"$groups/both/cpuset.mems"

expect_stays promote_skip_cpuset within slow wish anon none stay
expect_goes within both wish anon none go
rmdir "$groups/slow" "$groups/both"

echo +memory >"$groups/cgroup.subtree_control"
mkdir "$groups/fast"
echo 0 >"$groups/fast/cpuset.mems"
mount -o remount,size=100% /dev/shm
count=$((($(node_value 0 free) - $(node_value 0 keep_free) / 2) / 2))
within fast dd if=/dev/zero of=/dev/shm/kept bs=4k count="$count" 2>/dev/null
dd if=/dev/zero of=/dev/shm/cold bs=4k count="$count" 2>/dev/null
wait_until 90 feeding 64 20 0 at_least 100 stat demote_skip_cpuset
wait_until 90 feeding 64 20 0 at_least 300 stat demote_moved
expect_eq "pages of the cgroup on the slow node" \
	"$(sed -n 's/^shmem .*N1=\([0-9]*\).*/\1/p' "$groups/fast/memory.numa_stat")" 0

stop_moves
expect_moves_agree
unload_module
