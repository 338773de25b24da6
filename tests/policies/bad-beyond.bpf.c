// SPDX-License-Identifier: GPL-2.0
/* bad-beyond: reads what lies behind the page's struct, which the verifier must refuse. */
#include <thermocline/bpf.h>

SEC("struct_ops/admit")
int BPF_PROG(admit, const struct thermocline_page *page)
{
	return *(const volatile __u64 *)(page + 1) != 0;
}

SEC(".struct_ops.link")
struct thermocline_ops bad = { .admit = (void *)admit, .name = "bad-beyond" };

char LICENSE[] SEC("license") = "GPL";
