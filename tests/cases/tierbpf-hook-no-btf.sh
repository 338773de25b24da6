# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# programs: thermoctl objcopy
# policies: answers
# quick: no
# timeout: 180
# break: module/bpf/hooks.c s/return tc_hooks_btf ? tc_kfuncs_register(tc_hooks_btf) : -ENOENT;/return 0;/
# A module without BTF works, and says that no policy can be attached.

objcopy --remove-section .BTF --remove-section .BTF.base /thermocline.ko /thermocline.ko
quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50
mount -t bpf bpf /sys/fs/bpf
[ ! -e /sys/kernel/btf/thermocline ] || fail "the module has BTF"
expect_dmesg "this module has no BTF, so no policy can be attached"
status_says "hooks: unavailable" || fail "the status does not say that hooks are unavailable"
ctl 1 policy attach /answers.bpf.o
grep -q 'has no BTF' /tmp/ctl || fail "thermoctl does not say why"
ctl 0 policy status
wait_until 60 feeding 1024 20 1 at_least 512 stat promote_moved
stop_moves
expect_moves_agree
unload_module
