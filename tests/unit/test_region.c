// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the memory of regions.
 * Knows what region.h promises, and a plain table of what every region must have.
 * Does not know how keys are made.
 */
#include "unit.h"

#include <string.h>

#include "region.h"

#define SLOTS 16

static struct tc_region slots[SLOTS];
static struct tc_regions regions;

static int setup(void **unused)
{
	(void)unused;
	memset(slots, 0, sizeof(slots));
	regions = (struct tc_regions){ .slot = slots, .mask = SLOTS - 1 };
	return 0;
}

/* Keys that all have the same places. */
static u64 rival(unsigned int i)
{
	return 4 + (u64)SLOTS * i;
}

static void taken_once(void **unused)
{
	(void)unused;
	tc_region_add(&regions, 77, 16, 0);
	tc_region_add(&regions, 77, 16, 0);
	tc_region_add(&regions, 78, 5, 0);
	assert_int_equal(tc_region_take(&regions, 77, 0), 32);
	assert_int_equal(tc_region_take(&regions, 77, 0), 0);
	assert_int_equal(tc_region_take(&regions, 78, 0), 5);
	assert_int_equal(tc_region_take(&regions, 79, 0), 0);
}

static void cools_with_the_machine(void **unused)
{
	(void)unused;
	tc_region_add(&regions, 77, 100, 5);
	assert_int_equal(tc_region_take(&regions, 77, 7), 25);
	tc_region_add(&regions, 77, 100, 5);
	tc_region_add(&regions, 77, 16, 6);
	assert_int_equal(tc_region_take(&regions, 77, 6), 66);
	/* The epoch wraps. */
	tc_region_add(&regions, 77, 100, ~0U);
	assert_int_equal(tc_region_take(&regions, 77, 1), 25);
}

static void any_lag_at_once(void **unused)
{
	static const unsigned int lags[] = { 31, 32, 33, 63, 64, 65, 1000000 };
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(lags) / sizeof(lags[0]); i++) {
		tc_region_add(&regions, 77, ~0U, 3);
		assert_int_equal(tc_region_take(&regions, 77, 3 + lags[i]), lags[i] == 31);
	}
}

static void heat_stops_at_its_maximum(void **unused)
{
	(void)unused;
	tc_region_add(&regions, 77, ~0U - 1, 0);
	tc_region_add(&regions, 77, 1, 0);
	assert_true(tc_region_take(&regions, 77, 0) == ~0U);
	tc_region_add(&regions, 77, ~0U - 1, 0);
	tc_region_add(&regions, 77, 16, 0);
	assert_true(tc_region_take(&regions, 77, 0) == ~0U);
}

static void key_zero_is_nobody(void **unused)
{
	static const struct tc_region free_slots[SLOTS];

	(void)unused;
	tc_region_add(&regions, 0, 16, 0);
	assert_memory_equal(slots, free_slots, sizeof(slots));
	assert_int_equal(tc_region_take(&regions, 0, 0), 0);
}

static void coldest_gives_way(void **unused)
{
	(void)unused;
	tc_region_add(&regions, rival(0), 50, 0);
	tc_region_add(&regions, rival(1), 10, 0);
	tc_region_add(&regions, rival(2), 30, 0);
	tc_region_add(&regions, rival(3), 40, 0);
	tc_region_add(&regions, rival(4), 16, 0);
	assert_int_equal(tc_region_take(&regions, rival(0), 0), 50);
	assert_int_equal(tc_region_take(&regions, rival(1), 0), 0);
	assert_int_equal(tc_region_take(&regions, rival(2), 0), 30);
	assert_int_equal(tc_region_take(&regions, rival(3), 0), 40);
	assert_int_equal(tc_region_take(&regions, rival(4), 0), 16);
}

static void coldest_is_judged_by_present_heat(void **unused)
{
	(void)unused;
	tc_region_add(&regions, rival(0), 20, 8);
	tc_region_add(&regions, rival(1), 50, 5);
	tc_region_add(&regions, rival(2), 20, 8);
	tc_region_add(&regions, rival(3), 20, 8);
	tc_region_add(&regions, rival(4), 16, 8);
	assert_int_equal(tc_region_take(&regions, rival(1), 8), 0);
	assert_int_equal(tc_region_take(&regions, rival(0), 8), 20);
	assert_int_equal(tc_region_take(&regions, rival(4), 8), 16);
}

static void hotter_ones_stay(void **unused)
{
	unsigned int i;

	(void)unused;
	for (i = 0; i < TC_REGION_WAYS; i++)
		tc_region_add(&regions, rival(i), 100, 0);
	tc_region_add(&regions, rival(4), 99, 0);
	assert_int_equal(tc_region_take(&regions, rival(4), 0), 0);
	for (i = 0; i < TC_REGION_WAYS; i++)
		assert_int_equal(tc_region_take(&regions, rival(i), 0), 100);
}

static void free_place_is_used_first(void **unused)
{
	(void)unused;
	tc_region_add(&regions, rival(0), 1, 0);
	tc_region_add(&regions, rival(1), 2, 0);
	tc_region_add(&regions, rival(2), 3, 0);
	tc_region_add(&regions, rival(3), 50, 0);
	assert_int_equal(tc_region_take(&regions, rival(3), 0), 50);
	tc_region_add(&regions, rival(4), 40, 0);
	assert_int_equal(tc_region_take(&regions, rival(0), 0), 1);
	assert_int_equal(tc_region_take(&regions, rival(4), 0), 40);
}

/* As many regions as there are places for, in random order: none is lost, each has its heat. */
static void random_sequences(void **unused)
{
	u64 expected[SLOTS];
	unsigned int round, i;

	(void)unused;
	unit_seed();
	for (round = 0; round < 300; round++) {
		u32 epoch = 0U - unit_below(100);

		setup(NULL);
		memset(expected, 0, sizeof(expected));
		for (i = 0; i < 500; i++) {
			unsigned int n = unit_below(SLOTS);
			u64 key = n + 1 + SLOTS * (u64)round;

			if (unit_chance(10)) {
				for (n = 0; n < SLOTS; n++)
					expected[n] /= 2;
				epoch++;
			} else if (unit_chance(20)) {
				unit_check(tc_region_take(&regions, key, epoch) == expected[n],
					   "round %u: wrong heat of region %u", round, n);
				expected[n] = 0;
			} else {
				u32 amount = unit_magnitude();

				tc_region_add(&regions, key, amount, epoch);
				expected[n] += amount;
				if (expected[n] > ~0U)
					expected[n] = ~0U;
			}
		}
	}
}

#define region_test(f) cmocka_unit_test_setup(f, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		region_test(taken_once),
		region_test(cools_with_the_machine),
		region_test(any_lag_at_once),
		region_test(heat_stops_at_its_maximum),
		region_test(key_zero_is_nobody),
		region_test(coldest_gives_way),
		region_test(coldest_is_judged_by_present_heat),
		region_test(hotter_ones_stay),
		region_test(free_place_is_used_first),
		region_test(random_sequences),
	};

	return cmocka_run_group_tests_name("region", tests, NULL, NULL);
}
