// SPDX-License-Identifier: GPL-2.0
/*
 * sees: what the functions of thermocline/bpf.h say of a page is what it should be, else it is not admitted. Only memory of
 * one cgroup is answered for.
 */
#include <thermocline/bpf.h>

const volatile __u64 cgroup;
const volatile __u32 latency_here, latency_there;

/* The heat of its pages is that of their folio, but for samples that come while they are added up. */
static bool heat_adds_up(const struct thermocline_page *page)
{
	__u64 before = thermocline_page_heat(page), sum = 0, after;
	__u32 i;

	bpf_for(i, 0, 1 << THERMOCLINE_WHOLE)
		sum += thermocline_page_subheat(page, i);
	after = thermocline_page_heat(page);
	return before && (after < before || (sum >= before && sum <= after));
}

SEC("struct_ops/admit")
int BPF_PROG(admit, const struct thermocline_page *page)
{
	if (thermocline_page_cgroup(page) != cgroup)
		return 0;
	return page->verdict == 1 && page->order == 0 && page->pfn && page->nid == 1 &&
	       page->target == 0 && thermocline_page_bin(page) && heat_adds_up(page) &&
	       !thermocline_page_subheat(page, 1 << page->order) &&
	       thermocline_node_latency_ns(page, 1) == latency_here &&
	       thermocline_node_latency_ns(page, 0) == latency_there &&
	       !thermocline_node_latency_ns(page, 77) && !thermocline_node_latency_ns(page, -1);
}

SEC(".struct_ops.link")
struct thermocline_ops sees = {
	.admit = (void *)admit,
	.name = "sees",
};

char LICENSE[] SEC("license") = "GPL";
