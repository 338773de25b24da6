// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the use of single pages and of the cgroups that are told apart, against tables made by hand.
 * Knows what each sequence of accesses must add up to.
 * Does not know page types.
 */
#include <stdlib.h>

#include "unit.h"

#include "groups.h"
#include "usage.h"

#define UNIT TC_USE_TICKS

static void classes_of_times(void **unused)
{
	static const struct {
		u32 ticks;
		enum tc_span span;
	} table[] = {
		{ 0, TC_SPAN_1 },	   { 63, TC_SPAN_1 },	    { 64, TC_SPAN_2 },
		{ 127, TC_SPAN_2 },	   { 128, TC_SPAN_5 },	    { 319, TC_SPAN_5 },
		{ 320, TC_SPAN_10 },	   { 639, TC_SPAN_10 },	    { 640, TC_SPAN_LONGER },
		{ 64000, TC_SPAN_LONGER }, { ~0U, TC_SPAN_LONGER },
	};
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		unit_check(tc_span(table[i].ticks) == table[i].span, "%u", table[i].ticks);
}

static void shifts_by_memory(void **unused)
{
	(void)unused;
	assert_int_equal(tc_use_shift(0), 8);
	assert_int_equal(tc_use_shift(1ULL << 18), 8); /* 1 GiB */
	assert_int_equal(tc_use_shift(1ULL << 24), 8); /* 64 GiB */
	assert_int_equal(tc_use_shift((1ULL << 24) + 256), 9);
	assert_int_equal(tc_use_shift(1ULL << 28), 12); /* 1 TiB */
	assert_int_equal(tc_use_shift(~0ULL), TC_USE_SHIFT_MAX);
}

/* Every stratum has one, and every place in a stratum is as likely. */
static void tracked_frames(void **unused)
{
	unsigned int shift, found[64] = { 0 }, place;
	u64 seed, pfn, stratum, tracked;

	(void)unused;
	unit_seed();
	for (shift = 0; shift <= 12; shift++) {
		seed = unit_random();
		tracked = 0;
		for (pfn = 0; pfn < 1 << 16; pfn++)
			tracked += tc_use_tracked(pfn, shift, seed);
		unit_check(tracked == 65536U >> shift, "shift %u: %llu", shift,
			   (unsigned long long)tracked);
	}
	seed = unit_random();
	for (stratum = 0; stratum < 64000; stratum++)
		found[tc_use_frame(stratum, 6, seed) & 63]++;
	/* 1000 each; the standard deviation is 31 */
	for (place = 0; place < 64; place++)
		unit_check(found[place] > 800 && found[place] < 1200, "place %u: %u", place,
			   found[place]);
}

/* An estimate is right within four of its standard errors: pages that lie together as well. */
static void estimates_are_unbiased(void **unused)
{
	u64 pages = 100000, first, pfn, tracked, error2, off;
	int round;
	double sum = 0;

	(void)unused;
	unit_seed();
	for (round = 0; round < 50; round++) {
		u64 seed = unit_random();

		first = unit_below(1 << 30);
		for (pfn = first, tracked = 0; pfn < first + pages; pfn++)
			tracked += tc_use_tracked(pfn, 6, seed);
		off = tracked * 64 > pages ? tracked * 64 - pages : pages - tracked * 64;
		error2 = pages * 63;
		unit_check(off * off <= 16 * error2, "%llu", (unsigned long long)tracked * 64);
		sum += tracked * 64.0;
	}
	unit_check(sum / 50 > 99500 && sum / 50 < 100500, "mean %f", sum / 50);
}

static void intervals_between_accesses(void **unused)
{
	struct tc_use use = { 0 };

	(void)unused;
	/* the first access ends no interval, and neither does another sample of it */
	assert_int_equal(tc_use_sample(&use, 7, 100), TC_NR_SPANS);
	assert_int_equal(tc_use_sample(&use, 7, 100), TC_NR_SPANS);
	assert_int_equal(tc_use_sample(&use, 7, 101), TC_SPAN_1);
	assert_int_equal(tc_use_sample(&use, 7, 101 + UNIT), TC_SPAN_2);
	assert_int_equal(tc_use_sample(&use, 7, 101 + 5 * UNIT), TC_SPAN_5);
	assert_int_equal(tc_use_sample(&use, 7, 101 + 10 * UNIT), TC_SPAN_10);
	assert_int_equal(tc_use_sample(&use, 7, 101 + 20 * UNIT), TC_SPAN_LONGER);
	assert_int_equal(use.samples, 7);
	/* another owner's page was never accessed */
	assert_int_equal(tc_use_sample(&use, 8, 102 + 20 * UNIT), TC_NR_SPANS);
	assert_int_equal(use.samples, 1);
}

static void a_seen_page_is_not_an_accessed_one(void **unused)
{
	struct tc_use_tally tally = { 0 };
	struct tc_use use = { 0 };

	(void)unused;
	tc_use_count(&use, 9, 1000, &tally);
	tc_use_count(&use, 9, 1000 + 10 * UNIT - 1, &tally);
	assert_true(tally.fresh == 2 && tally.untouched == 0);
	tc_use_count(&use, 9, 1000 + 10 * UNIT, &tally);
	assert_true(tally.fresh == 2 && tally.untouched == 1);
	/* its first access ends no interval */
	assert_int_equal(tc_use_sample(&use, 9, 2000), TC_NR_SPANS);
	tc_use_count(&use, 9, 2000 + 2 * UNIT, &tally);
	assert_true(tally.accessed[TC_SPAN_5] == 1);
	/* freed, and somebody else's */
	tc_use_count(&use, 10, 2000 + 2 * UNIT, &tally);
	assert_true(tally.fresh == 3);
	assert_int_equal(tc_use_pages(&tally), 5);
}

/*
 * 4 pages of 100 samples, 8 of 10, 20 of 1: 500 samples. 90 % are 450: 400 of the first 4 pages, 50 of 5 of
 * the next. 95 % are 475: 4 pages, and 75 of 8. 99 % are 495: 4 pages, 8, and 15 samples of 15 pages.
 */
static void working_set(void **unused)
{
	static const struct {
		unsigned int pages, samples;
	} table[] = { { 4, 100 }, { 8, 10 }, { 20, 1 }, { 30, 0 } };
	struct tc_use_tally tally = { 0 }, twice = { 0 };
	unsigned int i, page, sample;
	u64 sampled;

	(void)unused;
	for (i = 0; i < 4; i++)
		for (page = 0; page < table[i].pages; page++) {
			struct tc_use use = { 0 };

			for (sample = 0; sample < table[i].samples; sample++)
				tc_use_sample(&use, 1, 5);
			tc_use_count(&use, 1, 5, &tally);
		}
	assert_int_equal(tc_use_samples(&tally, &sampled), 500);
	assert_int_equal(sampled, 32);
	assert_int_equal(tally.sampled[0], 20);
	assert_int_equal(tc_use_needed(&tally, 9000), 9);
	assert_int_equal(tc_use_needed(&tally, 9500), 12);
	assert_int_equal(tc_use_needed(&tally, 9900), 27);
	assert_int_equal(tc_use_needed(&tally, 10000), 32);
	tc_use_tally_add(&twice, &tally);
	tc_use_tally_add(&twice, &tally);
	assert_int_equal(tc_use_needed(&twice, 9000), 18);
	assert_int_equal(tc_use_pages(&twice), 124);
}

static int by_size(const void *a, const void *b)
{
	return *(const u32 *)b - *(const u32 *)a;
}

/* Never fewer than are needed, and of the last class at most twice as many. */
static void working_set_bounds(void **unused)
{
	static u32 count[2000];
	int round;

	(void)unused;
	unit_seed();
	for (round = 0; round < 200; round++) {
		u32 share = 1 + unit_below(10000), pages = 1 + unit_below(2000);
		u64 sum = 0, taken = 0, want, needed = 0, last = 0, answer;
		struct tc_use_tally tally = { 0 };
		u32 i;

		for (i = 0; i < pages; i++) {
			struct tc_use use = { .samples = unit_magnitude() & 65535, .owner = 1 };

			count[i] = use.samples;
			sum += count[i];
			tc_use_count(&use, 1, 0, &tally);
		}
		qsort(count, pages, sizeof(count[0]), by_size);
		want = (sum * share + 9999) / 10000;
		while (taken < want)
			taken += count[needed++];
		answer = tc_use_needed(&tally, share);
		for (i = 0; i < pages; i++)
			if (needed)
				last += 31 - __builtin_clz(count[i] | 1) ==
					31 - __builtin_clz(count[needed - 1] | 1);
		unit_check(answer >= needed && answer <= needed + (last + 1) / 2 + 1,
			   "%llu of %u, needed %llu, last class %llu", (unsigned long long)answer,
			   pages, (unsigned long long)needed, (unsigned long long)last);
	}
}

static void samples_stop_at_the_top(void **unused)
{
	struct tc_use_tally tally = { 0 };
	struct tc_use use = { 0 };
	u32 i;

	(void)unused;
	for (i = 0; i < 70000; i++)
		tc_use_sample(&use, 1, 1);
	assert_int_equal(use.samples, 65535);
	tc_use_count(&use, 1, 1, &tally);
	assert_true(tally.sampled[15] == 1 && tally.samples[15] == 65535);
}

static void first_groups_get_slots(void **unused)
{
	struct tc_groups groups = { 0 };
	u64 id;

	(void)unused;
	for (id = 1; id <= TC_GROUPS; id++)
		assert_int_equal(tc_groups_find(&groups, 100 + id), id - 1);
	assert_int_equal(tc_groups_find(&groups, 99), TC_GROUP_OTHER);
	assert_int_equal(tc_groups_sample(&groups, 103), 2);
	assert_int_equal(groups.slot[2].samples, 1);
	assert_int_equal(tc_groups_sample(&groups, 99), TC_GROUP_OTHER);
}

/* 15 groups of 1 sample have slots; of the others one has 5, one 3, one 1: two of them get slots. */
static void most_sampled_get_slots(void **unused)
{
	struct tc_groups groups = { 0 };
	unsigned int i;
	u32 changed;
	u64 id;

	(void)unused;
	for (id = 1; id <= TC_GROUPS; id++)
		tc_groups_sample(&groups, id);
	for (i = 0; i < 5; i++)
		tc_groups_sample(&groups, 50);
	for (i = 0; i < 3; i++)
		tc_groups_sample(&groups, 51);
	tc_groups_sample(&groups, 52);
	changed = tc_groups_rank(&groups);
	assert_int_equal(__builtin_popcount(changed), 2);
	assert_true(tc_groups_find(&groups, 50) < TC_GROUPS);
	assert_true(tc_groups_find(&groups, 51) < TC_GROUPS);
	assert_int_equal(tc_groups_find(&groups, 52), TC_GROUP_OTHER);
	assert_true(changed & 1U << tc_groups_find(&groups, 50));
	/* counts begin anew */
	assert_int_equal(tc_groups_rank(&groups), 0);
}

/* However many others come by, who has a good share of the samples is found. */
static void crowds_do_not_hide_anyone(void **unused)
{
	struct tc_groups groups = { 0 };
	unsigned int i;
	u64 id;

	(void)unused;
	unit_seed();
	for (id = 1; id <= TC_GROUPS; id++)
		tc_groups_find(&groups, id);
	for (i = 0; i < 10000; i++)
		tc_groups_sample(&groups, unit_below(20) ? 1000 + i : 777);
	tc_groups_rank(&groups);
	assert_true(tc_groups_find(&groups, 777) < TC_GROUPS);
}

/* Nor is one of a crowd taken for somebody, as its place has counted others. */
static void crowds_take_no_slots(void **unused)
{
	struct tc_groups groups = { 0 };
	unsigned int i;
	u64 id;

	(void)unused;
	for (id = 1; id <= TC_GROUPS; id++)
		for (i = 0; i < 5; i++)
			tc_groups_sample(&groups, id);
	for (i = 0; i < 1000; i++)
		tc_groups_sample(&groups, 1000 + i);
	assert_int_equal(tc_groups_rank(&groups), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes_of_times),
		cmocka_unit_test(shifts_by_memory),
		cmocka_unit_test(tracked_frames),
		cmocka_unit_test(estimates_are_unbiased),
		cmocka_unit_test(intervals_between_accesses),
		cmocka_unit_test(a_seen_page_is_not_an_accessed_one),
		cmocka_unit_test(working_set),
		cmocka_unit_test(working_set_bounds),
		cmocka_unit_test(samples_stop_at_the_top),
		cmocka_unit_test(first_groups_get_slots),
		cmocka_unit_test(most_sampled_get_slots),
		cmocka_unit_test(crowds_do_not_hide_anyone),
		cmocka_unit_test(crowds_take_no_slots),
	};

	return cmocka_run_group_tests_name("usage", tests, NULL, NULL);
}
