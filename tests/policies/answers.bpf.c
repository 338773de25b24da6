// SPDX-License-Identifier: GPL-2.0
/* answers: each question is answered as its variable says; SILENT: as the module's own rule does. */
#include <thermocline/bpf.h>

#define SILENT 1000

const volatile __u32 order = SILENT;
const volatile __u32 cold = SILENT;
const volatile __u32 admitted = SILENT;

/* Only the pieces whose first page is so far in its block of 2 MiB, or further, are answered for. */
const volatile __u32 cold_from;

SEC("struct_ops/split_order")
int BPF_PROG(split_order, const struct thermocline_page *page)
{
	return order == SILENT ? page->verdict : order;
}

SEC("struct_ops/piece_is_cold")
int BPF_PROG(piece_is_cold, const struct thermocline_page *page)
{
	if (cold == SILENT || page->pfn % (1 << THERMOCLINE_WHOLE) < cold_from)
		return page->verdict;
	return cold;
}

SEC("struct_ops/admit")
int BPF_PROG(admit, const struct thermocline_page *page)
{
	return admitted == SILENT ? page->verdict : admitted;
}

SEC(".struct_ops.link")
struct thermocline_ops answers = {
	.split_order = (void *)split_order,
	.piece_is_cold = (void *)piece_is_cold,
	.admit = (void *)admit,
	.name = "answers",
};

char LICENSE[] SEC("license") = "GPL";
