# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/move/scope.c s/task->tgid == scope->pids\[i\]/false/
# A process whose ID the operator has listed is left alone; another of the same name is not.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50

# listed CMD...: the command, with its process ID on the list
listed() {
	# shellcheck disable=SC2016 # for the inner shell
	sh -ec 'echo "1,$$" >"$1/scope_pids"; shift; exec "$@"' - "$tc_parameters" "$@"
}

expect_stays promote_skip_excluded listed wish anon none stay
expect_goes wish anon none go

stop_moves
expect_moves_agree
unload_module
