# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: 6.12
# timeout: 240
# break: module/move/wishes.c s/return node_isset(target, policy->nodes);/return true;/
# Memory bound to a node by mbind stays there: hot pages on the slow node, pages shared with a process that alone has
# bound them, and cold pages on a full fast node. Memory beside it, without the wish, moves.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50

expect_stays promote_skip_mempolicy wish anon bind stay
expect_stays promote_skip_mempolicy wish anon child-bind stay
parameter demote_watermark_bp 5000
expect_stays demote_skip_mempolicy wish anon bind down

stop_moves
expect_moves_agree
unload_module
