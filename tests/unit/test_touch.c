// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the marks of touches, against tables computed by hand and a plain model.
 * Knows what touch.h promises.
 * Does not know bit planes.
 */
#include "unit.h"

#include <string.h>

#include "touch.h"

static struct tc_touch touch;

static int setup(void **unused)
{
	(void)unused;
	memset(&touch, 0, sizeof(touch));
	return 0;
}

static void a_mark_lives_seven_steps(void **unused)
{
	static const unsigned int left[] = { 7, 6, 5, 4, 3, 2, 1, 0, 0 };
	u32 step;

	(void)unused;
	tc_touch_mark(&touch, 100, 70);
	/* Seen without anybody writing to the block, and with. */
	for (step = 0; step < 9; step++)
		assert_int_equal(tc_touch_left(&touch, 100 + step, 70, 0), left[step]);
	for (step = 0; step < 9; step++) {
		tc_touch_age(&touch, 100 + step);
		assert_int_equal(tc_touch_left(&touch, 100 + step, 70, 0), left[step]);
	}
	assert_int_equal(tc_touch_left(&touch, 100, 69, 0), 0);
	assert_int_equal(tc_touch_left(&touch, 100, 71, 0), 0);
}

/* What promotes: the second touch while the first one counts; of large folios, from a later step. */
static void which_touch_is_one_more(void **unused)
{
	static const struct {
		u32 first, second;
		unsigned int order;
		bool again;
	} table[] = {
		{ 10, 10, 0, true },  { 10, 11, 0, true },   { 10, 16, 0, true },
		{ 10, 17, 0, false }, { 10, 900, 0, false }, { 10, 10, 9, false },
		{ 10, 11, 9, true },  { 10, 16, 9, true },   { 10, 17, 9, false },
		{ 10, 10, 4, false }, { 10, 12, 4, true },   { ~0U, 2, 0, true },
		{ ~0U, 6, 0, false },
	};
	unsigned int i, left;

	(void)unused;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		memset(&touch, 0, sizeof(touch));
		touch.step = table[i].first;
		left = tc_touch_left(&touch, table[i].first, 0, table[i].order);
		unit_check(!tc_touch_again(left, table[i].order), "row %u: at once", i);
		tc_touch_mark(&touch, table[i].first, 0);
		left = tc_touch_left(&touch, table[i].second, 0, table[i].order);
		unit_check(tc_touch_again(left, table[i].order) == table[i].again, "row %u", i);
	}
}

static void a_folio_is_as_active_as_its_latest_page(void **unused)
{
	(void)unused;
	tc_touch_mark(&touch, 0, 130);
	tc_touch_mark(&touch, 3, 255);
	tc_touch_mark(&touch, 5, 300);
	assert_int_equal(tc_touch_left(&touch, 5, 128, 7), 7 - 2);
	assert_int_equal(tc_touch_left(&touch, 5, 128, 6), 7 - 5);
	assert_int_equal(tc_touch_left(&touch, 5, 192, 6), 7 - 2);
	assert_int_equal(tc_touch_left(&touch, 5, 256, 8), 7);
	assert_int_equal(tc_touch_left(&touch, 5, 0, 9), 7);
	assert_int_equal(tc_touch_left(&touch, 5, 0, 7), 0);
	assert_int_equal(tc_touch_left(&touch, 12, 0, 9), 0);
	/* A head inside of the folio, or an order of more than a block, is made safe. */
	assert_int_equal(tc_touch_left(&touch, 5, 300, 12), 7);
}

static void the_age_in_samples(void **unused)
{
	static const struct {
		u64 pages, cooling;
		bool random;
		u64 age;
	} table[] = {
		{ 262144, 524288, true, 65536 }, /* 1 GiB: a quarter of a sample for each page */
		{ 16777216, 2000000, true, 2000000 }, /* 64 GiB: a cooling is less */
		{ 8000000, 2000000, true, 2000000 }, /* where both are the same */
		{ 262144, 524288, false, 524288 }, /* rounds */
		{ 262144, 1000, true, 1000 }, /* the operator's cooling */
		{ 0, 20000, true, 1 }, /* nothing is covered yet */
	};
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		unit_check(tc_touch_age_samples(table[i].pages, table[i].cooling,
						table[i].random) == table[i].age,
			   "row %u", i);
}

static void the_clock_goes_by_sevenths_of_the_age(void **unused)
{
	struct tc_touch_clock clock = { 0 };

	(void)unused;
	assert_int_equal(tc_touch_clock_tick(&clock, 99, 700), 0);
	assert_int_equal(tc_touch_clock_tick(&clock, 100, 700), 1);
	assert_int_equal(tc_touch_clock_tick(&clock, 199, 700), 1);
	assert_int_equal(tc_touch_clock_tick(&clock, 350, 700), 3);
	assert_int_equal(tc_touch_clock_tick(&clock, 399, 700), 3);
	assert_int_equal(tc_touch_clock_tick(&clock, 400, 700), 4);
	/* Another age from here on; what is over of a step stays. */
	assert_int_equal(tc_touch_clock_tick(&clock, 430, 140), 5);
	/* Another count that is less: from here on. */
	assert_int_equal(tc_touch_clock_tick(&clock, 5, 70), 5);
	assert_int_equal(tc_touch_clock_tick(&clock, 15, 70), 6);
	/* An age of less than seven is one of seven. */
	assert_int_equal(tc_touch_clock_tick(&clock, 18, 2), 9);
	assert_int_equal(tc_touch_clock_tick(&clock, 18, 0), 9);
}

/* The clock and the marks in any order, against one number for each page. */
static void as_the_plain_model(void **unused)
{
	unsigned int model[TC_BLOCK_PAGES] = { 0 }, i, round, page, nr;
	u32 step;

	(void)unused;
	unit_seed();
	step = (u32)0 - 50;
	touch.step = step;
	for (round = 0; round < 5000; round++) {
		page = unit_below(TC_BLOCK_PAGES);
		if (unit_chance(30)) {
			unsigned int steps = unit_chance(90) ? unit_below(3) : unit_below(20);

			step += steps;
			for (i = 0; i < TC_BLOCK_PAGES; i++)
				model[i] = model[i] > steps ? model[i] - steps : 0;
		} else if (unit_chance(90)) {
			tc_touch_mark(&touch, step, page);
			model[page] = 7;
		} else {
			nr = 1 + unit_below(TC_BLOCK_PAGES - page);
			tc_touch_forget(&touch, page, nr);
			memset(&model[page], 0, nr * sizeof(model[0]));
		}
		for (i = 0; i < TC_BLOCK_PAGES; i++)
			unit_check(tc_touch_left(&touch, step, i, 0) == model[i],
				   "round %u, page %u", round, i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_mark_lives_seven_steps, setup),
		cmocka_unit_test_setup(which_touch_is_one_more, setup),
		cmocka_unit_test_setup(a_folio_is_as_active_as_its_latest_page, setup),
		cmocka_unit_test(the_age_in_samples),
		cmocka_unit_test(the_clock_goes_by_sevenths_of_the_age),
		cmocka_unit_test_setup(as_the_plain_model, setup),
	};

	return cmocka_run_group_tests_name("touch", tests, NULL, NULL);
}
