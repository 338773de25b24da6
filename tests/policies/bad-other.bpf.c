// SPDX-License-Identifier: GPL-2.0
/* bad-other: is of another type of the kernel, and calls a function of the module, which only policies may. */
#include <thermocline/bpf.h>

struct tcp_congestion_ops {
	__u32 (*ssthresh)(void *sock);
	char name[16];
};

SEC("struct_ops/ssthresh")
__u32 BPF_PROG(ssthresh, void *sock)
{
	return thermocline_page_cgroup(sock);
}

SEC(".struct_ops.link")
struct tcp_congestion_ops bad = { .ssthresh = (void *)ssthresh, .name = "bad-other" };

char LICENSE[] SEC("license") = "GPL";
