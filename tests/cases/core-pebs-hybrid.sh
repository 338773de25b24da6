# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M cpu=Skylake-Server
# quick: no
# timeout: 120
# append: setcpuid=591
# kernels: 7.3
# break: module/track/pebs.c s/boot_cpu_has(X86_FEATURE_HYBRID_CPU)/false/
# A hybrid CPU of a model that is known otherwise: refused with a sentence, or the module observes and says why. QEMU
# has none; newer kernels can be told that they run on one (feature 18 * 32 + 15, X86_FEATURE_HYBRID_CPU).

insmod /simpmu.ko pebs=1
why="PEBS: hybrid CPUs are not supported, their cores have different events"
refuse_module sampler=pebs
expect_dmesg "sampler=pebs: $why"

load_module
status_says "sampler: scan ($why; scanning accessed bits instead)" || fail "the status does not say why it scans"
status_says "mode: tier" || fail "the status does not say tier"
unload_module
rmmod simpmu
