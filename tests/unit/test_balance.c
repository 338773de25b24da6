// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the balance rule on sequences of windows computed by hand, and against a model of two tiers.
 * Knows what balance.h promises.
 * Does not know nodes.
 */
#include "unit.h"

#include "balance.h"

static void windows(struct tc_balance *b, unsigned int n, u32 fast_ns, u32 slow_ns, bool settled)
{
	while (n--)
		tc_balance_window(b, fast_ns, slow_ns, settled);
}

static void stops_and_goes_on(void **unused)
{
	static const struct {
		bool before;
		u32 fast, slow;
		bool after;
	} rows[] = {
		{ false, 80, 170, false },
		{ true, 80, 170, false },
		/* equal within 5 %: as before */
		{ false, 100, 100, false },
		{ true, 100, 100, true },
		{ false, 105, 100, false },
		{ true, 100, 105, true },
		/* and beyond */
		{ false, 106, 100, true },
		{ true, 100, 106, false },
		/* not known: as if nothing was wrong */
		{ true, 0, 100, false },
		{ true, 100, 0, false },
	};
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tc_balance b = { .stopped = rows[i].before };

		tc_balance_window(&b, rows[i].fast, rows[i].slow, true);
		unit_check(b.stopped == rows[i].after, "row %u: %d", i, b.stopped);
	}
}

static void gives_away_step_by_step(void **unused)
{
	struct tc_balance b = {};

	(void)unused;
	windows(&b, 2, 300, 170, true);
	assert_int_equal(b.reserve_bp, 0);
	windows(&b, 1, 300, 170, true);
	assert_int_equal(b.reserve_bp, 200);
	assert_int_equal(b.steps, 1);
	/* the step before has not shown: however long it takes */
	windows(&b, 1000, 300, 170, false);
	assert_int_equal(b.reserve_bp, 200);
	windows(&b, 3, 300, 170, true);
	assert_int_equal(b.reserve_bp, 400);
	/* equal meanwhile: counted anew */
	windows(&b, 2, 300, 170, true);
	windows(&b, 1, 170, 170, true);
	windows(&b, 2, 300, 170, true);
	assert_int_equal(b.reserve_bp, 400);
	/* the other one is slower: back by half steps */
	windows(&b, 1, 100, 170, true);
	assert_int_equal(b.reserve_bp, 300);
	windows(&b, 10, 100, 170, true);
	assert_int_equal(b.reserve_bp, 0);
}

static void never_gives_all(void **unused)
{
	struct tc_balance b = {};

	(void)unused;
	windows(&b, 10000, 300, 170, true);
	assert_int_equal(b.reserve_bp, TC_BALANCE_MAX_BP);
	assert_int_equal(b.steps, TC_BALANCE_MAX_BP / TC_BALANCE_STEP_BP);
}

/*
 * Two tiers whose latencies depend on what the fast one holds: it takes 60 ns, and 300 ns more when it holds all; the other one
 * 170 ns. They are equal at 36.7 % of it, so 63.3 % would have to go, which is more than is ever given; at 200 ns
 * more they are equal at 55 %, and 45 % would; at 150 ns more at 73.3 %, and about 26.7 % go.
 */
static void settles_where_latencies_meet(void **unused)
{
	struct tc_balance b = {};
	unsigned int i;

	(void)unused;
	for (i = 0; i < 1000; i++)
		tc_balance_window(&b, 60 + 150 * (10000 - b.reserve_bp) / 10000, 170, true);
	/* within the slack of 5 %, 8.5 ns, which are 5.7 % of it, and a step */
	assert_in_range(b.reserve_bp, 2667 - 567 - TC_BALANCE_STEP_BP,
			2667 + 567 + TC_BALANCE_STEP_BP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stops_and_goes_on),
		cmocka_unit_test(gives_away_step_by_step),
		cmocka_unit_test(never_gives_all),
		cmocka_unit_test(settles_where_latencies_meet),
	};

	return cmocka_run_group_tests_name("balance", tests, NULL, NULL);
}
