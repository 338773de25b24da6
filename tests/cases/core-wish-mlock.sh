# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/track/folio.h s/return folio_test_lru(folio) && !folio_test_unevictable(folio) &&/return/
# Locked memory stays. It is not on the LRU lists that anything is taken from, so its samples are not even entered
# in the heat map.

quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50

before=$(stat samples_untracked)
wishing wish anon mlock stay
expect_eq "locked pages moved" "$(wish_value moved)" 0
expect_ge samples_untracked $(($(stat samples_untracked) - before)) "$(wish_value pages)"

stop_moves
expect_moves_agree
unload_module
