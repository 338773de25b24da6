// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the look ahead at free memory, against courses computed by hand.
 * Knows what trend.h promises.
 * Does not know how a trend is kept.
 */
#include "unit.h"

#include "trend.h"

static void a_course_by_hand(void **unused)
{
	static const struct {
		u64 free, ahead;
	} course[] = {
		{ 10000, 0 },	{ 10000, 0 },
		{ 9000, 4000 }, /* a fall of 1000: four more of them */
		{ 8000, 4000 }, { 8000, 3000 }, /* it pauses: 750 */
		{ 7900, 2248 }, /* less than was expected: 562 */
		{ 9000, 1684 }, /* a rise is no fall: 421 */
		{ 7000, 8000 }, { 7000, 6000 },
		{ 2000, 9000 }, /* at most so much */
		{ 2000, 9000 }, /* 3750 a tick, still more than that */
		{ 2000, 9000 }, { 2000, 8436 },
		{ 2000, 6324 },
	};
	struct tc_trend t = { 0 };
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(course) / sizeof(course[0]); i++) {
		tc_trend_tick(&t, course[i].free, 99, 9000);
		unit_check(t.ahead == course[i].ahead, "tick %u: %llu", i,
			   (unsigned long long)t.ahead);
	}
}

static void what_rises_or_stands_still_has_none(void **unused)
{
	struct tc_trend t = { 0 };
	unsigned int i;

	(void)unused;
	for (i = 0; i < 1000; i++) {
		tc_trend_tick(&t, 5000 + i / 2, 0, 4000);
		assert_true(t.ahead == 0);
	}
}

/* A batch in hand is counted at its end. */
static void what_may_be_an_error_is_no_fall(void **unused)
{
	struct tc_trend t = { 0 };

	(void)unused;
	tc_trend_tick(&t, 5000, 100, 4000);
	tc_trend_tick(&t, 4900, 100, 4000);
	assert_true(t.ahead == 0);
	tc_trend_tick(&t, 5000, 100, 4000);
	tc_trend_tick(&t, 4899, 100, 4000);
	assert_true(t.ahead == 404);
}

/* An expectation ends: after a fall of the largest burst, within some ten seconds. */
static void it_is_forgotten(void **unused)
{
	struct tc_trend t = { 0 };
	unsigned int i;

	(void)unused;
	tc_trend_tick(&t, 1 << 20, 99, 1 << 18);
	tc_trend_tick(&t, 0, 99, 1 << 18);
	assert_true(t.ahead == 1 << 18);
	for (i = 0; i < 50; i++)
		tc_trend_tick(&t, 0, 99, 1 << 18);
	assert_true(t.ahead == 0);
}

static void bounds_hold(void **unused)
{
	struct tc_trend t = { 0 };
	int i;

	(void)unused;
	unit_seed();
	for (i = 0; i < 200000; i++) {
		u64 most = unit_magnitude();

		tc_trend_tick(&t, unit_magnitude(), unit_magnitude(), most);
		assert_true(t.ahead <= most);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_course_by_hand),
		cmocka_unit_test(what_rises_or_stands_still_has_none),
		cmocka_unit_test(what_may_be_an_error_is_no_fall),
		cmocka_unit_test(it_is_forgotten),
		cmocka_unit_test(bounds_hold),
	};

	return cmocka_run_group_tests_name("trend", tests, NULL, NULL);
}
