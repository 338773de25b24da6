# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 240
# modules: kvm-amd
# break: module/move/wishes.c s/if (mm_has_notifiers(vma->vm_mm))/if (false)/
# Memory of a process that has a virtual machine stays: what its guest does with it cannot be sampled, so it would
# look unused.

insert_modules
quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50

expect_stays promote_skip_notifier wish anon kvm stay
expect_goes wish anon none go

stop_moves
expect_moves_agree
unload_module
