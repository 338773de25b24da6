// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of latency, contention and traffic against values computed by hand.
 * Knows what contention.h promises.
 * Does not know tiers.
 */
#include "unit.h"

#include "contention.h"

static void window(struct tc_latency *l, u32 n, u32 mean, bool quiet, u64 now_ms)
{
	struct tc_window_counts w = { .latencies = n, .latency_ns = (u64)n * mean };

	tc_latency_window(l, &w, quiet, now_ms);
}

static void latency_by_hand(void **unused)
{
	struct tc_latency l = {};

	(void)unused;
	/* too few say nothing */
	window(&l, TC_LATENCY_SAMPLES_MIN - 1, 170, true, 0);
	assert_int_equal(l.loaded_ns, 0);
	assert_int_equal(l.idle_ns, 0);
	window(&l, TC_LATENCY_SAMPLES_MIN, 170, true, 0);
	assert_int_equal(l.loaded_ns, 170);
	assert_int_equal(l.idle_ns, 170);
	/* (3 * 170 + 650) / 4 = 290 */
	window(&l, 100, 650, false, 1000);
	assert_int_equal(l.loaded_ns, 290);
	assert_int_equal(l.idle_ns, 170);
	/* down at once: (3 * 290 + 130) / 4 = 250 */
	window(&l, 100, 130, false, 2000);
	assert_int_equal(l.loaded_ns, 250);
	assert_int_equal(l.idle_ns, 130);
}

static void idle_rises_by_time_and_when_quiet(void **unused)
{
	struct tc_latency l = {};
	unsigned int i;

	(void)unused;
	window(&l, 100, 1280, true, 0);
	/* a thousand windows in less than a minute */
	for (i = 0; i < 1000; i++)
		window(&l, 100, 5000, true, i * 59);
	assert_int_equal(l.idle_ns, 1280);
	/* contention for an hour */
	for (i = 1; i <= 60; i++)
		window(&l, 100, 5000, false, i * TC_IDLE_CREEP_MS);
	assert_int_equal(l.idle_ns, 1280);
	/* 1280 / 128 + 1 */
	window(&l, 100, 5000, true, 61 * TC_IDLE_CREEP_MS);
	assert_int_equal(l.idle_ns, 1291);
	window(&l, 100, 5000, true, 61 * TC_IDLE_CREEP_MS + 59999);
	assert_int_equal(l.idle_ns, 1291);
	/* never above what is seen */
	window(&l, 100, 1295, true, 70 * TC_IDLE_CREEP_MS);
	assert_int_equal(l.idle_ns, 1295);
}

static void over_by_hand(void **unused)
{
	(void)unused;
	assert_int_equal(tc_latency_over(170, 170), 0);
	assert_int_equal(tc_latency_over(160, 170), 0);
	/* the simulated CXL tier at 5, 10 and 20 GB/s of others: 1.05, 1.15, 3.85 times */
	assert_int_equal(tc_latency_over(1785, 1700), 500);
	assert_int_equal(tc_latency_over(1955, 1700), 1500);
	assert_int_equal(tc_latency_over(6545, 1700), 28500);
	assert_int_equal(tc_latency_over(0, 170), ~0U);
	assert_int_equal(tc_latency_over(170, 0), ~0U);
	assert_int_equal(tc_latency_over(~0U, 1), ~0U - 1);
}

static void levels_by_hand(void **unused)
{
	static const struct {
		enum tc_contention_level before;
		u32 over;
		enum tc_contention_level after;
	} rows[] = {
		{ TC_CONTENTION_UNKNOWN, ~0U, TC_CONTENTION_UNKNOWN },
		{ TC_CONTENTION_HIGH, ~0U, TC_CONTENTION_UNKNOWN },
		{ TC_CONTENTION_UNKNOWN, 0, TC_CONTENTION_NONE },
		{ TC_CONTENTION_NONE, 999, TC_CONTENTION_NONE },
		{ TC_CONTENTION_NONE, 1000, TC_CONTENTION_MODERATE },
		{ TC_CONTENTION_MODERATE, 999, TC_CONTENTION_MODERATE },
		{ TC_CONTENTION_MODERATE, 500, TC_CONTENTION_MODERATE },
		{ TC_CONTENTION_MODERATE, 499, TC_CONTENTION_NONE },
		{ TC_CONTENTION_MODERATE, 9999, TC_CONTENTION_MODERATE },
		{ TC_CONTENTION_MODERATE, 10000, TC_CONTENTION_HIGH },
		{ TC_CONTENTION_NONE, 10000, TC_CONTENTION_HIGH },
		{ TC_CONTENTION_HIGH, 7500, TC_CONTENTION_HIGH },
		{ TC_CONTENTION_HIGH, 7499, TC_CONTENTION_MODERATE },
		{ TC_CONTENTION_HIGH, 600, TC_CONTENTION_MODERATE },
		{ TC_CONTENTION_HIGH, 0, TC_CONTENTION_NONE },
	};
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum tc_contention_level after =
			tc_contention_next(rows[i].before, rows[i].over, 1000, 10000);

		unit_check(after == rows[i].after, "row %u: %u", i, after);
	}
}

static void traffic_by_hand(void **unused)
{
	static const struct {
		enum tc_traffic_kind before;
		u64 reads, writes;
		enum tc_traffic_kind after;
	} rows[] = {
		{ TC_TRAFFIC_UNKNOWN, 0, 0, TC_TRAFFIC_UNKNOWN },
		{ TC_TRAFFIC_WRITE, 0, 0, TC_TRAFFIC_WRITE },
		{ TC_TRAFFIC_UNKNOWN, 10, 0, TC_TRAFFIC_READ },
		{ TC_TRAFFIC_UNKNOWN, 0, 10, TC_TRAFFIC_WRITE },
		{ TC_TRAFFIC_UNKNOWN, 1, 1, TC_TRAFFIC_BALANCED },
		{ TC_TRAFFIC_BALANCED, 6666, 3334, TC_TRAFFIC_BALANCED },
		{ TC_TRAFFIC_BALANCED, 6667, 3333, TC_TRAFFIC_READ },
		/* who is there stays for 5 points more */
		{ TC_TRAFFIC_READ, 6200, 3800, TC_TRAFFIC_READ },
		{ TC_TRAFFIC_READ, 6100, 3900, TC_TRAFFIC_BALANCED },
		{ TC_TRAFFIC_WRITE, 3800, 6200, TC_TRAFFIC_WRITE },
		{ TC_TRAFFIC_WRITE, 3900, 6100, TC_TRAFFIC_BALANCED },
		{ TC_TRAFFIC_BALANCED, 3800, 6200, TC_TRAFFIC_BALANCED },
		{ TC_TRAFFIC_READ, 0, 1, TC_TRAFFIC_WRITE },
	};
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum tc_traffic_kind after =
			tc_traffic_next(rows[i].before, rows[i].reads, rows[i].writes);

		unit_check(after == rows[i].after, "row %u: %u", i, after);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(latency_by_hand),
		cmocka_unit_test(idle_rises_by_time_and_when_quiet),
		cmocka_unit_test(over_by_hand),
		cmocka_unit_test(levels_by_hand),
		cmocka_unit_test(traffic_by_hand),
	};

	return cmocka_run_group_tests_name("contention", tests, NULL, NULL);
}
