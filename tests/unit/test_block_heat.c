// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of one block of the heat map: counts, bins and cooling, by examples with known figures.
 * Knows what block.h promises.
 * Does not know owners, nor folios that change their shape.
 */
#include "unit.h"

#include <string.h>

#include "block_fixture.h"

static void costs_less_than_a_thousandth(void **unused)
{
	(void)unused;
	assert_true(sizeof(struct tc_block) * 1000 < TC_BLOCK_PAGES * 4096);
}

static void new_block_is_empty(void **unused)
{
	unsigned int order;

	(void)unused;
	memset(&a, 0xff, sizeof(a));
	tc_block_init(&a, 7);
	assert_int_equal(a.epoch, 7);
	assert_true(tc_block_empty(&a));
	assert_int_equal(tc_block_next_folio(&a, 0, &order), -1);
	assert_int_equal(tc_block_bin(&a, &heat, 5), 0);
	assert_true(tc_block_sum(&a, 0, 9) == 0);
}

static void one_sample_by_folio_size(void **unused)
{
	unsigned int order;

	(void)unused;
	/* One sample in 2^order pages: one bin less for each order. */
	for (order = 0; order <= 9; order++) {
		block_setup(NULL);
		assert_int_equal(sample(&a, 300, order, 1), order < 9 ? 9 - order : 1);
		expect_only(order < 9 ? 9 - order : 1, 1U << order);
		assert_int_equal(tc_block_bin(&a, &heat, 300), order < 9 ? 9 - order : 1);
		assert_int_equal(a.count[300], TC_SAMPLE_UNIT);
		assert_true(tc_block_sum(&a, 300, order) == TC_SAMPLE_UNIT);
	}
}

static void samples_move_a_folio_up(void **unused)
{
	(void)unused;
	assert_int_equal(sample(&a, 9, 0, 1), 9);
	assert_int_equal(sample(&a, 9, 0, 1), 10);
	assert_int_equal(sample(&a, 9, 0, 61), 14);
	assert_int_equal(sample(&a, 9, 0, 1), 15);
	expect_only(15, 1);
}

static void count_stops_at_its_maximum(void **unused)
{
	(void)unused;
	sample(&a, 9, 4, 4095);
	assert_int_equal(a.count[9], 65520);
	sample(&a, 9, 4, 1);
	assert_int_equal(a.count[9], TC_COUNT_MAX);
	assert_int_equal(sample(&a, 9, 4, 1000), 15);
	assert_int_equal(a.count[9], TC_COUNT_MAX);
	assert_true(tc_block_sum(&a, 0, 4) == TC_COUNT_MAX);
	assert_true(tc_block_sum(&a, 0, 9) == TC_COUNT_MAX);
	expect_only(15, 16);
}

static void sample_on_a_full_count_moves_nothing(void **unused)
{
	(void)unused;
	sample(&a, 0, 9, 4096);
	/* One more sample would reach the next bin, but page 0 takes none. */
	assert_int_equal(sample(&a, 1, 9, 4095), 12);
	assert_int_equal(sample(&a, 0, 9, 1), 12);
	expect_only(12, TC_BLOCK_PAGES);
	assert_int_equal(sample(&a, 2, 9, 1), 13);
	expect_only(13, TC_BLOCK_PAGES);
}

static void full_block_at_its_maximum(void **unused)
{
	unsigned int page;

	(void)unused;
	for (page = 0; page < TC_BLOCK_PAGES; page++)
		sample(&a, page, 0, 4100);
	assert_true(tc_block_sum(&a, 0, 9) == (u64)TC_BLOCK_PAGES * TC_COUNT_MAX);
	tc_block_rebin(&a, &heat, 0, 9);
	expect_only(15, TC_BLOCK_PAGES);
}

static void lag_is_taken_into_account(void **unused)
{
	(void)unused;
	sample(&a, 9, 0, 1);
	cool(2);
	expect_only(7, 1);
	assert_int_equal(tc_block_bin(&a, &heat, 9), 7);
	assert_int_equal(a.count[9], TC_SAMPLE_UNIT);
	tc_block_cool(&a, &heat);
	expect_only(7, 1);
	assert_int_equal(tc_block_bin(&a, &heat, 9), 7);
	assert_int_equal(a.count[9], TC_SAMPLE_UNIT / 4);
}

static void open_top_bin_is_made_exact_by_the_sweep(void **unused)
{
	(void)unused;
	sample(&a, 9, 0, 256);
	cool(1);
	expect_only(14, 1);
	tc_block_cool(&a, &heat);
	expect_only(15, 1);
	cool(1);
	tc_block_cool(&a, &heat);
	expect_only(15, 1);
	cool(1);
	tc_block_cool(&a, &heat);
	expect_only(14, 1);
}

static void rounding_is_made_exact_by_the_sweep(void **unused)
{
	(void)unused;
	/* H = 1 is in bin 1, H = 1/2 in bin 0; H = 2 in bin 1 as well, and H = 1 stays there. */
	sample(&a, 0, 9, 2);
	sample(&b, 0, 9, 1);
	expect_only(1, 2 * TC_BLOCK_PAGES);
	cool(1);
	expect_only(0, 2 * TC_BLOCK_PAGES);
	tc_block_cool(&a, &heat);
	assert_true(heat.hist.pages[1] == TC_BLOCK_PAGES);
	tc_block_cool(&b, &heat);
	assert_true(heat.hist.pages[0] == TC_BLOCK_PAGES);
	assert_true(heat.hist.pages[1] == TC_BLOCK_PAGES);
}

static void one_sample_survives_four_halvings(void **unused)
{
	(void)unused;
	sample(&a, 9, 0, 1);
	cool(4);
	tc_block_cool(&a, &heat);
	assert_int_equal(a.count[9], 1);
	cool(1);
	tc_block_cool(&a, &heat);
	assert_int_equal(a.count[9], 0);
	/* It stays accounted, in bin 0, and is nothing to keep the block for. */
	expect_only(0, 1);
	assert_true(tc_block_empty(&a));
}

static void any_lag_at_once(void **unused)
{
	static const unsigned int lags[] = { 15, 16, 17, 31, 32, 33, 100 };
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(lags) / sizeof(lags[0]); i++) {
		block_setup(NULL);
		sample(&a, 9, 0, 5000);
		cool(lags[i]);
		expect_only(0, 1);
		assert_int_equal(tc_block_bin(&a, &heat, 9), 0);
		tc_block_cool(&a, &heat);
		assert_int_equal(a.count[9], lags[i] == 15 ? 1 : 0);
		assert_int_equal(tc_block_sum(&a, 0, 9), lags[i] == 15 ? 1 : 0);
		expect_only(lags[i] == 15 ? 5 : 0, 1);
	}
}

static void epoch_may_wrap(void **unused)
{
	(void)unused;
	heat.epoch = ~0U;
	tc_block_init(&a, ~0U);
	sample(&a, 9, 0, 1);
	cool(2);
	assert_int_equal(tc_block_bin(&a, &heat, 9), 7);
	tc_block_cool(&a, &heat);
	assert_int_equal(a.epoch, 1);
	assert_int_equal(a.count[9], 4);
}

static void sample_cools_first(void **unused)
{
	(void)unused;
	sample(&a, 9, 0, 4);
	cool(2);
	sample(&a, 9, 0, 1);
	assert_int_equal(a.count[9], 2 * TC_SAMPLE_UNIT);
	expect_only(10, 1);
}

static void queued_block_is_not_empty(void **unused)
{
	(void)unused;
	tc_block_set_queued(&a, 511);
	assert_false(tc_block_empty(&a));
	tc_block_clear_queued(&a, 511);
	assert_true(tc_block_empty(&a));
	tc_block_rebin(&a, &heat, 511, 0);
	assert_true(tc_block_empty(&a));
	sample(&a, 511, 0, 1);
	assert_false(tc_block_empty(&a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		block_test(costs_less_than_a_thousandth),
		block_test(new_block_is_empty),
		block_test(one_sample_by_folio_size),
		block_test(samples_move_a_folio_up),
		block_test(count_stops_at_its_maximum),
		block_test(sample_on_a_full_count_moves_nothing),
		block_test(full_block_at_its_maximum),
		block_test(lag_is_taken_into_account),
		block_test(open_top_bin_is_made_exact_by_the_sweep),
		block_test(rounding_is_made_exact_by_the_sweep),
		block_test(one_sample_survives_four_halvings),
		block_test(any_lag_at_once),
		block_test(epoch_may_wrap),
		block_test(sample_cools_first),
		block_test(queued_block_is_not_empty),
	};

	return cmocka_run_group_tests_name("block_heat", tests, NULL, NULL);
}
