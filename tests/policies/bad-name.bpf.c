// SPDX-License-Identifier: GPL-2.0
/* bad-name: its name would be two words in the status. */
#include <thermocline/bpf.h>

SEC("struct_ops/admit")
int BPF_PROG(admit, const struct thermocline_page *page)
{
	return 1;
}

SEC(".struct_ops.link")
struct thermocline_ops bad = { .admit = (void *)admit, .name = "bad name" };

char LICENSE[] SEC("license") = "GPL";
