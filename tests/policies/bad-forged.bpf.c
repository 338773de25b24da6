// SPDX-License-Identifier: GPL-2.0
/* bad-forged: asks about a page that it made up, which the verifier must refuse. */
#include <thermocline/bpf.h>

SEC("struct_ops/admit")
int BPF_PROG(admit, const struct thermocline_page *page)
{
	struct thermocline_page forged = { .pfn = 1 };

	return thermocline_page_cgroup(&forged) != 0;
}

SEC(".struct_ops.link")
struct thermocline_ops bad = { .admit = (void *)admit, .name = "bad-forged" };

char LICENSE[] SEC("license") = "GPL";
