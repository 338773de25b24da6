// SPDX-License-Identifier: GPL-2.0
/* bad-other: is of another type of the kernel. */
#include <thermocline/bpf.h>

struct tcp_congestion_ops {
	void (*init)(void *sock);
	char name[16];
};

SEC("struct_ops/init")
int BPF_PROG(init, void *sock)
{
	return 0;
}

SEC(".struct_ops.link")
struct tcp_congestion_ops bad = { .init = (void *)init, .name = "bad-other" };

char LICENSE[] SEC("license") = "GPL";
