// SPDX-License-Identifier: GPL-2.0
/*
 * How unevenly the heat of a huge page is spread, and the most skewed of many.
 * Knows a block that is one folio of 512 pages.
 * Does not know when huge pages are split, nor into what.
 */
#include "skew.h"

bool tc_block_whole(const struct tc_block *b)
{
	return tc_bit_test(b->head, 0) && tc_block_order_at(b, 0) == TC_BLOCK_ORDER;
}

void tc_block_profile(const struct tc_block *b, unsigned int hot_bin, struct tc_profile *p)
{
	unsigned int page;

	*p = (struct tc_profile){ .sum = b->sum };
	for (page = 0; page < TC_BLOCK_PAGES; page++) {
		u64 count = b->count[page];

		p->squares += count * count;
		p->hot += tc_base_bin(count) >= hot_bin;
	}
}

u64 tc_skew(const struct tc_profile *p)
{
	u64 skew;

	if (!p->hot || p->hot >= TC_BLOCK_PAGES || p->sum < TC_SKEW_SAMPLES_MIN * TC_SAMPLE_UNIT)
		return 0;
	skew = p->squares / ((u64)p->hot * p->hot);
	/* Every candidate has some, however little. */
	return skew ? skew : 1;
}

static void swap_entries(struct tc_skewed *a, struct tc_skewed *b)
{
	struct tc_skewed old = *a;

	*a = *b;
	*b = old;
}

static void sift_up(struct tc_skewed_list *list, u32 i)
{
	while (i && list->entry[i].skew < list->entry[(i - 1) / 2].skew) {
		swap_entries(&list->entry[i], &list->entry[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
}

static void sift_down(struct tc_skewed_list *list, u32 i)
{
	u32 child;

	while ((child = 2 * i + 1) < list->nr) {
		if (child + 1 < list->nr && list->entry[child + 1].skew < list->entry[child].skew)
			child++;
		if (list->entry[i].skew <= list->entry[child].skew)
			return;
		swap_entries(&list->entry[i], &list->entry[child]);
		i = child;
	}
}

void tc_skewed_add(struct tc_skewed_list *list, u64 skew, u64 at)
{
	if (!skew)
		return;
	if (list->nr < TC_SKEWED_MAX) {
		list->entry[list->nr] = (struct tc_skewed){ .skew = skew, .at = at };
		sift_up(list, list->nr++);
	} else if (list->entry[0].skew < skew) {
		list->entry[0] = (struct tc_skewed){ .skew = skew, .at = at };
		sift_down(list, 0);
	}
}

void tc_skewed_trim(struct tc_skewed_list *list, u32 nr)
{
	while (list->nr > nr) {
		list->entry[0] = list->entry[--list->nr];
		sift_down(list, 0);
	}
}
