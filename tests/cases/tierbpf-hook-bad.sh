# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# programs: thermoctl bpftool
# policies: answers keep-fast bad-beyond bad-empty bad-forged bad-name bad-other bad-sleeps bad-timer bad-write
# quick: no
# timeout: 180
# break: module/bpf/hooks.c s/return prog->sleepable ? -EINVAL : 0;/return 0;/
# break: module/bpf/hooks.c s/if (!tc_name_is_good(given->name))/if (false)/
# break: module/bpf/hooks.c s/if (ops->split_order || ops->piece_is_cold || ops->admit)/if (ops)/
# break: module/bpf/kfuncs.c s/thermocline_page_cgroup, TC_KF_TRUSTED/thermocline_page_cgroup/
# break: module/bpf/kfuncs.c s/return prog->aux->attach_btf == tc_kfuncs_btf ? 0 : -EACCES;/return 0;/
# break: module/engine/ask.c s/if (!rcu_access_pointer(tc_ask_ops))/if (true)/
# Programs that must not run: the kernel, the module or thermoctl refuses each, says why, and nothing is changed. A second
# policy is refused too, and the first one goes on.

# refused TEXT POLICY [NAME=VALUE...]: attaching ends with status 6 and this text, and nothing is attached
refused() {
	text=$1 policy=$2
	shift 2
	ctl 6 policy attach "/$policy.bpf.o" "$@"
	grep -q "$text" /tmp/ctl || fail "$policy: no word of '$text': $(cat /tmp/ctl)"
	status_says "hooks: none" || fail "$policy is attached"
}

hook_begin
mount -t bpf bpf /sys/fs/bpf
refused 'only read is supported' bad-write
refused 'access beyond' bad-beyond
refused 'must point to scalar\|R1 is fp expected STRUCT' bad-forged
refused 'R1 must be' bad-timer
refused 'Invalid argument' bad-sleeps
refused 'Invalid argument' bad-name
refused 'Invalid argument' bad-empty
refused 'has no struct thermocline_ops' bad-other
refused "no variable 'speed'" keep-fast speed=1
refused "neither a number nor a path" keep-fast cgroup=fast
refused "4 bytes only" answers order=0x100000000
# by who does not look what it is
bpftool struct_ops register /bad-other.bpf.o >/tmp/bpftool 2>&1 || true
grep -q 'thermocline_page_cgroup is not allowed' /tmp/bpftool || fail "another type may call: $(cat /tmp/bpftool)"
expect_dmesg "a policy needs a name"
expect_dmesg "policy bad-empty answers nothing"
ctl 1 policy attach /none.bpf.o
ctl 2 policy attach
expect_eq "pins" "$(find /sys/fs/bpf/thermocline -type f)" ""
wait_until 60 feeding 1024 20 1 at_least 512 stat promote_moved
expect_eq "questions" "$(stat hook_admit_asked)" 0

ctl 0 policy attach /answers.bpf.o admitted=0
ctl 6 policy attach /keep-fast.bpf.o
grep -q 'policy answers is attached already' /tmp/ctl || fail "the first policy is not named"
# by who does not look first
if bpftool struct_ops register /keep-fast.bpf.o /sys/fs/bpf/second >/tmp/bpftool 2>&1; then
	[ ! -e /sys/fs/bpf/second ] || fail "a second policy is attached"
fi
expect_dmesg "policy keep-fast is not attached: answers is"
status_says "hooks: answers" || fail "the first policy is not attached any more"
wait_until 60 feeding 1024 20 1 at_least 512 stat promote_skip_policy
ctl 0 policy detach
stop_moves
expect_moves_agree
hook_end
