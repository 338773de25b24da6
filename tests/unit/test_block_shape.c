// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of one block of the heat map: folios that split, collapse and go, by examples.
 * Knows what block.h promises.
 * Does not know owners.
 */
#include "unit.h"

#include "block_fixture.h"

static void split_leaves_the_largest_pieces(void **unused)
{
	static const int expected[][2] = { { 0, 5 },   { 32, 4 },  { 48, 4 }, { 64, 6 },
					   { 128, 7 }, { 256, 8 }, { -1, 0 } };

	(void)unused;
	sample(&a, 50, 9, 8);
	tc_block_rebin(&a, &heat, 32, 4);
	expect_folios(&a, expected);
	/* The heat is where it was: in the piece that has page 50. 8 samples in 16 pages. */
	assert_true(heat.hist.pages[8] == 16);
	assert_true(heat.hist.pages[0] == TC_BLOCK_PAGES - 16);
	assert_int_equal(tc_block_bin(&a, &heat, 63), 8);
}

static void collapse_joins_the_pieces(void **unused)
{
	static const int expected[][2] = { { 0, 9 }, { -1, 0 } };

	(void)unused;
	sample(&a, 0, 0, 3);
	sample(&a, 17, 4, 2);
	sample(&a, 511, 8, 2);
	tc_block_rebin(&a, &heat, 0, 9);
	expect_folios(&a, expected);
	expect_only(3, TC_BLOCK_PAGES);
	assert_true(tc_block_sum(&a, 0, 9) == 7 * TC_SAMPLE_UNIT);
}

static void warm_spreads_heat_evenly(void **unused)
{
	static const int expected[][2] = { { 64, 5 }, { -1, 0 } };
	unsigned int i;

	(void)unused;
	sample(&a, 66, 0, 1);
	cool(1);
	tc_block_warm(&a, &heat, 64, 5, 32 * 100 + 3);
	for (i = 0; i < 32; i++)
		assert_int_equal(a.count[64 + i], 100 + (i < 3) + (i == 2 ? 8 : 0));
	expect_folios(&a, expected);
	/* 3211 sixteenths in 32 pages: H is 3211. */
	expect_only(11, 32);
}

static void warm_stops_at_the_largest_count(void **unused)
{
	(void)unused;
	sample(&a, 9, 0, 1);
	tc_block_warm(&a, &heat, 9, 0, ~0U);
	assert_int_equal(a.count[9], TC_COUNT_MAX);
	tc_block_warm(&a, &heat, 0, 9, ~0U);
	assert_int_equal(a.count[9], TC_COUNT_MAX);
	assert_int_equal(a.count[511], TC_COUNT_MAX);
	expect_only(15, TC_BLOCK_PAGES);
}

static void sample_notices_another_shape(void **unused)
{
	static const int split[][2] = { { 0, 8 }, { 256, 8 }, { -1, 0 } };
	static const int joined[][2] = { { 0, 9 }, { -1, 0 } };

	(void)unused;
	sample(&a, 9, 9, 1);
	sample(&a, 9, 8, 1);
	expect_folios(&a, split);
	sample(&a, 300, 9, 1);
	expect_folios(&a, joined);
	assert_true(tc_block_sum(&a, 0, 9) == 3 * TC_SAMPLE_UNIT);
}

static void drop_forgets_and_keeps_the_rest(void **unused)
{
	static const int expected[][2] = { { 0, 6 },   { 64, 5 },  { 96, 2 },
					   { 101, 0 }, { 102, 1 }, { 104, 3 },
					   { 112, 4 }, { 128, 7 }, { -1, 0 } };

	(void)unused;
	tc_block_sample(&a, &heat, 100, 0, 8, 9);
	tc_block_sample(&a, &heat, 99, 0, 8, 8);
	tc_block_set_queued(&a, 100);
	tc_block_set_queued(&a, 99);
	tc_block_drop(&a, &heat, 100, 1);
	expect_folios(&a, expected);
	assert_int_equal(a.count[100], 0);
	assert_int_equal(a.owner[100], 0);
	assert_int_equal(a.owner[99], 8);
	assert_false(tc_block_queued(&a, 100));
	assert_true(tc_block_queued(&a, 99));
	/* One sample in the piece of 4 pages from 96 on. */
	assert_true(heat.hist.pages[7] == 4);
	assert_true(tc_histogram_total(&heat.hist) == 255);
}

static void drop_stops_at_the_end(void **unused)
{
	(void)unused;
	sample(&a, 511, 0, 1);
	sample(&a, 5, 0, 1);
	tc_block_drop(&a, &heat, 512, 1);
	tc_block_drop(&a, &heat, 600, 3);
	tc_block_drop(&a, &heat, 5, 0);
	tc_block_drop(&a, &heat, ~0U, ~0U);
	expect_only(9, 2);
	tc_block_drop(&a, &heat, 6, ~0U);
	expect_only(9, 1);
	tc_block_drop(&a, &heat, 0, 512);
	expect_only(0, 0);
	assert_true(tc_block_empty(&a));
}

static void queued_mark_outlives_another_shape(void **unused)
{
	(void)unused;
	sample(&a, 70, 5, 1);
	tc_block_set_queued(&a, 64);
	tc_block_rebin(&a, &heat, 0, 9);
	assert_true(tc_block_queued(&a, 64));
	sample(&a, 70, 0, 1);
	assert_true(tc_block_queued(&a, 64));
	assert_false(tc_block_queued(&a, 63));
	assert_false(tc_block_queued(&a, 65));
	tc_block_clear_queued(&a, 64);
	assert_false(tc_block_queued(&a, 64));
}

static void marks_are_forgotten_on_all_pages(void **unused)
{
	unsigned int page;

	(void)unused;
	for (page = 0; page < TC_BLOCK_PAGES; page++) {
		tc_block_set_queued(&a, page);
		tc_block_set_refused(&a, page);
	}
	tc_block_forget_refused(&a);
	for (page = 0; page < TC_BLOCK_PAGES; page++) {
		assert_false(tc_block_refused(&a, page));
		assert_true(tc_block_queued(&a, page));
	}
	tc_block_forget_queued(&a);
	assert_true(tc_block_empty(&a));
}

static void folio_that_covers_a_page(void **unused)
{
	unsigned int head = 1, order = 1;

	(void)unused;
	tc_block_rebin(&a, &heat, 64, 5);
	tc_block_rebin(&a, &heat, 96, 0);
	assert_true(tc_block_folio(&a, 95, &head, &order));
	assert_int_equal(head, 64);
	assert_int_equal(order, 5);
	assert_true(tc_block_folio(&a, 96, &head, &order));
	assert_int_equal(head, 96);
	assert_int_equal(order, 0);
	assert_false(tc_block_folio(&a, 97, &head, &order));
	assert_false(tc_block_folio(&a, 63, &head, &order));
	assert_false(tc_block_folio(&a, 512, &head, &order));
}

static void walk_can_start_anywhere(void **unused)
{
	unsigned int order;

	(void)unused;
	tc_block_rebin(&a, &heat, 64, 5);
	tc_block_rebin(&a, &heat, 511, 0);
	assert_int_equal(tc_block_next_folio(&a, 64, &order), 64);
	assert_int_equal(order, 5);
	assert_int_equal(tc_block_next_folio(&a, 65, &order), 511);
	assert_int_equal(order, 0);
	assert_int_equal(tc_block_next_folio(&a, 511, &order), 511);
	assert_int_equal(tc_block_next_folio(&a, 512, &order), -1);
	assert_int_equal(tc_block_next_folio(&a, ~0U, &order), -1);
}

/* Wrong places are made safe: nothing outside the block is written (AddressSanitizer watches). */
static void wrong_places_stay_inside(void **unused)
{
	static const int expected[][2] = { { 0, 9 }, { -1, 0 } };

	(void)unused;
	tc_block_sample(&a, &heat, 5000, 4999, 12, 7);
	expect_folios(&a, expected);
	assert_int_equal(a.count[5000 % TC_BLOCK_PAGES], TC_SAMPLE_UNIT);
	tc_block_rebin(&a, &heat, 511, 9);
	expect_folios(&a, expected);
	assert_true(tc_block_see(&a, &heat, ~0U, ~0U, a.owner[0]));
	tc_block_carry(&a, 700, &b, 511, 30, &heat);
	expect_folios(&b, expected);
	assert_true(tc_block_sum(&b, 511, 8) == TC_SAMPLE_UNIT);
	assert_true(tc_block_sum(&b, 512 + 300, 8) == TC_SAMPLE_UNIT);
	assert_true(tc_block_sum(&b, 1 << 20, 40) == tc_block_sum(&b, 0, 9));
	assert_int_equal(tc_block_bin(&b, &heat, ~0U), 0);
}

/* Bitmaps as a reader may catch them in the middle of a change: every folio is inside. */
static void torn_bitmaps_give_folios_inside(void **unused)
{
	unsigned int i, w, order;
	int head;

	(void)unused;
	unit_seed();
	for (i = 0; i < 3000; i++) {
		for (w = 0; w < TC_BLOCK_WORDS; w++) {
			a.binned[w] = unit_random() | (unit_chance(80) ? TC_U64_MAX : 0);
			a.head[w] = unit_random() & unit_random() & unit_random() & unit_random();
		}
		tc_block_for_each_folio(&a, head, order) {
			assert_true(head + (1 << order) <= (int)TC_BLOCK_PAGES);
			assert_true((head & ((1 << order) - 1)) == 0);
		}
		for (w = 0; w < TC_BLOCK_PAGES; w++)
			assert_true(tc_block_bin(&a, &heat, w) == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		block_test(split_leaves_the_largest_pieces),
		block_test(collapse_joins_the_pieces),
		block_test(warm_spreads_heat_evenly),
		block_test(warm_stops_at_the_largest_count),
		block_test(sample_notices_another_shape),
		block_test(drop_forgets_and_keeps_the_rest),
		block_test(drop_stops_at_the_end),
		block_test(queued_mark_outlives_another_shape),
		block_test(marks_are_forgotten_on_all_pages),
		block_test(folio_that_covers_a_page),
		block_test(walk_can_start_anywhere),
		block_test(wrong_places_stay_inside),
		block_test(torn_bitmaps_give_folios_inside),
	};

	return cmocka_run_group_tests_name("block_shape", tests, NULL, NULL);
}
