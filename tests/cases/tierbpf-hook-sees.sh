# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# programs: thermoctl
# policies: sees
# quick: no
# timeout: 180
# break: module/bpf/kfuncs.c s/return i >> page->order ? 0 :/return/
# break: module/bpf/kfuncs.c s/return tc_tier_latency_ns(node, \&config);/return 200;/
# break: module/track/heatmap.c s/heat = tc_block_sum(&entry->block, pfn & (TC_BLOCK_PAGES - 1), order) >>/heat = 0 >>/
# What a policy sees: it admits the pages of one cgroup of which node, target, order, heat and latencies are what they
# should be. These move, and others do not.

# seen_feeding CMD...: feeds samples of new pages of the cgroup once, then asks CMD. For wait_until.
seen_feeding() {
	within seen feed 1024 20 1
	"$@"
}

hook_begin
mount -t bpf bpf /sys/fs/bpf
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/seen

# what a policy sees is what the table of tiers says, once samples have told it
measured() {
	feed 512 1 0
	feed 512 1 1
	[ "$(tier 0 latency_ns)" != 0 ] && [ "$(tier 1 latency_ns)" != 0 ]
}
wait_until 60 measured
here=$(tier 1 latency_ns)
there=$(tier 0 latency_ns)
ctl 0 policy attach /sees.bpf.o cgroup=/sys/fs/cgroup/seen "latency_here=$here" "latency_there=$there"
expect_goes within seen wish anon none go
expect_eq "pages of another cgroup moved" "$(wish_value control_moved)" 0
ctl 0 policy detach

ctl 0 policy attach /sees.bpf.o cgroup=/sys/fs/cgroup/seen "latency_here=$here" "latency_there=$((there + 1))"
refused=$(stat promote_skip_policy) moved=$(stat promote_moved)
wait_until 60 seen_feeding at_least $((refused + 512)) stat promote_skip_policy
expect_eq "pages moved that are not as they should be" "$(stat promote_moved)" "$moved"
ctl 0 policy detach
stop_moves
expect_moves_agree
hook_end
