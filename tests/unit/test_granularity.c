// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the granularity filter: profiles whose answer is known, and chance that must not look like one.
 * Knows what granularity.h promises.
 * Does not know folios.
 */
#include <string.h>

#include "unit.h"

#include "granularity.h"

static u32 block[TC_BLOCK_PAGES];
static u32 process[TC_BLOCK_PAGES];

static void fill(u32 *count, unsigned int first, unsigned int nr, u32 value)
{
	unsigned int i;

	for (i = first; i < first + nr; i++)
		count[i] = value;
}

static void clear(void)
{
	memset(block, 0, sizeof(block));
	memset(process, 0, sizeof(process));
}

static struct tc_granularity decide(void)
{
	struct tc_granularity g;

	tc_granularity_decide(block, process, &g);
	return g;
}

/* One hot aligned piece of each size, away from the start where it can be. */
static void each_size(void **unused)
{
	unsigned int order;

	(void)unused;
	for (order = TC_PIECE_ORDER_MIN; order < TC_BLOCK_ORDER; order++) {
		struct tc_granularity g;

		clear();
		fill(block, TC_BLOCK_PAGES - (1U << order), 1U << order, 160);
		g = decide();
		unit_check(g.why == TC_GRANULARITY_SPLIT && g.order == order &&
				   g.source == TC_PROFILE_BLOCK,
			   "order %u: %u, why %u", order, g.order, g.why);
		assert_int_equal(g.nr_hot, 1U << order);
		assert_int_equal(g.threshold, 160);
	}
}

/* Twelve of sixteen sub-pages are 75 %, eleven are not. */
static void density_and_its_edge(void **unused)
{
	struct tc_granularity g;

	(void)unused;
	clear();
	fill(block, 32, 12, 160);
	g = decide();
	assert_int_equal(g.why, TC_GRANULARITY_SPLIT);
	assert_int_equal(g.order, 4);
	fill(block, 43, 1, 0);
	g = decide();
	assert_int_equal(g.why, TC_GRANULARITY_SPARSE);
	assert_int_equal(g.order, TC_BLOCK_ORDER);
	/* across the border of two pieces: each has half of it */
	clear();
	fill(block, 24, 16, 160);
	assert_int_equal(decide().why, TC_GRANULARITY_SPARSE);
}

/*
 * Counts 50 x 1, 30 x 1, 20 x 1 samples: 80 % are covered by the first two, so T = 30 samples. With 49 in the first place, the
 * third is needed.
 */
static void coverage_by_hand(void **unused)
{
	struct tc_granularity g;

	(void)unused;
	clear();
	block[0] = 50 * 16;
	block[1] = 30 * 16;
	block[2] = 20 * 16;
	g = decide();
	assert_int_equal(g.threshold, 30 * 16);
	assert_int_equal(g.nr_hot, 2);
	block[0] = 49 * 16;
	g = decide();
	assert_int_equal(g.threshold, 20 * 16);
	assert_int_equal(g.nr_hot, 3);
	/* those with as many as the last one are hot, too: 60 + 20 would do, there are three of 20 */
	block[0] = 60 * 16;
	fill(block, 1, 3, 20 * 16);
	g = decide();
	assert_int_equal(g.threshold, 20 * 16);
	assert_int_equal(g.nr_hot, 4);
}

/* The hot ones are those that sorting finds. */
static void coverage_is_the_sorted_one(void **unused)
{
	unsigned int n, i;

	(void)unused;
	unit_seed();
	for (n = 0; n < 300; n++) {
		u64 sum = 0, above = 0;
		struct tc_granularity g;

		clear();
		for (i = 0; i < TC_BLOCK_PAGES; i++) {
			block[i] = unit_below(1 + (unit_magnitude() & 0xfff));
			sum += block[i];
		}
		g = decide();
		for (i = 0; i < TC_BLOCK_PAGES; i++)
			if (block[i] > g.threshold)
				above += block[i];
		/* those above are not enough; with those that have just T, they are */
		assert_true(above * 10 < sum * 8);
		for (i = 0; i < TC_BLOCK_PAGES; i++)
			if (block[i] == g.threshold)
				above += block[i];
		assert_true(above * 10 >= sum * 8);
	}
}

static void evenly_used_is_whole(void **unused)
{
	unsigned int samples, n, i;

	(void)unused;
	unit_seed();
	for (samples = 50; samples <= 5000; samples += samples / 5) {
		for (n = 0; n < 100; n++) {
			struct tc_granularity g;

			clear();
			for (i = 0; i < samples; i++)
				block[unit_below(TC_BLOCK_PAGES)] += 16;
			g = decide();
			unit_check(g.order == TC_BLOCK_ORDER && g.why == TC_GRANULARITY_FLAT,
				   "%u samples: order %u, why %u", samples, g.order, g.why);
		}
	}
}

/* Seven of eight pages have all: not flat by chance, but dense as a whole. */
static void dense_is_whole(void **unused)
{
	struct tc_granularity g;

	(void)unused;
	clear();
	/* 448 pages at two levels, so that entropy alone does not call it flat: the 400 of level 2 cover 80 % and are 78 % */
	fill(block, 0, 400, 64);
	fill(block, 400, 112, 16);
	block[0] = 65535;
	block[1] = 20000;
	block[2] = 20000;
	g = decide();
	unit_check(g.order == TC_BLOCK_ORDER, "order %u, why %u", g.order, g.why);
}

static void few_samples_ask_the_process(void **unused)
{
	struct tc_granularity g;

	(void)unused;
	clear();
	assert_int_equal(decide().why, TC_GRANULARITY_FEW);
	assert_int_equal(decide().source, TC_PROFILE_NONE);
	tc_granularity_decide(block, NULL, &g);
	assert_int_equal(g.why, TC_GRANULARITY_FEW);
	/* 49 samples are too few, and 999 of the process, too */
	fill(block, 0, 1, 49 * 16);
	fill(process, 64, 16, 62);
	process[64] += 7;
	assert_int_equal(decide().why, TC_GRANULARITY_FEW);
	process[64]++;
	g = decide();
	assert_int_equal(g.why, TC_GRANULARITY_SPLIT);
	assert_int_equal(g.source, TC_PROFILE_PROCESS);
	assert_int_equal(g.order, 4);
	assert_true(tc_bit_test(g.hot, 64));
	assert_false(tc_bit_test(g.hot, 0));
	/* with one more its own profile decides: one page of it is hot, and no piece is */
	block[0] += 16;
	g = decide();
	assert_int_equal(g.source, TC_PROFILE_BLOCK);
	assert_int_equal(g.why, TC_GRANULARITY_SPARSE);
	/* an evenly used process leaves them whole */
	block[0] -= 16;
	fill(process, 0, TC_BLOCK_PAGES, 4);
	assert_int_equal(decide().why, TC_GRANULARITY_FLAT);
}

static void pieces_by_density_and_the_trigger(void **unused)
{
	struct tc_piece piece[TC_PIECES_MAX];
	struct tc_granularity g;

	(void)unused;
	clear();
	fill(block, 16, 13, 160);
	fill(block, 64, 16, 160);
	fill(block, 128, 14, 160);
	g = decide();
	assert_int_equal(g.order, 4);
	/* the trigger lies in a piece of no hot page: it moves, last */
	assert_int_equal(tc_granularity_pieces(&g, 4, 511, piece), 4);
	assert_int_equal(piece[0].page, 64);
	assert_int_equal(piece[0].hot, 16);
	assert_int_equal(piece[1].page, 128);
	assert_int_equal(piece[2].page, 16);
	assert_int_equal(piece[3].page, 496);
	assert_int_equal(piece[3].hot, 0);
	/* in one that moves anyway: no second time */
	assert_int_equal(tc_granularity_pieces(&g, 4, 70, piece), 3);
	/* another order, as a policy may ask: of 128 KiB, that of 64 .. 95 has 16 of 32 */
	assert_int_equal(tc_granularity_pieces(&g, 5, 70, piece), 1);
	assert_int_equal(piece[0].page, 64);
	/* all of them fit */
	fill(block, 0, TC_BLOCK_PAGES, 160);
	g = decide();
	assert_int_equal(tc_granularity_pieces(&g, 4, 0, piece), TC_PIECES_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_size),
		cmocka_unit_test(density_and_its_edge),
		cmocka_unit_test(coverage_by_hand),
		cmocka_unit_test(coverage_is_the_sorted_one),
		cmocka_unit_test(evenly_used_is_whole),
		cmocka_unit_test(dense_is_whole),
		cmocka_unit_test(few_samples_ask_the_process),
		cmocka_unit_test(pieces_by_density_and_the_trigger),
	};

	return cmocka_run_group_tests_name("granularity", tests, NULL, NULL);
}
