// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the pacer: ladders, and a model of a machine whose sampling costs what its period says.
 * Knows that cost goes with the number of samples.
 * Does not know how a step is chosen.
 */
#include "unit.h"

#include "pacer.h"
#include "prime.h"

static bool legal(enum tc_ladder ladder, u32 period)
{
	return ladder == TC_LADDER_IBS ? tc_ibs_period_legal(period) : tc_is_prime(period);
}

/* Legal, longer with each step, and no step is more than half as long again. */
static void check_ladder(enum tc_ladder ladder, u32 start)
{
	u32 top = tc_ladder_top(ladder, start), step, period, before = start;

	assert_true(tc_ladder_period(ladder, start, 0) == start);
	for (step = 1; step <= top; step++) {
		period = tc_ladder_period(ladder, start, step);
		unit_check(legal(ladder, period), "%u, step %u: %u is not legal", start, step,
			   period);
		unit_check(period > before && period <= before + before / 2,
			   "%u, step %u: %u after %u", start, step, period, before);
		before = period;
	}
	period = tc_ladder_period(ladder, start, top + 1);
	unit_check(period <= before, "%u: above the top, %u, is %u", start, before, period);
	assert_true(tc_ladder_period(ladder, start, UINT32_MAX) ==
		    tc_ladder_period(ladder, start, TC_PACER_STEPS));
}

static void ladders(void **unused)
{
	u32 n, i;

	(void)unused;
	unit_seed();
	for (n = TC_IBS_PERIOD_MIN; n < 20000; n++)
		if (tc_ibs_period_legal(n))
			check_ladder(TC_LADDER_IBS, n);
	for (n = TC_PRIME_PERIOD_MIN; n < 3000; n++)
		if (tc_is_prime(n))
			check_ladder(TC_LADDER_PRIME, n);
	for (i = 0; i < 50; i++) {
		check_ladder(TC_LADDER_IBS, tc_ibs_period_nearest(unit_below(TC_IBS_PERIOD_MAX)));
		check_ladder(TC_LADDER_PRIME,
			     tc_prime_nearest(unit_below(1ULL << 31), TC_PRIME_PERIOD_MIN,
					      TC_PRIME_PERIOD_MAX));
	}
	assert_int_equal(tc_ladder_top(TC_LADDER_PRIME, TC_PRIME_PERIOD_MAX), 0);
	assert_int_equal(tc_ladder_top(TC_LADDER_IBS, 16336), TC_PACER_STEPS);
}

/* What sampling takes at the pacer's step, of a load that takes @full at step 0. */
static u32 cost(const struct tc_pacer *p, u32 start, u64 full)
{
	return full * start / tc_ladder_period(TC_LADDER_IBS, start, p->step);
}

/* Any load comes to the limit and stays: no swing between two steps. */
static void comes_to_the_limit(void **unused)
{
	static const u32 limits[] = { 100, 3000, 10000, 30000, 100000 };
	u32 start = 16336, top = tc_ladder_top(TC_LADDER_IBS, 16336), full, i, n;
	struct tc_pacer p;

	(void)unused;
	for (i = 0; i < 5; i++)
		for (full = 100; full < 2000000; full = full * 5 / 4) {
			u32 limit = limits[i], changes = 0;

			tc_pacer_init(&p);
			for (n = 0; n < 60; n++) {
				u32 step = p.step;

				tc_pacer_check(&p, cost(&p, start, full), limit, top);
				if (n >= 40)
					changes += p.step != step;
			}
			unit_check(cost(&p, start, full) <= limit + limit / 50 + 3 || p.step == top,
				   "%u of %u at step %u", cost(&p, start, full), limit, p.step);
			unit_check(changes <= 1, "load %u, limit %u: %u changes at the end", full,
				   limit, changes);
			/* and not more than needed: two steps finer would be too much */
			if (p.step >= 2 && limit >= 1000) {
				p.step -= 2;
				unit_check(cost(&p, start, full) >= limit * 9 / 10,
					   "load %u, limit %u: %u at step %u", full, limit,
					   cost(&p, start, full), p.step);
			}
		}
}

/* When the load goes, the period comes all the way back, and never below its start. */
static void comes_back(void **unused)
{
	u32 start = 16336, top = tc_ladder_top(TC_LADDER_IBS, 16336), n;
	struct tc_pacer p;

	(void)unused;
	tc_pacer_init(&p);
	for (n = 0; n < 20; n++)
		tc_pacer_check(&p, cost(&p, start, 2000000), 30000, top);
	assert_true(p.step > 10);
	for (n = 0; n < 100; n++)
		tc_pacer_check(&p, cost(&p, start, 1000), 30000, top);
	assert_int_equal(p.step, 0);
}

static void flood_acts_at_once_and_holds(void **unused)
{
	struct tc_pacer p;
	u32 n;

	(void)unused;
	tc_pacer_init(&p);
	assert_int_equal(tc_pacer_flood(&p, 48), TC_PACE_LONGER);
	assert_int_equal(p.step, TC_PACER_FLOOD_STEPS);
	for (n = 0; n < TC_PACER_HOLD_MIN; n++)
		assert_int_equal(tc_pacer_check(&p, 0, 300, 48), TC_PACE_KEEP);
	assert_int_equal(tc_pacer_check(&p, 0, 300, 48), TC_PACE_SHORTER);
	/* again and again: it holds longer, up to a bound */
	for (n = 0; n < 100; n++)
		tc_pacer_flood(&p, 48);
	assert_int_equal(p.step, 48);
	assert_int_equal(tc_pacer_flood(&p, 48), TC_PACE_KEEP);
	assert_int_equal(p.hold, TC_PACER_HOLD_MAX);
	for (n = 0; n < TC_PACER_HOLD_MAX; n++)
		assert_int_equal(tc_pacer_check(&p, 0, 300, 48), TC_PACE_KEEP);
	for (n = 0; n < 48; n++)
		assert_int_equal(tc_pacer_check(&p, 0, 300, 48), TC_PACE_SHORTER);
	assert_int_equal(tc_pacer_check(&p, 0, 300, 48), TC_PACE_KEEP);
}

static void shares(void **unused)
{
	(void)unused;
	assert_int_equal(tc_pacer_share(300, 0), 300);
	assert_int_equal(tc_pacer_share(300, 100), 200);
	assert_int_equal(tc_pacer_share(300, 150), 150);
	assert_int_equal(tc_pacer_share(300, 10000), 150);
	assert_int_equal(tc_pacer_share(1, UINT32_MAX), 1);
}

static void bounds_hold(void **unused)
{
	struct tc_pacer p;
	u32 n, top;

	(void)unused;
	unit_seed();
	tc_pacer_init(&p);
	for (n = 0; n < 100000; n++) {
		top = TC_PACER_STEPS;
		if (unit_chance(10))
			tc_pacer_flood(&p, top);
		else
			tc_pacer_check(&p, unit_magnitude(), 1 + unit_below(10000), top);
		assert_true(p.step <= top && p.hold <= TC_PACER_HOLD_MAX);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ladders),    cmocka_unit_test(comes_to_the_limit),
		cmocka_unit_test(comes_back), cmocka_unit_test(flood_acts_at_once_and_holds),
		cmocka_unit_test(shares),     cmocka_unit_test(bounds_hold),
	};

	return cmocka_run_group_tests_name("pacer", tests, NULL, NULL);
}
