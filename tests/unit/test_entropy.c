// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the flat test against values computed by hand, and of its integer arithmetic against double.
 * Knows what entropy.h promises.
 * Does not know huge pages.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "entropy.h"

/* entropy.h: what integer arithmetic may differ by. */
#define ERROR_BP 2
#define LOG_ERROR 2

static u32 count[TC_BLOCK_PAGES];

static void fill(unsigned int first, unsigned int nr, u32 value)
{
	unsigned int i;

	for (i = first; i < first + nr; i++)
		count[i] = value;
}

/* So many samples of @unit each, by chance, on the pages from 0 to @pages - 1. */
static void scatter(unsigned int samples, unsigned int pages, u32 unit)
{
	memset(count, 0, sizeof(count));
	while (samples--)
		count[unit_below(pages)] += unit;
}

static void logarithms(void **unused)
{
	static const struct {
		u64 x;
		u32 log;
	} rows[] = { { 1, 0 },
		     { 2, 65536 },
		     { 512, 9 * 65536 },
		     { (u64)1 << 40, 40 * 65536 },
		     /* 1.584962 * 65536 = 103872.1 */
		     { 3, 103872 },
		     /* log2 1000 = 9.965784 */
		     { 1000, 653117 } };
	unsigned int i;

	(void)unused;
	assert_int_equal(tc_log2(0), 0);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		unit_check(labs((long)tc_log2(rows[i].x) - (long)rows[i].log) <= LOG_ERROR,
			   "row %u: %u", i, tc_log2(rows[i].x));
}

static void logarithm_is_that_of_double(void **unused)
{
	unsigned int i;

	(void)unused;
	unit_seed();
	for (i = 0; i < 20000; i++) {
		u64 x = (unit_magnitude() >> 20) + 1;

		unit_check(fabs(tc_log2(x) - log2(x) * 65536) <= LOG_ERROR, "log2 %llu: %u",
			   (unsigned long long)x, tc_log2(x));
	}
}

static void evenness_by_hand(void **unused)
{
	struct tc_evenness e;

	(void)unused;
	/* all equal: no more entropy than there can be, and no deviation */
	fill(0, TC_BLOCK_PAGES, 16);
	tc_evenness(count, 16, &e);
	assert_int_equal(e.samples, 512);
	assert_int_equal(e.entropy_bp, 10000);
	assert_int_equal(e.chi, 0);
	/* one page: none. 512 * 64 / 8 - 8 = 4088 */
	memset(count, 0, sizeof(count));
	count[100] = 8;
	tc_evenness(count, 1, &e);
	assert_int_equal(e.samples, 8);
	assert_int_equal(e.entropy_bp, 0);
	assert_int_equal(e.chi, 4088);
	/*
	 * 16 pages of 1000 samples: 4 bits + 15 / 32000 nats = 4.000676 of 9: 0.44451. 512 * 16 * 10^6 / 16000 - 16000 =
	 * 496000
	 */
	fill(96, 16, 1000);
	tc_evenness(count, 1, &e);
	assert_int_equal(e.samples, 16000);
	assert_in_range(e.entropy_bp, 4445 - ERROR_BP, 4445 + ERROR_BP);
	assert_int_equal(e.chi, 496000);
	/*
	 * 256 pages of 3 and 256 of 1, 1024 samples: H = 10 - 768 / 1024 * log2 3 = 8.811278, + 511 / 2048 nats = 0.359972:
	 * above 9. 512 * 2560 / 1024 - 1024 = 256
	 */
	fill(0, 256, 3);
	fill(256, 256, 1);
	tc_evenness(count, 1, &e);
	assert_int_equal(e.entropy_bp, 10000);
	assert_int_equal(e.chi, 256);
	/* fractions of a sample: 8 sixteenths are none */
	memset(count, 0, sizeof(count));
	count[5] = 8;
	tc_evenness(count, 16, &e);
	assert_int_equal(e.samples, 0);
}

static void nothing_is_flat(void **unused)
{
	struct tc_evenness e;

	(void)unused;
	memset(count, 0, sizeof(count));
	tc_evenness(count, 16, &e);
	assert_int_equal(e.samples, 0);
	assert_int_equal(e.entropy_bp, 0);
	assert_true(tc_is_flat(&e));
}

static void flat_and_its_edges(void **unused)
{
	(void)unused;
	assert_true(tc_is_flat(&(struct tc_evenness){ 5000, 9500, 100000 }));
	assert_false(tc_is_flat(&(struct tc_evenness){ 5000, 9499, 100000 }));
	assert_true(tc_is_flat(&(struct tc_evenness){ 100, 100, TC_UNIFORM_CHI }));
	assert_false(tc_is_flat(&(struct tc_evenness){ 100, 100, TC_UNIFORM_CHI + 1 }));
}

/* The formulas of entropy.h in double. */
static void evenness_in_double(u32 unit, double *entropy, double *chi)
{
	double sum = 0, h = 0, squares = 0;
	unsigned int i, filled = 0;

	for (i = 0; i < TC_BLOCK_PAGES; i++)
		sum += count[i];
	for (i = 0; i < TC_BLOCK_PAGES; i++) {
		if (!count[i])
			continue;
		filled++;
		h -= count[i] / sum * log2(count[i] / sum);
		squares += (double)count[i] * count[i];
	}
	h += (filled - 1) / (2 * sum / unit) / log(2);
	*entropy = (h > 9 ? 9 : h) / 9 * 10000;
	*chi = (squares * 512 / sum - sum) / unit;
}

static void integers_are_close_to_double(void **unused)
{
	struct tc_evenness e;
	double entropy, chi;
	unsigned int i, n;

	(void)unused;
	unit_seed();
	for (n = 0; n < 3000; n++) {
		u32 unit = unit_chance(50) ? 1 : 16;
		unsigned int bits = unit_below(unit == 1 ? 29 : 16);

		for (i = 0; i < TC_BLOCK_PAGES; i++)
			count[i] = unit_chance(n % 101) ? unit_below(((u64)1 << bits) + 1) : 0;
		count[0] = 1;
		tc_evenness(count, unit, &e);
		evenness_in_double(unit, &entropy, &chi);
		unit_check(fabs(e.entropy_bp - entropy) <= ERROR_BP, "entropy %u, in double %f",
			   e.entropy_bp, entropy);
		/* rounded down three times: never above, and by a millionth and some below */
		unit_check(e.chi <= chi + 1 &&
				   e.chi + 2 + chi / 1000000 + (double)e.samples / 65536 >= chi,
			   "chi %llu, in double %f", (unsigned long long)e.chi, chi);
	}
}

/* The estimate of 200 samples without a correction is 0.81 and of 500 is 0.90: what chance would split. */
static void even_use_is_flat(void **unused)
{
	struct tc_evenness e;
	unsigned int samples, n;

	(void)unused;
	unit_seed();
	for (samples = 50; samples <= 5000; samples += samples / 4) {
		for (n = 0; n < 200; n++) {
			scatter(samples, TC_BLOCK_PAGES, 16);
			tc_evenness(count, 16, &e);
			unit_check(tc_is_flat(&e), "%u samples: entropy %u, chi %llu", samples,
				   e.entropy_bp, (unsigned long long)e.chi);
		}
	}
}

/* The same test must be able to say no: half of the pages, 64 KiB. */
static void uneven_use_is_not(void **unused)
{
	struct tc_evenness e;
	unsigned int n;

	(void)unused;
	unit_seed();
	for (n = 0; n < 500; n++) {
		scatter(800, TC_BLOCK_PAGES / 2, 16);
		tc_evenness(count, 16, &e);
		unit_check(!tc_is_flat(&e), "half: entropy %u, chi %llu", e.entropy_bp,
			   (unsigned long long)e.chi);
		scatter(50, 16, 16);
		tc_evenness(count, 16, &e);
		unit_check(!tc_is_flat(&e), "64 KiB: entropy %u, chi %llu", e.entropy_bp,
			   (unsigned long long)e.chi);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(logarithms),
		cmocka_unit_test(logarithm_is_that_of_double),
		cmocka_unit_test(evenness_by_hand),
		cmocka_unit_test(nothing_is_flat),
		cmocka_unit_test(flat_and_its_edges),
		cmocka_unit_test(integers_are_close_to_double),
		cmocka_unit_test(even_use_is_flat),
		cmocka_unit_test(uneven_use_is_not),
	};

	return cmocka_run_group_tests_name("entropy", tests, NULL, NULL);
}
