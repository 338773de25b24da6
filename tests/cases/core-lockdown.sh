# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 180
# break: module/ui/debugfs.c s/files\[i\].name, 0444/files[i].name, 0644/
# Under the kernel's lockdown (integrity) a module that is loaded already can still be read, set and unloaded: lockdown
# denies debugfs files that take writes, and there are none. An unsigned module is not loaded any more, and nothing of
# it stays behind.

mount -t securityfs securityfs /sys/kernel/security
lockdown=/sys/kernel/security/lockdown
[ -w "$lockdown" ] || skip "this kernel has no lockdown"
grep -qF '[none]' "$lockdown" || skip "the kernel is locked down already"

quiet_kernel
load_pmu
load_module adaptation_samples=1000 kmigrated_ms=50
expect_goes wish anon none go
echo integrity >"$lockdown"
if feed 512 20 1 2>/dev/null; then
	fail "lockdown does not deny a debugfs file that takes writes"
fi

for file in "$tc_debugfs"/*; do
	expect_ge "lines of $file" "$(wc -l <"$file")" 1
done
parameter kmigrated_ms 100
expect_eq kmigrated_ms "$(value_of "$tc_debugfs/config" kmigrated_ms)" 100
stop_moves
expect_moves_agree
unload_module
refuse_module
expect_dmesg "Lockdown: insmod: unsigned module loading is restricted"
