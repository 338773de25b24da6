# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# break: module/engine/engine.c s/if (!tc_sampler_active())/if (false)/
# A machine without a PMU to sample with, whose kernel does not let accessed bits be read either: the module loads, says
# so, observes nothing and moves nothing. Only who asks for a source that is not there is refused.

load_module hide_symbols=page_vma_mapped_walk
expect_dmesg "accessed bits cannot be read"
status_says "mode: observe" || fail "the status does not say observe"
status_says "reduced: tier was asked for, but nothing is sampled" || fail "the status does not say why"
status_says "sampler: none (accessed bits cannot be read" || fail "the status does not say that there is no sampler"
expect_eq samples_received "$(stat samples_received)" 0
expect_eq promote_tried "$(stat promote_tried)" 0
unload_module

load_module sampler=none
status_says "sampler: none (sampler=none was asked for)" || fail "the status does not say who chose none"
unload_module

refuse_module sampler=ibs
expect_dmesg "sampler=ibs: no hardware sampling: this machine has no PMU ibs_op"
refuse_module sampler=scan hide_symbols=page_vma_mapped_walk
expect_dmesg "sampler=scan: accessed bits cannot be read"
