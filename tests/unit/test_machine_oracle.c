// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the oracle against a search over every placement.
 * Knows that a placement is a subset of the pages.
 * Does not know how the best one is found.
 */
#include "unit.h"

#include "oracle.h"

#define PAGES 10

/* The best of all subsets of so many pages. */
static u64 by_search(const u64 *count, unsigned int size)
{
	unsigned int subset, page;
	u64 best = 0;

	for (subset = 0; subset < 1U << PAGES; subset++) {
		u64 sum = 0;

		if ((unsigned int)__builtin_popcount(subset) != size)
			continue;
		for (page = 0; page < PAGES; page++)
			sum += subset >> page & 1 ? count[page] : 0;
		if (sum > best)
			best = sum;
	}
	return best;
}

static void no_placement_is_better(void **unused)
{
	u64 count[PAGES], sizes[PAGES + 1], best[PAGES + 1];
	unsigned int i, round;

	(void)unused;
	unit_seed();
	for (i = 0; i <= PAGES; i++)
		sizes[i] = i;
	for (round = 0; round < 100; round++) {
		for (i = 0; i < PAGES; i++)
			count[i] = unit_magnitude() >> 8;
		assert_true(tcm_oracle_best(count, PAGES, sizes, PAGES + 1, best));
		for (i = 0; i <= PAGES; i++)
			unit_check(best[i] == by_search(count, i), "%u pages", i);
	}
}

static void more_than_there_are(void **unused)
{
	const u64 count[] = { 5, 0, 7 }, sizes[] = { 100, 1 };
	u64 best[2];

	(void)unused;
	assert_true(tcm_oracle_best(count, 3, sizes, 2, best));
	assert_int_equal(best[0], 12);
	assert_int_equal(best[1], 7);
	assert_true(tcm_oracle_best(count, 0, sizes, 2, best));
	assert_int_equal(best[0], 0);
	assert_int_equal(count[0], 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_placement_is_better),
		cmocka_unit_test(more_than_there_are),
	};

	return cmocka_run_group_tests_name("machine_oracle", tests, NULL, NULL);
}
