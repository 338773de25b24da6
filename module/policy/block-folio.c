// SPDX-License-Identifier: GPL-2.0
/*
 * Reading a block: its binned folios, their heat and their bins.
 * Knows the bitmaps of a block and how the extent of a folio follows from them.
 * Does not change anything, so that any thread may call it while the writer works.
 */
#include "block.h"

bool tc_block_folio(const struct tc_block *b, unsigned int page, unsigned int *head,
		    unsigned int *order)
{
	unsigned int k, start;

	if (page >= TC_BLOCK_PAGES || !tc_bit_test(b->binned, page))
		return false;

	/* Of the starts of all naturally aligned pieces that hold the page, the nearest head. */
	for (k = 0; k <= TC_BLOCK_ORDER; k++) {
		start = page & ~((1U << k) - 1);
		if (tc_bit_test(b->head, start)) {
			*head = start;
			*order = tc_block_order_at(b, start);
			return true;
		}
	}
	return false;
}

u64 tc_block_sum(const struct tc_block *b, unsigned int head, unsigned int order)
{
	unsigned int page, end;
	u64 sum = 0;

	if (order >= TC_BLOCK_ORDER)
		return tc_read_once(b->sum);

	page = head & (TC_BLOCK_PAGES - 1) & ~((1U << order) - 1);
	for (end = page + (1U << order); page < end; page++)
		sum += tc_read_once(b->count[page]);
	return sum;
}

unsigned int tc_block_bin(const struct tc_block *b, const struct tc_heat *h, unsigned int page)
{
	unsigned int head, order;
	u32 lag = tc_read_once(h->epoch) - tc_read_once(b->epoch);

	if (!tc_block_folio(b, page, &head, &order))
		return 0;
	return tc_bin_cooled(tc_bin(tc_hotness(tc_block_sum(b, head, order), order)), lag);
}

bool tc_block_empty(const struct tc_block *b)
{
	return !tc_read_once(b->sum) && tc_bits_next(b->queued, 0, TC_BLOCK_PAGES) < 0;
}
