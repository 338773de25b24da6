// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the skew of a huge page, by hand, and of the list of the most skewed, against a sort.
 * Knows what skew.h promises.
 * Does not know why huge pages are split.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "block_fixture.h"
#include "skew.h"

static struct tc_profile profile(unsigned int hot_bin)
{
	struct tc_profile p;

	assert_true(tc_block_whole(&a));
	tc_block_profile(&a, hot_bin, &p);
	return p;
}

/* A page of 4 KiB is in bin 9 with one sample, 10 with two, 12 with eight. */
static void profile_by_hand(void **unused)
{
	struct tc_profile p;

	(void)unused;
	sample(&a, 3, 9, 8);
	sample(&a, 400, 9, 2);
	sample(&a, 511, 9, 1);
	p = profile(10);
	assert_int_equal(p.sum, 11 * 16);
	assert_int_equal(p.hot, 2);
	assert_true(p.squares == 256 * (64 + 4 + 1));
	assert_true(tc_skew(&p) == 256 * 69 / 4);
	p = profile(12);
	assert_int_equal(p.hot, 1);
	assert_true(tc_skew(&p) == 256 * 69);
	p = profile(13);
	assert_true(p.hot == 0 && tc_skew(&p) == 0);
}

static void flat_or_unknown_is_no_candidate(void **unused)
{
	struct tc_profile p;
	unsigned int page;

	(void)unused;
	sample(&a, 3, 9, 7);
	p = profile(9);
	assert_true(p.hot == 1 && tc_skew(&p) == 0);
	sample(&a, 3, 9, 1);
	p = profile(9);
	assert_true(tc_skew(&p) == 256 * 64);
	for (page = 0; page < TC_BLOCK_PAGES; page++)
		sample(&a, page, 9, 1);
	p = profile(9);
	assert_true(p.hot == TC_BLOCK_PAGES && tc_skew(&p) == 0);
}

static void little_skew_is_more_than_none(void **unused)
{
	struct tc_profile p = { .sum = 200, .hot = 511, .squares = 511 };

	(void)unused;
	assert_true(tc_skew(&p) == 1);
}

static void whole_is_one_folio_of_all(void **unused)
{
	(void)unused;
	assert_false(tc_block_whole(&a));
	sample(&a, 3, 8, 1);
	assert_false(tc_block_whole(&a));
	sample(&a, 3, 9, 1);
	assert_true(tc_block_whole(&a));
	tc_block_rebin(&a, &heat, 511, 0);
	assert_false(tc_block_whole(&a));
}

static int descending(const void *left, const void *right)
{
	u64 l = *(const u64 *)left, r = *(const u64 *)right;

	return l < r ? 1 : l > r ? -1 : 0;
}

static struct tc_skewed_list list;

/* The skews in the list, sorted, are the first of all that were added. */
static void expect_first(u64 *all, unsigned int nr, unsigned int wanted)
{
	u64 have[TC_SKEWED_MAX];
	unsigned int i;

	qsort(all, nr, sizeof(*all), descending);
	unit_check(list.nr == wanted, "%u in the list", list.nr);
	for (i = 0; i < list.nr; i++) {
		have[i] = list.entry[i].skew;
		unit_check(list.entry[i].at == have[i] * 3, "place of another");
	}
	qsort(have, list.nr, sizeof(*have), descending);
	unit_check(!memcmp(have, all, list.nr * sizeof(*have)), "not the most skewed");
}

static void list_keeps_the_most_skewed(void **unused)
{
	static u64 all[3 * TC_SKEWED_MAX];
	unsigned int round, nr, i, keep;

	(void)unused;
	unit_seed();
	for (round = 0; round < 200; round++) {
		nr = 1 + unit_below(3 * TC_SKEWED_MAX);
		list.nr = 0;
		for (i = 0; i < nr; i++) {
			all[i] = 1 + unit_below(unit_chance(50) ? 100 : 1 << 30);
			tc_skewed_add(&list, all[i], all[i] * 3);
			tc_skewed_add(&list, 0, 1);
		}
		expect_first(all, nr, nr < TC_SKEWED_MAX ? nr : TC_SKEWED_MAX);
		keep = unit_below(list.nr + 10);
		nr = list.nr;
		tc_skewed_trim(&list, keep);
		expect_first(all, nr, keep < nr ? keep : nr);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		block_test(profile_by_hand),
		block_test(flat_or_unknown_is_no_candidate),
		block_test(little_skew_is_more_than_none),
		block_test(whole_is_one_folio_of_all),
		cmocka_unit_test(list_keeps_the_most_skewed),
	};

	return cmocka_run_group_tests_name("skew", tests, NULL, NULL);
}
