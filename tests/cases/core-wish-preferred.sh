# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/move/wishes.c s/case MPOL_PREFERRED:/&\n\t\treturn true;/
# Memory that prefers the slow node alone stays there. Where the fast node is among those preferred, and where memory
# is to be local to the processor, hot pages come up.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50

expect_stays promote_skip_mempolicy wish anon preferred stay
expect_stays promote_skip_mempolicy wish anon preferred-many stay
expect_goes wish anon preferred-both go
expect_goes wish anon local go

stop_moves
expect_moves_agree
unload_module
