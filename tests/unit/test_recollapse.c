// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the memory of regions that were split.
 * Knows what recollapse.h promises.
 * Does not know how keys are made.
 */
#include "unit.h"

#include <string.h>

#include "recollapse.h"

#define SLOTS 16

static struct tc_split_region slots[SLOTS];
static struct tc_split_regions regions;

static int setup(void **unused)
{
	(void)unused;
	memset(slots, 0, sizeof(slots));
	regions = (struct tc_split_regions){ .slot = slots, .mask = SLOTS - 1 };
	return 0;
}

/* Keys that all have the same places. */
static u64 rival(unsigned int i)
{
	return 4 + (u64)SLOTS * i;
}

static void noticed_once(void **unused)
{
	(void)unused;
	assert_false(tc_split_region_seen_whole(&regions, 77, 5));
	tc_split_region_add(&regions, 77, 5);
	assert_false(tc_split_region_seen_whole(&regions, 78, 6));
	assert_true(tc_split_region_seen_whole(&regions, 77, 6));
	assert_false(tc_split_region_seen_whole(&regions, 77, 7));
	/* Split once more, and made whole once more. */
	tc_split_region_add(&regions, 77, 8);
	assert_true(tc_split_region_seen_whole(&regions, 77, 9));
}

static void left_alone_for_a_while(void **unused)
{
	(void)unused;
	tc_split_region_add(&regions, 77, 5);
	assert_false(tc_split_region_alone(&regions, 77, 5, 100));
	assert_true(tc_split_region_seen_whole(&regions, 77, 50));
	assert_true(tc_split_region_alone(&regions, 77, 50, 100));
	assert_true(tc_split_region_alone(&regions, 77, 149, 100));
	assert_false(tc_split_region_alone(&regions, 78, 149, 100));
	assert_false(tc_split_region_alone(&regions, 77, 150, 100));
	/* It is forgotten: whole is what it is now. */
	assert_false(tc_split_region_seen_whole(&regions, 77, 151));
	assert_false(tc_split_region_alone(&regions, 77, 60, 100));
}

static void the_clock_wraps(void **unused)
{
	(void)unused;
	tc_split_region_add(&regions, 77, ~0U - 1);
	assert_true(tc_split_region_seen_whole(&regions, 77, ~0U));
	assert_true(tc_split_region_alone(&regions, 77, 3, 5));
	assert_false(tc_split_region_alone(&regions, 77, 4, 5));
}

static void no_key_is_none(void **unused)
{
	(void)unused;
	tc_split_region_add(&regions, 0, 5);
	assert_false(tc_split_region_seen_whole(&regions, 0, 6));
	assert_false(tc_split_region_alone(&regions, 0, 6, 100));
}

static void the_oldest_goes(void **unused)
{
	unsigned int i;

	(void)unused;
	for (i = 0; i < TC_RECOLLAPSE_WAYS; i++)
		tc_split_region_add(&regions, rival(i), 10 + i);
	/* Seen just now, so the next oldest is the second. */
	assert_true(tc_split_region_seen_whole(&regions, rival(0), 20));
	tc_split_region_add(&regions, rival(9), 21);
	assert_true(tc_split_region_alone(&regions, rival(0), 22, 100));
	assert_false(tc_split_region_seen_whole(&regions, rival(1), 22));
	for (i = 2; i < TC_RECOLLAPSE_WAYS; i++)
		assert_true(tc_split_region_seen_whole(&regions, rival(i), 22));
	assert_true(tc_split_region_seen_whole(&regions, rival(9), 22));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(noticed_once, setup),
		cmocka_unit_test_setup(left_alone_for_a_while, setup),
		cmocka_unit_test_setup(the_clock_wraps, setup),
		cmocka_unit_test_setup(no_key_is_none, setup),
		cmocka_unit_test_setup(the_oldest_goes, setup),
	};

	return cmocka_run_group_tests_name("recollapse", tests, NULL, NULL);
}
