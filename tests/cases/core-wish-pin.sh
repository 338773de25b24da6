# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# break: module/move/filter.c s/folio_maybe_dma_pinned(folio)/false/
# break: module/move/filter.c s/return folio_ref_count(folio) > .*/return tc_expected_references(folio) < 0;/
# Memory that something outside of the page tables refers to stays on its page frames: buffers that io_uring holds
# pinned, and pages that a pipe has by reference (vmsplice).

quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50

expect_stays promote_skip_pinned wish anon io_uring stay
expect_stays promote_skip_referenced wish anon vmsplice stay

stop_moves
expect_moves_agree
unload_module
