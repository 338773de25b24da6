// SPDX-License-Identifier: GPL-2.0
/* bad-write: writes to the page that it is asked about, which the verifier must refuse. */
#include <thermocline/bpf.h>

SEC("struct_ops/admit")
int BPF_PROG(admit, struct thermocline_page *page)
{
	page->target = 0;
	return 1;
}

SEC(".struct_ops.link")
struct thermocline_ops bad = { .admit = (void *)admit, .name = "bad-write" };

char LICENSE[] SEC("license") = "GPL";
