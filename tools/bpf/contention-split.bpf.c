// SPDX-License-Identifier: GPL-2.0
/*
 * contention-split: huge pages are split at their promotion only while the slow tier is under pressure, and then into the
 * largest pieces of which one is hot; else they are promoted whole. The rule of TierBPF (granularity by heat density, gate
 * by contention) as an example of a policy that answers split_order and piece_is_cold.
 */
#include <thermocline/bpf.h>

/* Pressure from which on pages are split: enum thermocline_contention. */
const volatile __u32 from_level = THERMOCLINE_CONTENTION_MODERATE;

/* A piece is hot when so many of 100 of its pages are. */
const volatile __u32 dense_percent = 75;

#define PAGES (1U << THERMOCLINE_WHOLE)
#define SMALLEST_PAGES (1U << THERMOCLINE_SMALLEST)
#define SMALLEST_PIECES (PAGES / SMALLEST_PAGES)

/* Hot pages of each smallest piece of a huge page: they are counted once, larger pieces are sums. */
struct hot_pages {
	__u16 in[SMALLEST_PIECES];
};

/* A page is hot when it has more heat than the mean page of its huge page. */
static void count_hot(const struct thermocline_page *page, struct hot_pages *hot)
{
	__u64 mean = thermocline_page_heat(page) / PAGES;
	__u32 i;

	bpf_for(i, 0, PAGES) if (thermocline_page_subheat(page, i) > mean)
		hot->in[i / SMALLEST_PAGES % SMALLEST_PIECES]++;
}

/* Is one aligned piece of this order dense? */
static bool has_dense(const struct hot_pages *hot, __u32 order)
{
	__u32 pages = 1U << order, sum = 0, i;

	bpf_for(i, 0, SMALLEST_PIECES)
	{
		sum += hot->in[i % SMALLEST_PIECES];
		if ((i + 1) * SMALLEST_PAGES % pages)
			continue;
		if (sum * 100 >= pages * dense_percent)
			return true;
		sum = 0;
	}
	return false;
}

SEC("struct_ops/split_order")
int BPF_PROG(split_order, const struct thermocline_page *page)
{
	struct hot_pages hot = {};
	__u32 order;

	if (thermocline_contention(page) < from_level)
		return THERMOCLINE_WHOLE;
	count_hot(page, &hot);
	for (order = THERMOCLINE_WHOLE; order >= THERMOCLINE_SMALLEST; order--)
		if (has_dense(&hot, order))
			return order;
	return THERMOCLINE_WHOLE;
}

/* A piece without any heat has nothing to do in fast memory. */
SEC("struct_ops/piece_is_cold")
int BPF_PROG(piece_is_cold, const struct thermocline_page *page)
{
	return page->verdict || !thermocline_page_heat(page);
}

SEC(".struct_ops.link")
struct thermocline_ops contention_split = {
	.split_order = (void *)split_order,
	.piece_is_cold = (void *)piece_is_cold,
	.name = "contention-split",
};

char LICENSE[] SEC("license") = "GPL";
