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

/*
 * A page is hot when it has so many percent of the heat of the mean page, and two samples at least: in a huge page that is used
 * evenly chance makes no piece dense then. With half of a huge page hot, a hot page has twice the heat of the mean page.
 */
const volatile __u32 hot_percent = 180;

#define FEW 32U /* in 1/16 sample */

#define PAGES (1U << THERMOCLINE_WHOLE)
#define SMALLEST_PAGES (1U << THERMOCLINE_SMALLEST)
#define SMALLEST_PIECES (PAGES / SMALLEST_PAGES)

/* Hot pages of each smallest piece of a huge page: they are counted once, larger pieces are sums. */
struct hot_pages {
	__u16 in[SMALLEST_PIECES];
};

static bool is_hot(__u64 heat, __u64 all)
{
	return heat >= FEW && heat * PAGES * 100 > all * hot_percent;
}

static void count_hot(const struct thermocline_page *page, struct hot_pages *hot)
{
	__u64 all = thermocline_page_heat(page);
	__u32 i;

	bpf_for(i, 0, PAGES)
		if (is_hot(thermocline_page_subheat(page, i), all))
			hot->in[i / SMALLEST_PAGES % SMALLEST_PIECES]++;
}

/* Is one aligned piece of this order dense? */
static bool has_dense(const struct hot_pages *hot, __u32 order)
{
	__u32 pages = 1U << order, sum = 0, i;

	bpf_for(i, 0, SMALLEST_PIECES) {
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
