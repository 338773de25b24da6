// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the histograms of processes against values computed by hand.
 * Knows what subpage.h promises.
 * Does not know processes.
 */
#include <string.h>

#include "unit.h"

#include "subpage.h"

static struct tc_subpage room[TC_SUBPAGE_PROCESSES];

static struct tc_subpages table(u32 nr)
{
	memset(room, 0, sizeof(room));
	return (struct tc_subpages){ .entry = room, .nr = nr };
}

static u32 count(struct tc_subpages *t, u32 tgid, unsigned int page, u32 epoch)
{
	const struct tc_subpage *s = tc_subpages_find(t, tgid, epoch);

	return s ? s->count[page] : ~0U;
}

static void counts_by_process_and_page(void **unused)
{
	struct tc_subpages t = table(4);

	(void)unused;
	tc_subpages_sample(&t, 10, 0, 0);
	tc_subpages_sample(&t, 10, 511, 0);
	tc_subpages_sample(&t, 10, 511, 0);
	tc_subpages_sample(&t, 11, 511, 0);
	/* a larger number is taken modulo 512, not 511 */
	tc_subpages_sample(&t, 11, 512, 0);
	tc_subpages_sample(&t, 11, 1023, 0);
	assert_int_equal(count(&t, 10, 0, 0), 1);
	assert_int_equal(count(&t, 10, 511, 0), 2);
	assert_int_equal(count(&t, 11, 511, 0), 2);
	assert_int_equal(count(&t, 11, 0, 0), 1);
	assert_null(tc_subpages_find(&t, 12, 0));
}

static void process_not_known(void **unused)
{
	struct tc_subpages t = table(4), none = table(0);

	(void)unused;
	tc_subpages_sample(&t, 0, 5, 0);
	assert_int_equal(t.samples, 0);
	assert_null(tc_subpages_find(&t, 0, 0));
	tc_subpages_sample(&none, 1, 5, 0);
	assert_null(tc_subpages_find(&none, 1, 0));
}

static void halves_at_each_epoch(void **unused)
{
	/* 1000 samples, and what is left after so many epochs */
	static const struct {
		u32 passed, left;
	} rows[] = { { 0, 1000 }, { 1, 500 }, { 2, 250 }, { 3, 125 },
		     { 9, 1 },	  { 10, 0 },  { 11, 0 },  { 40, 0 } };
	unsigned int i, n;

	(void)unused;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tc_subpages t = table(1);

		/* epochs may wrap */
		for (n = 0; n < 1000; n++)
			tc_subpages_sample(&t, 7, 3, ~0U);
		unit_check(count(&t, 7, 3, ~0U + rows[i].passed) == rows[i].left, "row %u: %u left",
			   i, count(&t, 7, 3, ~0U + rows[i].passed));
	}
}

static void a_sample_decays_first(void **unused)
{
	struct tc_subpages t = table(1);

	(void)unused;
	tc_subpages_sample(&t, 7, 3, 0);
	tc_subpages_sample(&t, 7, 3, 0);
	tc_subpages_sample(&t, 7, 3, 0);
	tc_subpages_sample(&t, 7, 3, 1);
	assert_int_equal(count(&t, 7, 3, 1), 2);
}

static void least_recently_sampled_goes(void **unused)
{
	struct tc_subpages t = table(2);

	(void)unused;
	tc_subpages_sample(&t, 1, 0, 0);
	tc_subpages_sample(&t, 2, 0, 0);
	tc_subpages_sample(&t, 1, 1, 0);
	assert_int_equal(t.evicted, 0);
	tc_subpages_sample(&t, 3, 9, 0);
	assert_int_equal(t.evicted, 1);
	assert_null(tc_subpages_find(&t, 2, 0));
	assert_int_equal(count(&t, 1, 1, 0), 1);
	/* nothing of the one before is left in it */
	assert_int_equal(count(&t, 3, 0, 0), 0);
	assert_int_equal(count(&t, 3, 9, 0), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_by_process_and_page),
		cmocka_unit_test(process_not_known),
		cmocka_unit_test(halves_at_each_epoch),
		cmocka_unit_test(a_sample_decays_first),
		cmocka_unit_test(least_recently_sampled_goes),
	};

	return cmocka_run_group_tests_name("subpage", tests, NULL, NULL);
}
