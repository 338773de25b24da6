# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# programs: thermoctl
# policies: answers
# quick: no
# timeout: 180
# break: module/bpf/hooks.c s/^\t.owner = THIS_MODULE,$/\t.owner = NULL,/
# break: tools/thermoctl/policy-object.c s/err = bpf_link__pin(link, pin);/err = 0;/
# The module is not unloaded while a policy is attached, which goes on answering meanwhile. Without it nothing of the
# module stays, and the next load has none.

attach_and_try() {
	ctl 0 policy attach /answers.bpf.o admitted=0
	if rmmod thermocline 2>/tmp/rmmod; then
		fail "the module went while a policy was attached"
	fi
	status_says "hooks: answers" || fail "the policy is not attached any more"
	refused=$(stat promote_skip_policy)
	wait_until 60 feeding 1024 20 1 at_least $((refused + 512)) stat promote_skip_policy
}

hook_begin
mount -t bpf bpf /sys/fs/bpf
attach_and_try
# while it is asked
feed 2048 20 1
ctl 0 policy detach
ctl 0 policy detach
hook_end

ctl 4 policy attach /answers.bpf.o
load_module adaptation_samples=1000 kmigrated_ms=50
status_says "hooks: none" || fail "a policy is attached after the load"
expect_eq "questions" "$(stat hook_admit_asked)" 0
attach_and_try
# the pin is what keeps it
rm /sys/fs/bpf/thermocline/policy
wait_until 20 status_says "hooks: none"
hook_end
