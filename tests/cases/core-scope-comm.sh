# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/move/scope.c s/!strncmp(task->group_leader->comm, scope->comms\[i\], TASK_COMM_LEN)/false/
# A process whose command name the operator has listed is left alone, and taken up again when the list is emptied.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50

parameter scope_comms "other,wish"
expect_stays promote_skip_excluded wish anon none stay
parameter scope_comms ""
expect_goes wish anon none go

stop_moves
expect_moves_agree
unload_module
