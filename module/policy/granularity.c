// SPDX-License-Identifier: GPL-2.0
/*
 * To which size a huge page is worth splitting, and which of its pieces are hot.
 * Knows 512 counts, and where they come from.
 * Does not know folios, what the kernel can do, nor prices (price.h).
 */
#include "granularity.h"

#define BP 10000U

/* Sum of the counts of @least or more. */
static u64 covered(const u32 *count, u32 least)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < TC_BLOCK_PAGES; i++)
		if (count[i] >= least)
			sum += count[i];
	return sum;
}

/*
 * The K* largest counts are the fewest that cover the share. The last of them is the largest count T such that all that are T
 * or more cover it: with a larger one, less than K* are left. So nothing is sorted.
 */
static u32 threshold(const u32 *count)
{
	u64 need = covered(count, 1) * TC_COVERAGE_BP;
	u32 low = 1, high = 1, middle;
	unsigned int i;

	for (i = 0; i < TC_BLOCK_PAGES; i++)
		if (count[i] > high)
			high = count[i];
	while (low < high) {
		middle = high - (high - low) / 2;
		if (covered(count, middle) * BP >= need)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

static unsigned int hot_in(const struct tc_granularity *g, unsigned int page, unsigned int nr)
{
	unsigned int hot = 0, i;

	for (i = page; i < page + nr; i++)
		hot += tc_bit_test(g->hot, i);
	return hot;
}

static bool is_dense(unsigned int hot, unsigned int order)
{
	return (u64)hot * BP >= (u64)TC_DENSITY_BP << order;
}

static bool has_dense_piece(const struct tc_granularity *g, unsigned int order)
{
	unsigned int page;

	for (page = 0; page < TC_BLOCK_PAGES; page += 1U << order)
		if (is_dense(hot_in(g, page, 1U << order), order))
			return true;
	return false;
}

static void find_hot(const u32 *count, struct tc_granularity *g)
{
	unsigned int i;

	g->threshold = threshold(count);
	for (i = 0; i < TC_BLOCK_PAGES; i++) {
		if (count[i] < g->threshold)
			continue;
		tc_bits_set(g->hot, i, 1);
		g->nr_hot++;
	}
}

static void find_order(struct tc_granularity *g)
{
	unsigned int order = TC_BLOCK_ORDER;

	while (order >= TC_PIECE_ORDER_MIN && !has_dense_piece(g, order))
		order--;
	if (order == TC_BLOCK_ORDER) {
		g->why = TC_GRANULARITY_DENSE;
	} else if (order < TC_PIECE_ORDER_MIN) {
		g->why = TC_GRANULARITY_SPARSE;
	} else {
		g->why = TC_GRANULARITY_SPLIT;
		g->order = order;
	}
}

/* The profile that decides; NULL: none says enough. */
static const u32 *choose_profile(const u32 *block, const u32 *process, struct tc_granularity *g)
{
	tc_evenness(block, TC_SAMPLE_UNIT, &g->evenness);
	if (g->evenness.samples >= TC_BLOCK_SAMPLES_MIN) {
		g->source = TC_PROFILE_BLOCK;
		return block;
	}
	if (!process)
		return NULL;
	tc_evenness(process, 1, &g->evenness);
	if (g->evenness.samples < TC_PROCESS_SAMPLES_MIN)
		return NULL;
	g->source = TC_PROFILE_PROCESS;
	return process;
}

void tc_granularity_decide(const u32 *block, const u32 *process, struct tc_granularity *g)
{
	const u32 *count;

	*g = (struct tc_granularity){ .why = TC_GRANULARITY_FEW, .order = TC_BLOCK_ORDER };
	count = choose_profile(block, process, g);
	if (!count)
		return;
	find_hot(count, g);
	if (tc_is_flat(&g->evenness))
		g->why = TC_GRANULARITY_FLAT;
	else
		find_order(g);
}

/* Puts a piece where its density says; those before it are in order, and it goes behind its like. */
static void insert(struct tc_piece *piece, unsigned int nr, struct tc_piece new)
{
	for (; nr && piece[nr - 1].hot < new.hot; nr--)
		piece[nr] = piece[nr - 1];
	piece[nr] = new;
}

unsigned int tc_granularity_pieces(const struct tc_granularity *g, unsigned int order,
				   unsigned int trigger, struct tc_piece *piece)
{
	unsigned int size = 1U << order, nr = 0, page, hot;

	for (page = 0; page < TC_BLOCK_PAGES; page += size) {
		hot = hot_in(g, page, size);
		if (!is_dense(hot, order) && trigger / size != page / size)
			continue;
		insert(piece, nr++, (struct tc_piece){ .page = page, .hot = hot });
	}
	return nr;
}
