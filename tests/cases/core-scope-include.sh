# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/move/scope.c s/has = listed || .*/has = true;/
# In include mode what is listed moves and nothing else does: by command name, by process ID, by cgroup.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50

groups=/sys/fs/cgroup
echo +memory >"$groups/cgroup.subtree_control"
mkdir "$groups/in"

# expect_only CMD...: its memory moves, the control memory does not
expect_only() {
	skipped=$(stat promote_skip_excluded)
	expect_goes "$@"
	expect_eq "pages moved that are not listed" "$(wish_value control_moved)" 0
	expect_ge promote_skip_excluded $(($(stat promote_skip_excluded) - skipped)) $(($(wish_value pages) / 2))
}

# listed CMD...: the command, with its process ID on the list
listed() {
	# shellcheck disable=SC2016 # for the inner shell
	sh -ec 'echo "$$" >"$1/scope_pids"; shift; exec "$@"' - "$tc_parameters" "$@"
}

parameter scope include
parameter scope_comms wish
expect_only wish anon none go
parameter scope_comms ""
expect_only listed wish anon none go
parameter scope_pids ""
parameter scope_cgroups /in
expect_only within in wish anon none go

stop_moves
expect_moves_agree
unload_module
