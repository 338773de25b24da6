# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# A process whose cpuset does not allow the fast node keeps its memory on the slow one, one that is allowed both gets
# its hot pages up.

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

stop_moves
expect_moves_agree
unload_module
