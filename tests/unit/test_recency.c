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
	assert_int_equal(tc_rank(1, 0), 2);
	assert_int_equal(tc_rank(1, 15), 2);
	assert_int_equal(tc_rank(7, 9), 8);
	assert_true(tc_rank(TC_TOUCH_STEPS, TC_BINS - 1) == TC_RANKS - 1);
}

static void the_limit(void **unused)
{
	static const struct tc_recency seen = {
		.pages = { 10, 20, 0, 40, 0, 0, 0, 0, 500 },
		.fresh = 1000,
		.step = 50,
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
		{ 50, 31, false, 3 },
		{ 50, 70, false, 3 },
		{ 50, 71, false, 8 },
		{ 50, 570, false, 8 },
		{ 50, 9999, false, 8 },
		{ 50, 1010, true, 0 },
		{ 50, 1011, true, 1 },
		/* A step later what had two left has one, then none. */
		{ 51, 31, false, 2 },
		{ 52, 31, false, 1 },
		{ 52, 71, false, 6 },
		{ 56, 71, false, 2 },
		{ 57, 71, false, 1 },
		{ 1000, 570, false, 1 },
		{ 1000, 571, false, 8 },
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
	struct tc_recency seen = { .pages = { [8] = 5 }, .step = ~0U };

	(void)unused;
	assert_int_equal(tc_recency_limit(&seen, 2, 5, false), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks),
		cmocka_unit_test(the_limit),
		cmocka_unit_test(the_clock_wraps),
	};

	return cmocka_run_group_tests_name("recency", tests, NULL, NULL);
}
