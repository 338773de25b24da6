# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# programs: thermoctl
# policies: keep-fast
# quick: no
# timeout: 240
# break: module/track/page_type.h s/id = cgroup_id(memcg->css.cgroup);/id = 1;/
# break: tools/bpf/keep-fast.bpf.c s/thermocline_page_cgroup(page) != cgroup/thermocline_page_cgroup(page) == cgroup/
# The example keep-fast: cold memory of its cgroup stays in fast memory, beside other memory that has to go; and it goes
# when the policy is detached. Its promotions are not the policy's business.

hook_begin
mount -t bpf bpf /sys/fs/bpf
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/kept

ctl 0 policy attach /keep-fast.bpf.o cgroup=/sys/fs/cgroup/kept
parameter demote_watermark_bp 5000
expect_stays demote_skip_policy within kept wish anon none down
expect_goes within kept wish anon none go
ctl 0 policy detach
expect_goes within kept wish anon none down
stop_moves
expect_moves_agree
hook_end
