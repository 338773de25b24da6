// SPDX-License-Identifier: GPL-2.0
/* bad-sleeps: may sleep, which no callback may. */
#include <thermocline/bpf.h>

SEC("struct_ops.s/admit")
int BPF_PROG(admit, const struct thermocline_page *page)
{
	return 1;
}

SEC(".struct_ops.link")
struct thermocline_ops bad = { .admit = (void *)admit, .name = "bad-sleeps" };

char LICENSE[] SEC("license") = "GPL";
