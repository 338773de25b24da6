# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/move/scope.c s/cgroup_is_descendant(cgroup, scope->cgroups\[i\])/cgroup == scope->cgroups[i]/
# break: module/engine/kmigrated.c s/^\ttc_scope_refresh();//
# Memory charged to a cgroup that the operator has listed, or to one below it, is left alone; that of its neighbour is
# not. A listed cgroup that is removed and made anew, as that of a service that restarts, is listed still.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50

groups=/sys/fs/cgroup
echo +memory >"$groups/cgroup.subtree_control"
mkdir "$groups/kept" "$groups/other"
echo +memory >"$groups/kept/cgroup.subtree_control"
mkdir "$groups/kept/below"
parameter scope_cgroups /kept

expect_stays promote_skip_excluded within kept/below wish anon none stay
expect_goes within other wish anon none go

rmdir "$groups/kept/below" "$groups/kept"
mkdir "$groups/kept"
expect_stays promote_skip_excluded within kept wish anon none stay

stop_moves
expect_moves_agree
unload_module
