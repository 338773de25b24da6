// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the cold end of fast memory, against tables computed by hand.
 * Knows what recency.h promises.
 * Does not know how pages are found.
 */
#include "unit.h"

#include "recency.h"

static void ranks(void **unused)
{
	(void)unused;
	assert_int_equal(tc_rank(0, 0), 0);
	assert_int_equal(tc_rank(0, 5), 1);
	assert_int_equal(tc_rank(1, 0), 3);
	assert_int_equal(tc_rank(1, 15), 3);
	assert_int_equal(tc_rank(7, 9), 9);
	assert_true(tc_rank(TC_TOUCH_STEPS, TC_BINS - 1) == TC_RANKS - 1);
}

static void the_limit(void **unused)
{
	static const struct tc_recency seen = {
		.pages = { 10, 20, 100, 0, 40, 0, 0, 0, 0, 500 },
		.fresh = 1000,
		.step = 50,
		.known = true,
	};
	static const struct {
		u32 step;
		u64 need;
		bool count_fresh;
		unsigned int limit;
	} table[] = {
		{ 50, 0, false, 0 },
		{ 50, 10, false, 0 },
		{ 50, 11, false, 1 },
		{ 50, 30, false, 1 },
		{ 50, 31, false, 2 },
		{ 50, 130, false, 2 },
		{ 50, 131, false, 4 },
		{ 50, 170, false, 4 },
		{ 50, 171, false, 9 },
		{ 50, 670, false, 9 },
		{ 50, 9999, false, 9 },
		{ 50, 1010, true, 0 },
		{ 50, 1011, true, 1 },
		/* A step later what had two left has one, then none: then it is colder than what is in use. */
		{ 51, 131, false, 3 },
		{ 52, 31, false, 1 },
		{ 52, 71, false, 2 },
		{ 52, 171, false, 7 },
		{ 56, 171, false, 3 },
		{ 57, 171, false, 1 },
		/* In use is no mark: it does not age, and leaves when all else is not enough. */
		{ 1000, 570, false, 1 },
		{ 1000, 571, false, 2 },
		{ 1000, 671, false, 9 },
		{ 1000, 10, false, 0 },
	};
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		unit_check(tc_recency_limit(&seen, table[i].step, table[i].need,
					    table[i].count_fresh) == table[i].limit,
			   "row %u: %u", i,
			   tc_recency_limit(&seen, table[i].step, table[i].need,
					    table[i].count_fresh));
}

/* The clock wraps between the walk and the next one. */
static void the_clock_wraps(void **unused)
{
	struct tc_recency seen = { .pages = { [9] = 5 }, .step = ~0U, .known = true };

	(void)unused;
	assert_int_equal(tc_recency_limit(&seen, 2, 5, false), 6);
}

/* Before any walk, and after one that counted by another rule. */
static void nothing_is_known(void **unused)
{
	struct tc_recency seen = { .pages = { 1, 2, 3 }, .fresh = 4 };

	(void)unused;
	assert_int_equal(tc_recency_limit(&seen, 0, 1000, true), TC_RANK_UNUSED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks),
		cmocka_unit_test(the_limit),
		cmocka_unit_test(the_clock_wraps),
		cmocka_unit_test(nothing_is_known),
	};

	return cmocka_run_group_tests_name("recency", tests, NULL, NULL);
}
