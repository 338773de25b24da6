// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the legal IBS periods against a sieve.
 * Knows the sieve of Eratosthenes.
 * Does not know hardware.
 */
#include "unit.h"

#include <stdlib.h>

#include "prime.h"

#define QUOTIENTS (TC_IBS_PERIOD_MAX / 16 + 1)

static u8 *composite;

static int sieve(void **unused)
{
	u32 i, multiple;

	(void)unused;
	composite = calloc(QUOTIENTS, 1);
	if (!composite)
		return -1;
	for (i = 2; i * i < QUOTIENTS; i++)
		for (multiple = i * i; !composite[i] && multiple < QUOTIENTS; multiple += i)
			composite[multiple] = 1;
	return 0;
}

static int free_sieve(void **unused)
{
	(void)unused;
	free(composite);
	return 0;
}

static bool legal_by_sieve(u64 period)
{
	return period % 16 == 0 && period / 16 >= 9 && period / 16 < QUOTIENTS &&
	       !composite[period / 16];
}

static void check_legal(u64 period)
{
	unit_check(tc_ibs_period_legal(period) == legal_by_sieve(period), "period %llu",
		   (unsigned long long)period);
}

static void legal_is_what_the_sieve_says(void **unused)
{
	unsigned int i;
	u64 period;

	(void)unused;
	unit_seed();
	for (period = 0; period < 300000; period++)
		check_legal(period);
	for (period = TC_IBS_PERIOD_MAX - 100000; period < TC_IBS_PERIOD_MAX + 100000; period++)
		check_legal(period);
	for (i = 0; i < 20000; i++) {
		check_legal(unit_below(QUOTIENTS) * 16);
		check_legal(unit_magnitude());
	}
}

static void known_periods(void **unused)
{
	(void)unused;
	assert_true(tc_ibs_period_legal(16 * 1021));
	assert_true(tc_ibs_period_legal(16 * 11));
	assert_true(tc_ibs_period_legal(16 * 8388593ULL));
	assert_false(tc_ibs_period_legal(0));
	assert_false(tc_ibs_period_legal(16 * 2));
	assert_false(tc_ibs_period_legal(16 * 7));
	assert_false(tc_ibs_period_legal(0x90));
	assert_false(tc_ibs_period_legal(16 * 1022));
	assert_false(tc_ibs_period_legal(16 * 1021 + 1));
	assert_false(tc_ibs_period_legal(16 * 8388617ULL));
	assert_false(tc_ibs_period_legal(((u64)1 << 36) + 16 * 1021));
}

/* The nearest by looking at every period outwards; of two, the shorter. */
static u64 nearest_by_search(u64 period)
{
	u64 away;

	for (away = 0;; away++) {
		if (period >= away && legal_by_sieve(period - away))
			return period - away;
		if (legal_by_sieve(period + away))
			return period + away;
	}
}

static void check_nearest(u64 period)
{
	u64 nearest = tc_ibs_period_nearest(period);

	unit_check(nearest == nearest_by_search(period), "nearest to %llu is not %llu",
		   (unsigned long long)period, (unsigned long long)nearest);
}

static void nearest_is_what_a_search_finds(void **unused)
{
	unsigned int i;
	u64 period;

	(void)unused;
	unit_seed();
	for (period = 0; period < 20000; period++)
		check_nearest(period);
	for (period = TC_IBS_PERIOD_MAX - 600; period < TC_IBS_PERIOD_MAX + 600; period++)
		check_nearest(period);
	for (i = 0; i < 3000; i++)
		check_nearest(unit_below(TC_IBS_PERIOD_MAX));
}

static void nearest_of_extremes(void **unused)
{
	(void)unused;
	assert_true(tc_ibs_period_nearest(0) == 16 * 11);
	assert_true(tc_ibs_period_nearest(0x90) == 16 * 11);
	assert_true(tc_ibs_period_nearest(16 * 12) == 16 * 11);
	assert_true(tc_ibs_period_nearest(16 * 1021) == 16 * 1021);
	assert_true(tc_ibs_period_nearest(TC_U64_MAX) == 16 * 8388593ULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(legal_is_what_the_sieve_says),
		cmocka_unit_test(known_periods),
		cmocka_unit_test(nearest_is_what_a_search_finds),
		cmocka_unit_test(nearest_of_extremes),
	};

	return cmocka_run_group_tests_name("prime", tests, sieve, free_sieve);
}
