// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of hotness, bins and the histogram.
 * Knows the definition of a bin as a logarithm, computed here in floating point.
 * Does not know folios beyond their order.
 */
#include "unit.h"

#include <math.h>

#include "histogram.h"

#define BIT_ULL(n) (1ULL << (n))

/*
 * The definition. A long double has 64 bits of mantissa: H / 16 + 1 is exact below 2^60, and next to
 * the powers of two up to 2^15 the logarithm is far from rounding to the wrong side.
 */
static unsigned int bin_by_definition(u64 hotness)
{
	long double bin = floorl(log2l((long double)hotness / TC_SAMPLE_UNIT + 1));

	return bin < TC_BINS - 1 ? (unsigned int)bin : TC_BINS - 1;
}

static void check_bin(u64 hotness)
{
	unsigned int expected = bin_by_definition(hotness);
	unsigned int bin = tc_bin(hotness);

	unit_check(bin == expected, "tc_bin(%llu) is %u, not %u", (unsigned long long)hotness, bin,
		   expected);
}

static void bin_is_the_logarithm_up_to_the_top(void **unused)
{
	u64 hotness;

	(void)unused;
	for (hotness = 0; hotness < BIT_ULL(20); hotness++)
		check_bin(hotness);
}

static void bin_is_the_logarithm_anywhere(void **unused)
{
	unsigned int i;

	(void)unused;
	unit_seed();
	for (i = 0; i < 100000; i++)
		check_bin(unit_magnitude());
	for (i = 0; i < 64; i++) {
		check_bin(BIT_ULL(i) - 1);
		check_bin(BIT_ULL(i));
		check_bin(~BIT_ULL(i));
	}
	check_bin(TC_U64_MAX);
}

static void known_bins(void **unused)
{
	(void)unused;
	assert_int_equal(tc_bin(tc_hotness(0, 0)), 0);
	/* One sample: a huge page is in bin 1, a base page in bin 9. */
	assert_int_equal(tc_bin(tc_hotness(TC_SAMPLE_UNIT, 9)), 1);
	assert_int_equal(tc_bin(tc_hotness(TC_SAMPLE_UNIT, 0)), 9);
	/* A base page is in the top bin after 64 samples, not before. */
	assert_int_equal(tc_bin(tc_hotness(63 * TC_SAMPLE_UNIT, 0)), 14);
	assert_int_equal(tc_bin(tc_hotness(64 * TC_SAMPLE_UNIT, 0)), 15);
}

static void equal_density_is_equal_hotness(void **unused)
{
	unsigned int order;

	(void)unused;
	for (order = 0; order <= 9; order++)
		assert_true(tc_hotness(48ULL << order, order) == 48ULL << 9);
}

static void hotness_of_extremes(void **unused)
{
	(void)unused;
	assert_true(tc_hotness(1000, 10) == 1000);
	assert_true(tc_hotness(1000, ~0U) == 1000);
	assert_true(tc_hotness(TC_U64_MAX, 9) == TC_U64_MAX);
	assert_true(tc_hotness(TC_U64_MAX, 0) == TC_U64_MAX);
	assert_true(tc_hotness(BIT_ULL(55), 0) == TC_U64_MAX);
	assert_true(tc_hotness(BIT_ULL(55) - 1, 0) == (BIT_ULL(55) - 1) << 9);
}

static void add_and_sub_touch_one_bin(void **unused)
{
	struct tc_histogram h = { { 0 } };

	(void)unused;
	tc_histogram_add(&h, 3, 512);
	tc_histogram_add(&h, 3, 1);
	tc_histogram_add(&h, 15, 16);
	tc_histogram_sub(&h, 3, 512);
	assert_true(h.pages[3] == 1);
	assert_true(h.pages[15] == 16);
	assert_true(tc_histogram_total(&h) == 17);
}

static void shift_moves_all_bins_down(void **unused)
{
	struct tc_histogram h;
	unsigned int bin;

	(void)unused;
	for (bin = 0; bin < TC_BINS; bin++)
		h.pages[bin] = BIT_ULL(bin);
	tc_histogram_shift(&h);
	assert_true(h.pages[0] == 1 + 2);
	for (bin = 1; bin < TC_BINS - 1; bin++)
		assert_true(h.pages[bin] == BIT_ULL(bin + 1));
	assert_true(h.pages[TC_BINS - 1] == 0);
	assert_true(tc_histogram_total(&h) == BIT_ULL(TC_BINS) - 1);
}

static void cooled_bin_follows_the_shift(void **unused)
{
	unsigned int bin, coolings;

	(void)unused;
	for (bin = 0; bin < TC_BINS; bin++) {
		struct tc_histogram h = { { 0 } };

		tc_histogram_add(&h, bin, 7);
		for (coolings = 0; coolings < 20; coolings++) {
			assert_true(h.pages[tc_bin_cooled(bin, coolings)] == 7);
			tc_histogram_shift(&h);
		}
	}
	assert_int_equal(tc_bin_cooled(15, ~0U), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bin_is_the_logarithm_up_to_the_top),
		cmocka_unit_test(bin_is_the_logarithm_anywhere),
		cmocka_unit_test(known_bins),
		cmocka_unit_test(equal_density_is_equal_hotness),
		cmocka_unit_test(hotness_of_extremes),
		cmocka_unit_test(add_and_sub_touch_one_bin),
		cmocka_unit_test(shift_moves_all_bins_down),
		cmocka_unit_test(cooled_bin_follows_the_shift),
	};

	return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}
