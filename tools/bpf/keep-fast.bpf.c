// SPDX-License-Identifier: GPL-2.0
/*
 * keep-fast: memory of one cgroup does not go to a node outside of its tier: it is promoted like any other and never
 * demoted. An example of a policy that answers admit.
 *
 *     thermoctl policy attach keep-fast.bpf.o cgroup=/sys/fs/cgroup/system.slice/db.service
 */
#include <thermocline/bpf.h>

/* The cgroup: the inode number of its folder. 0: none. */
const volatile __u64 cgroup;

/* Demotions that were not admitted. */
__u64 kept;

/* The slower node is the one with the longer latency. */
static bool is_demotion(const struct thermocline_page *page)
{
	return thermocline_node_latency_ns(page, page->target) >
	       thermocline_node_latency_ns(page, page->nid);
}

SEC("struct_ops/admit")
int BPF_PROG(admit, const struct thermocline_page *page)
{
	if (!cgroup || thermocline_page_cgroup(page) != cgroup || !is_demotion(page))
		return page->verdict;
	__sync_fetch_and_add(&kept, 1);
	return 0;
}

SEC(".struct_ops.link")
struct thermocline_ops keep_fast = {
	.admit = (void *)admit,
	.name = "keep-fast",
};

char LICENSE[] SEC("license") = "GPL";
