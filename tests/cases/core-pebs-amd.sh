# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M cpu=EPYC
# quick: no
# timeout: 120
# break: module/track/pebs.c s/boot_cpu_data.x86_vendor != X86_VENDOR_INTEL/false/
# A CPU that is not of Intel, and without IBS: sampler=pebs is refused with a sentence, otherwise the module
# looks at accessed bits and says why.

insmod /simpmu.ko pebs=1
why="no hardware sampling: this machine has no PMU ibs_op and no Intel CPU"
refuse_module sampler=pebs
expect_dmesg "sampler=pebs: $why"

load_module
status_says "sampler: scan ($why; scanning accessed bits instead)" || fail "the status does not say why it scans"
status_says "mode: tier" || fail "the status does not say tier"
unload_module
rmmod simpmu
