// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the intervals between adaptations and coolings.
 * Knows the rule that interval.h states.
 * Does not know where samples come from.
 */
#include "unit.h"

#include "interval.h"

#define GIB_PAGES (1ULL << 18)

static struct tc_intervals scale(u64 pages, u32 adaptation, u32 cooling)
{
	struct tc_intervals out;

	tc_intervals_scale(pages, adaptation, cooling, &out);
	return out;
}

static void expect(struct tc_intervals got, u32 adaptation, u32 cooling)
{
	assert_int_equal(got.adaptation, adaptation);
	assert_int_equal(got.cooling, cooling);
}

static void large_machines_have_the_papers_intervals(void **unused)
{
	(void)unused;
	expect(scale(64 * GIB_PAGES, 0, 0), 100000, 2000000);
	expect(scale(1024 * GIB_PAGES, 0, 0), 100000, 2000000);
	expect(scale(TC_U64_MAX, 0, 0), 100000, 2000000);
	expect(scale(1000000, 0, 0), 100000, 2000000);
	expect(scale(999999, 0, 0), 99999, 1999998);
}

static void small_machines_have_two_samples_per_page(void **unused)
{
	(void)unused;
	expect(scale(GIB_PAGES, 0, 0), 26214, 524288);
	expect(scale(GIB_PAGES / 4, 0, 0), 6553, 131072);
	expect(scale(10001, 0, 0), 1000, 20002);
	expect(scale(10000, 0, 0), 1000, 20000);
	expect(scale(1, 0, 0), 1000, 20000);
	expect(scale(0, 0, 0), 1000, 20000);
}

static void parameters_override(void **unused)
{
	(void)unused;
	expect(scale(64 * GIB_PAGES, 5000, 0), 5000, 2000000);
	expect(scale(64 * GIB_PAGES, 0, 60000), 3000, 60000);
	expect(scale(64 * GIB_PAGES, 0, 10000), 1000, 10000);
	expect(scale(64 * GIB_PAGES, 0, 300), 300, 300);
	expect(scale(64 * GIB_PAGES, 0, 1), 1, 1);
	expect(scale(64 * GIB_PAGES, 7, 3), 7, 3);
	expect(scale(1, ~0U, ~0U), ~0U, ~0U);
}

static void more_memory_never_means_shorter_intervals(void **unused)
{
	struct tc_intervals last = scale(0, 0, 0);
	u64 pages;

	(void)unused;
	for (pages = 0; pages < 1100000; pages += 37) {
		struct tc_intervals now = scale(pages, 0, 0);

		unit_check(now.adaptation >= last.adaptation && now.cooling >= last.cooling,
			   "shorter at %llu pages", (unsigned long long)pages);
		last = now;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(large_machines_have_the_papers_intervals),
		cmocka_unit_test(small_machines_have_two_samples_per_page),
		cmocka_unit_test(parameters_override),
		cmocka_unit_test(more_memory_never_means_shorter_intervals),
	};

	return cmocka_run_group_tests_name("interval", tests, NULL, NULL);
}
