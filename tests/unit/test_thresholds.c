// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the thresholds against an exhaustive search.
 * Knows the rule as a property of the result, in 128-bit arithmetic.
 * Does not know how the thresholds are found.
 */
#include "unit.h"

#include "thresholds.h"

typedef unsigned __int128 u128;

static u128 pages_from(const struct tc_histogram *h, unsigned int bin)
{
	u128 sum = 0;

	for (; bin < TC_BINS; bin++)
		sum += h->pages[bin];
	return sum;
}

/* The lowest bin from 1 on whose hot set fits; the top bin when none does. */
static unsigned int hot_by_search(const struct tc_histogram *h, u64 budget)
{
	unsigned int hot;

	for (hot = 1; hot < TC_BINS; hot++)
		if (pages_from(h, hot) <= budget)
			return hot;
	return TC_BINS - 1;
}

static void check(const struct tc_histogram *h, u64 budget)
{
	unsigned int hot = hot_by_search(h, budget);
	bool fills = pages_from(h, hot) * 10 >= (u128)budget * 9;
	unsigned int warm = fills ? hot : hot - 1;
	struct tc_thresholds t;

	tc_thresholds_compute(h, budget, &t);
	unit_check(t.hot == hot, "budget %llu: hot is %u, not %u", (unsigned long long)budget,
		   t.hot, hot);
	unit_check(t.warm == warm, "budget %llu: warm is %u, not %u", (unsigned long long)budget,
		   t.warm, warm);
	unit_check(t.hot_pages == pages_from(h, hot), "budget %llu: %llu hot pages",
		   (unsigned long long)budget, (unsigned long long)t.hot_pages);
}

/* Budgets that decide: each hot set exactly, one page to both sides, and where it is 90 %. */
static void check_around_every_hot_set(const struct tc_histogram *h)
{
	unsigned int bin;

	for (bin = 0; bin < TC_BINS; bin++) {
		u64 sum = pages_from(h, bin);
		u64 full = sum / 9 * 10;
		int delta;

		for (delta = -11; delta <= 11; delta++) {
			check(h, sum + delta);
			check(h, full + delta);
		}
	}
	check(h, 0);
	check(h, 1);
	check(h, TC_U64_MAX);
}

static void random_histograms(void **unused)
{
	unsigned int i, bin;

	(void)unused;
	unit_seed();
	for (i = 0; i < 3000; i++) {
		unsigned int empty = unit_below(100);
		unsigned int shift = unit_below(64);
		struct tc_histogram h;

		for (bin = 0; bin < TC_BINS; bin++)
			h.pages[bin] = unit_chance(empty) ? 0 : unit_magnitude() >> shift;
		check(&h, unit_magnitude());
		check_around_every_hot_set(&h);
	}
}

static void adversarial_histograms(void **unused)
{
	static const u64 values[] = { 0, 1, 9, 10, 100, 1ULL << 63, TC_U64_MAX - 1, TC_U64_MAX };
	unsigned int filled, v, bin;

	(void)unused;
	/* Each value in every prefix and suffix of the bins. */
	for (v = 0; v < sizeof(values) / sizeof(values[0]); v++)
		for (filled = 0; filled <= TC_BINS; filled++) {
			struct tc_histogram low = { { 0 } }, high = { { 0 } };

			for (bin = 0; bin < TC_BINS; bin++)
				*(bin < filled ? &low.pages[bin] : &high.pages[bin]) = values[v];
			check_around_every_hot_set(&low);
			check_around_every_hot_set(&high);
		}
}

static void untouched_memory_is_never_hot(void **unused)
{
	struct tc_histogram h = { { 1000000 } };
	struct tc_thresholds t;

	(void)unused;
	tc_thresholds_compute(&h, TC_U64_MAX, &t);
	assert_int_equal(t.hot, 1);
	assert_int_equal(t.warm, 0);
	assert_true(t.hot_pages == 0);
}

static void top_bin_alone_over_budget(void **unused)
{
	struct tc_histogram h = { { 0 } };
	struct tc_thresholds t;

	(void)unused;
	h.pages[15] = 1001;
	tc_thresholds_compute(&h, 1000, &t);
	assert_int_equal(t.hot, 15);
	assert_int_equal(t.warm, 15);
	assert_true(t.hot_pages == 1001);
}

static void warm_starts_under_ninety_percent(void **unused)
{
	struct tc_histogram h = { { 0 } };
	struct tc_thresholds t;

	(void)unused;
	h.pages[12] = 900;
	h.pages[11] = 101;
	tc_thresholds_compute(&h, 1000, &t);
	assert_int_equal(t.hot, 12);
	assert_int_equal(t.warm, 12);
	h.pages[12] = 899;
	h.pages[11] = 102;
	tc_thresholds_compute(&h, 1000, &t);
	assert_int_equal(t.hot, 12);
	assert_int_equal(t.warm, 11);
}

static void classes(void **unused)
{
	struct tc_thresholds t = { .hot = 9, .warm = 8 };

	(void)unused;
	assert_int_equal(tc_classify(&t, 15), TC_HOT);
	assert_int_equal(tc_classify(&t, 9), TC_HOT);
	assert_int_equal(tc_classify(&t, 8), TC_WARM);
	assert_int_equal(tc_classify(&t, 7), TC_COLD);
	assert_int_equal(tc_classify(&t, 0), TC_COLD);
	t.warm = 9;
	assert_int_equal(tc_classify(&t, 9), TC_HOT);
	assert_int_equal(tc_classify(&t, 8), TC_COLD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_histograms),
		cmocka_unit_test(adversarial_histograms),
		cmocka_unit_test(untouched_memory_is_never_hot),
		cmocka_unit_test(top_bin_alone_over_budget),
		cmocka_unit_test(warm_starts_under_ninety_percent),
		cmocka_unit_test(classes),
	};

	return cmocka_run_group_tests_name("thresholds", tests, NULL, NULL);
}
