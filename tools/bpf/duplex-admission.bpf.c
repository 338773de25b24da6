// SPDX-License-Identifier: GPL-2.0
/*
 * duplex-admission: on a link that carries reads and writes at the same time (CXL), a page whose accesses go against the
 * direction of the traffic is not moved: its reads, or writes, are served where the link has room for them. The table is
 * that of TierBPF. An example of a policy that answers admit.
 */
#include <thermocline/bpf.h>

/* Above this share of writes, in percent, a page is write-heavy; below 100 less that, read-heavy. */
const volatile __u32 heavy_percent = 67;

/* Of fewer accesses nothing is concluded. */
const volatile __u32 few = 8;

/* Questions by what was answered: taken from the module, allowed and prevented by the table. */
__u64 left_alone, allowed, prevented;

enum page_kind { READ_HEAVY, MIXED, WRITE_HEAVY, NR_KINDS };

/* By enum thermocline_traffic: is a page of this kind moved? */
static const bool admits[4][4] = {
	[THERMOCLINE_TRAFFIC_READ] = { [READ_HEAVY] = true, [MIXED] = true, [WRITE_HEAVY] = false },
	[THERMOCLINE_TRAFFIC_BALANCED] = { true, true, true },
	[THERMOCLINE_TRAFFIC_WRITE] = { [READ_HEAVY] = false, [MIXED] = true, [WRITE_HEAVY] = true },
};

static enum page_kind kind_of(const struct thermocline_page *page)
{
	__u64 writes = page->writes, accesses = writes + page->reads;

	if (writes * 100 > accesses * heavy_percent)
		return WRITE_HEAVY;
	return writes * 100 < accesses * (100 - heavy_percent) ? READ_HEAVY : MIXED;
}

/* The slower of the two nodes is the one with the longer latency. */
static __s32 slow_node(const struct thermocline_page *page)
{
	return thermocline_node_latency_ns(page, page->target) >
			       thermocline_node_latency_ns(page, page->nid) ?
		       page->target :
		       page->nid;
}

SEC("struct_ops/admit")
int BPF_PROG(admit, const struct thermocline_page *page)
{
	__u32 traffic = thermocline_node_traffic(page, slow_node(page));

	/* It helps at moderate pressure. At a high one it takes away from what splitting huge pages gains. */
	if (thermocline_contention(page) != THERMOCLINE_CONTENTION_MODERATE ||
	    traffic == THERMOCLINE_TRAFFIC_UNKNOWN || page->reads + page->writes < few) {
		__sync_fetch_and_add(&left_alone, 1);
		return page->verdict;
	}
	if (admits[traffic & 3][kind_of(page)]) {
		__sync_fetch_and_add(&allowed, 1);
		return 1;
	}
	__sync_fetch_and_add(&prevented, 1);
	return 0;
}

SEC(".struct_ops.link")
struct thermocline_ops duplex_admission = {
	.admit = (void *)admit,
	.name = "duplex-admission",
};

char LICENSE[] SEC("license") = "GPL";
