// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the split decision against values computed by hand.
 * Knows what split.h promises.
 * Does not know huge pages.
 */
#include "unit.h"

#include "split.h"

static void gap_and_its_edges(void **unused)
{
	(void)unused;
	assert_int_equal(tc_window_gap_bp(&(struct tc_window){ 10000, 4000, 9000 }), 5000);
	assert_int_equal(tc_window_gap_bp(&(struct tc_window){ 3, 1, 2 }), 6666 - 3333);
	assert_int_equal(tc_window_gap_bp(&(struct tc_window){ 10000, 9000, 4000 }), 0);
	assert_int_equal(tc_window_gap_bp(&(struct tc_window){ 10000, 7000, 7000 }), 0);
	assert_int_equal(tc_window_gap_bp(&(struct tc_window){ 0, 0, 0 }), 0);
}

static void count_by_hand(void **unused)
{
	static const struct {
		struct tc_window w;
		u64 huge;
		u32 fast_ns, slow_ns;
		u64 count;
	} rows[] = {
		/* 0.455 * 16 * 1.125 * 0.4 = 3.28 */
		{ { 10000, 4000, 9000 }, 16, 80, 170, 3 },
		/* 0.455 * 1000 * 0.45 = 204.75 */
		{ { 10000, 4000, 9000 }, 1000, 80, 170, 204 },
		/* 0.455 * 1000 * 2 * 0.4 = 364, less what steps of 1/1024 take */
		{ { 10000, 4000, 9000 }, 1000, 100, 300, 364 },
		/* 0.0025 * 1000 * 0.45 = 1.1 */
		{ { 10000, 9000, 9500 }, 1000, 80, 170, 1 },
		/* 0.455 * 0.45 = 0.2: at least one */
		{ { 10000, 4000, 9000 }, 1, 80, 170, 1 },
		/* 95 % of eHR is had already */
		{ { 10000, 9000, 9473 }, 1000, 80, 170, 0 },
		{ { 10000, 9000, 8000 }, 1000, 80, 170, 0 },
		{ { 10000, 4000, 9000 }, 0, 80, 170, 0 },
		{ { 0, 0, 0 }, 1000, 80, 170, 0 },
		/* slow memory that is not slower, and no latency at all */
		{ { 10000, 4000, 9000 }, 1000, 80, 80, 0 },
		{ { 10000, 4000, 9000 }, 1000, 170, 80, 0 },
		{ { 10000, 4000, 9000 }, 1000, 0, 80, 0 },
		/* bounds: 2^20 huge pages, a ratio of 100: 0.455 * 2^20 * 0.45, 0.95 * 2^20 * 40 = 39845887.9 */
		{ { 10000, 4000, 9000 }, (u64)1 << 40, 80, 170, 214695 },
		{ { 100, 0, 100 }, (u64)1 << 40, 1, ~0U, 39845887 },
	};
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		u64 count =
			tc_split_count(&rows[i].w, rows[i].huge, rows[i].fast_ns, rows[i].slow_ns);

		unit_check(count == rows[i].count, "row %u: %llu huge pages", i,
			   (unsigned long long)count);
	}
}

/* Against the formula in 128-bit arithmetic, as far as the steps allow: 1/1024 page, 1/1000. */
static void count_is_the_formula(void **unused)
{
	unsigned int i;

	(void)unused;
	unit_seed();
	for (i = 0; i < 100000; i++) {
		u64 all = 1 + unit_below(1 << 26), huge = 1 + unit_below(1 << 20);
		struct tc_window w = { all, unit_below(all + 1), unit_below(all + 1) };
		u32 fast = 1 + unit_below(1000), slow = 1 + unit_below(5000);
		u64 count = tc_split_count(&w, huge, fast, slow);
		unsigned __int128 exact = 0;

		if (w.base * 95 / 100 > w.fast && slow > fast)
			exact = (unsigned __int128)(w.base * 95 / 100 - w.fast) * huge *
				(slow - fast) * 4 / ((unsigned __int128)all * fast * 10);
		unit_check(count <= exact + 1, "count %llu is above", (unsigned long long)count);
		if (slow < 100 * fast)
			unit_check((unsigned __int128)(count + 2) * 1000 / 999 + huge / 1000 + 2 >=
					   exact,
				   "count %llu is below", (unsigned long long)count);
	}
}

static void window_is_a_quarter(void **unused)
{
	(void)unused;
	assert_true(tc_split_samples(40000, 1000) == 10000);
	assert_true(tc_split_samples(4000, 1000) == 1000);
	assert_true(tc_split_samples(3999, 1000) == 1000);
	assert_true(tc_split_samples(0, 0) == 0);
}

static const struct tc_window wide = { 10000, 4000, 9000 };

static bool due(struct tc_split_pace *pace, u64 fast)
{
	return tc_split_due(pace, &(struct tc_window){ 10000, fast, 9000 }, 500);
}

static void due_from_the_gap_on(void **unused)
{
	struct tc_split_pace pace = { 0 };

	(void)unused;
	assert_true(due(&pace, 8500));
	assert_false(due(&pace, 8501));
	assert_false(tc_split_due(&pace, &(struct tc_window){ 10000, 9000, 9000 }, 0));
	assert_true(tc_split_due(&pace, &(struct tc_window){ 10000, 8999, 9000 }, 0));
}

static void what_pays_goes_on(void **unused)
{
	struct tc_split_pace pace = { 0 };

	(void)unused;
	assert_true(due(&pace, 4000));
	tc_split_began(&pace, &wide);
	/* The pieces are on their way: not judged, whatever it is. */
	assert_false(due(&pace, 1000));
	/* Three points are enough. */
	assert_true(due(&pace, 4300));
	assert_true(pace.paid == 1 && pace.unpaid == 0 && pace.backoff == 0);
	tc_split_began(&pace, &(struct tc_window){ 10000, 4300, 9000 });
	assert_false(due(&pace, 9000));
	assert_false(due(&pace, 8900));
	assert_true(pace.paid == 2);
}

/* Windows after a round that does not pay until the next may begin. */
static unsigned int windows_to_wait(struct tc_split_pace *pace)
{
	unsigned int windows = 0;

	tc_split_began(pace, &wide);
	assert_false(due(pace, 4000));
	while (!due(pace, 4299))
		windows++;
	return windows;
}

static void what_does_not_pay_waits_twice_as_long(void **unused)
{
	struct tc_split_pace pace = { 0 };
	unsigned int expected = 2, i;

	(void)unused;
	for (i = 0; i < 14; i++) {
		assert_int_equal(windows_to_wait(&pace), expected);
		expected = expected < 1024 ? 2 * expected : 1024;
	}
	assert_true(pace.unpaid == 14 && pace.paid == 0);
	/* One that pays, and all is forgotten. */
	tc_split_began(&pace, &wide);
	assert_false(due(&pace, 4000));
	assert_true(due(&pace, 8000));
	assert_int_equal(windows_to_wait(&pace), 2);
}

static void pieces_of_each_policy(void **unused)
{
	struct tc_profile p = { .sum = 1000, .hot = 3, .squares = 5000 };

	(void)unused;
	assert_int_equal(tc_split_order(TC_SPLIT_MEMTIS, &p), 0);
	assert_int_equal(tc_split_order(TC_SPLIT_OFF, &p), TC_BLOCK_ORDER);
	assert_int_equal(tc_split_order(TC_SPLIT_TIERBPF, &p), TC_BLOCK_ORDER);
	assert_int_equal(tc_split_order(TC_SPLIT_JOINT, &p), TC_BLOCK_ORDER);
	assert_false(tc_split_at_promotion(TC_SPLIT_OFF));
	assert_false(tc_split_at_promotion(TC_SPLIT_MEMTIS));
	assert_true(tc_split_at_promotion(TC_SPLIT_TIERBPF));
	assert_true(tc_split_at_promotion(TC_SPLIT_JOINT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gap_and_its_edges),
		cmocka_unit_test(count_by_hand),
		cmocka_unit_test(count_is_the_formula),
		cmocka_unit_test(window_is_a_quarter),
		cmocka_unit_test(due_from_the_gap_on),
		cmocka_unit_test(what_pays_goes_on),
		cmocka_unit_test(what_does_not_pay_waits_twice_as_long),
		cmocka_unit_test(pieces_of_each_policy),
	};

	return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
