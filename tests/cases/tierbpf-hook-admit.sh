# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# programs: thermoctl
# policies: answers duplex-admission
# quick: 6.12
# timeout: 180
# break: module/engine/ask.c s/^\treturn answer;/\treturn verdict;/
# break: module/engine/kmigrated.c s/if (!tc_batch_admits(worker, candidate))/if (false)/
# A policy that admits nothing: nothing moves, and every candidate is counted under it. Without it pages move again.
# What is no answer is counted, and the module's own rule decides.

hook_begin
ctl 1 policy attach /answers.bpf.o admitted=0
grep -q 'mount -t bpf bpf /sys/fs/bpf' /tmp/ctl || fail "no word of the file system for what stays attached"
mount -t bpf bpf /sys/fs/bpf

ctl 0 policy attach /answers.bpf.o admitted=0
status_says "hooks: answers" || fail "the status does not name the policy"
wait_until 60 feeding 1024 20 1 at_least 512 stat promote_skip_policy
expect_eq "pages moved against the policy" "$(stat promote_moved)" 0
expect_ge "answers that changed something" "$(stat hook_admit_changed)" 512

ctl 0 policy detach
status_says "hooks: none" || fail "the status still names a policy"
refused=$(stat promote_skip_policy)
asked=$(stat hook_admit_asked)
wait_until 60 feeding 1024 20 1 at_least 512 stat promote_moved
expect_eq "candidates refused by no policy" "$(stat promote_skip_policy)" "$refused"
expect_eq "questions to no policy" "$(stat hook_admit_asked)" "$asked"

ctl 0 policy attach /answers.bpf.o admitted=2
moved=$(stat promote_moved)
wait_until 60 feeding 1024 20 1 at_least $((moved + 512)) stat promote_moved
expect_ge "answers that are none" "$(stat hook_admit_invalid)" 512
expect_eq "candidates refused by no answer" "$(stat promote_skip_policy)" "$refused"
ctl 0 policy detach

# nothing is known of reads and writes here, so the module decides
ctl 0 policy attach /duplex-admission.bpf.o few=1
changed=$(stat hook_admit_changed) moved=$(stat promote_moved)
wait_until 60 feeding 1024 20 1 at_least $((moved + 512)) stat promote_moved
expect_eq "answers that changed something" "$(stat hook_admit_changed)" "$changed"
ctl 0 policy status --json
grep -q '"policy": "duplex-admission"' /tmp/ctl || fail "thermoctl does not name the policy"
grep -q '"pinned": true' /tmp/ctl || fail "thermoctl does not find the pin"
ctl 0 policy detach

stop_moves
expect_moves_agree
hook_end
