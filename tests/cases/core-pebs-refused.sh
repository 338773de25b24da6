# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M cpu=Haswell
# quick: no
# timeout: 120
# break: module/track/pebs.c s/!x86_match_cpu(tc_pebs_models)/false/
# An Intel CPU whose events the module does not know: sampler=pebs is refused with a sentence, otherwise the module
# observes and says why.

insmod /simpmu.ko pebs=1
why="PEBS: the events of this CPU model are not known to this version"
refuse_module sampler=pebs
expect_dmesg "sampler=pebs: $why"

load_module
status_says "sampler: scan ($why; scanning accessed bits instead)" || fail "the status does not say why it scans"
status_says "mode: tier" || fail "the status does not say tier"
unload_module
rmmod simpmu
