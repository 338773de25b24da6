// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the rate limit.
 * Knows the promise of bucket.h: in every span of time at most rate * time + burst.
 * Does not know how the bucket keeps its account.
 */
#include "unit.h"

#include "bucket.h"

#define NS_PER_S 1000000000ULL
#define STEPS 120

typedef unsigned __int128 u128;

/* What happened so far, as of one moment. */
struct moment {
	u64 granted;
	u64 burst;
	u128 earned; /* rate * time, in pages * ns / s */
};

static u64 min_u64(u64 a, u64 b)
{
	return a < b ? a : b;
}

/* The promise, for every span that ends now. */
static void check_spans(const struct moment *m, unsigned int now)
{
	unsigned int start;

	for (start = 0; start < now; start++) {
		u128 granted = m[now].granted - m[start].granted;
		u128 earned = m[now].earned - m[start].earned;
		u128 limit = earned / NS_PER_S + m[start].burst;

		unit_check(granted <= limit, "%llu pages over the limit of step %u to %u",
			   (unsigned long long)(granted - limit), start, now);
	}
}

/* A rate and a burst such that neither always fills nor always starves in steps of @step_ns. */
static void choose_limits(u64 *rate, u64 *burst)
{
	*rate = 1 + unit_magnitude() % TC_BUCKET_RATE_MAX;
	*burst = 1 + (unit_magnitude() >> 20);
}

/* Runs one bucket through random demands, times, returns and limits. */
static void run_random_bucket(bool change_limits)
{
	static struct moment m[STEPS + 1];
	u64 now = unit_magnitude() >> 2, rate, burst, longest = 1 + (unit_magnitude() >> 10);
	struct tc_bucket b;
	unsigned int i;

	choose_limits(&rate, &burst);
	tc_bucket_init(&b, now, rate, burst);
	m[0] = (struct moment){ .burst = burst };
	for (i = 1; i <= STEPS; i++) {
		u64 step = unit_below(longest), want = unit_magnitude(), late, granted;

		now += step;
		m[i].earned = m[i - 1].earned + (u128)step * rate;
		if (change_limits && unit_chance(10)) {
			choose_limits(&rate, &burst);
			tc_bucket_set_rate(&b, now, rate, burst);
		}
		/* Sometimes the clock of another CPU is a little behind. */
		late = unit_chance(5) ? unit_below(step + 1) : 0;
		granted = tc_bucket_take(&b, now - late, want);
		unit_check(granted <= want, "%llu granted, %llu wanted",
			   (unsigned long long)granted, (unsigned long long)want);
		m[i].granted = m[i - 1].granted + granted;
		if (granted && unit_chance(10)) {
			u64 back = unit_below(granted) + 1;

			tc_bucket_return(&b, back);
			m[i].granted -= back;
		}
		m[i].burst = burst;
		check_spans(m, i);
	}
}

static void never_exceeds(void **unused)
{
	unsigned int i;

	(void)unused;
	unit_seed();
	for (i = 0; i < 300; i++)
		run_random_bucket(false);
}

static void never_exceeds_when_limits_change(void **unused)
{
	unsigned int i;

	(void)unused;
	unit_seed();
	for (i = 0; i < 300; i++)
		run_random_bucket(true);
}

/* Small steps lose nothing: after any number of them the bucket has given rate * time. */
static void small_steps_give_the_whole_rate(void **unused)
{
	static const u64 rates[] = { 1, 3, 7, 1000, 25600, 1000003 };
	unsigned int r;

	(void)unused;
	unit_seed();
	for (r = 0; r < sizeof(rates) / sizeof(rates[0]); r++) {
		u64 now = 5, sum = 0, step = NS_PER_S / rates[r] / 3 + 1;
		struct tc_bucket b;
		u64 i, due;

		tc_bucket_init(&b, now, rates[r], 4);
		for (i = 0; i < 3000; i++) {
			now += step + unit_below(step);
			sum += tc_bucket_take(&b, now, 4);
		}
		due = (u64)((u128)(now - 5) * rates[r] / NS_PER_S) + 4;
		/* Each page may be late by the rounding of one ns. */
		unit_check(sum <= due && sum + 1 + due * rates[r] / NS_PER_S >= due,
			   "rate %llu: %llu of %llu pages", (unsigned long long)rates[r],
			   (unsigned long long)sum, (unsigned long long)due);
	}
}

static void idle_saves_up_to_the_burst(void **unused)
{
	struct tc_bucket b;

	(void)unused;
	tc_bucket_init(&b, 0, 100, 512);
	assert_true(tc_bucket_take(&b, 0, 1000) == 512);
	assert_true(tc_bucket_take(&b, 0, 1) == 0);
	assert_true(tc_bucket_take(&b, NS_PER_S, 1000) == 100);
	assert_true(tc_bucket_take(&b, 3600 * NS_PER_S, 1000) == 512);
}

static void asks_less_than_there_is(void **unused)
{
	struct tc_bucket b;

	(void)unused;
	tc_bucket_init(&b, 0, 100, 512);
	assert_true(tc_bucket_take(&b, 0, 0) == 0);
	assert_true(tc_bucket_take(&b, 0, 500) == 500);
	assert_true(tc_bucket_take(&b, 0, 500) == 12);
}

static void rate_zero_is_unlimited(void **unused)
{
	struct tc_bucket b;

	(void)unused;
	tc_bucket_init(&b, 0, 0, 16);
	assert_true(tc_bucket_take(&b, 0, TC_U64_MAX) == TC_U64_MAX);
	assert_true(tc_bucket_take(&b, 0, 5) == 5);
	/* Time without a limit earns nothing for the time with one. */
	tc_bucket_set_rate(&b, 100 * NS_PER_S, 10, 1000);
	assert_true(tc_bucket_take(&b, 100 * NS_PER_S, 1000) == 16);
	assert_true(tc_bucket_take(&b, 101 * NS_PER_S, 1000) == 10);
}

static void part_of_a_page_does_not_grow_with_the_rate(void **unused)
{
	struct tc_bucket b;

	(void)unused;
	tc_bucket_init(&b, 0, 1, 1000000);
	assert_true(tc_bucket_take(&b, 0, 1000000) == 1000000);
	tc_bucket_set_rate(&b, NS_PER_S - 1, 1000000, 1000000);
	assert_true(tc_bucket_take(&b, NS_PER_S - 1, 1000000) == 0);
}

static void time_before_a_change_counts_at_the_old_rate(void **unused)
{
	struct tc_bucket b;

	(void)unused;
	tc_bucket_init(&b, 0, 100, 1000);
	assert_true(tc_bucket_take(&b, 0, 1000) == 1000);
	tc_bucket_set_rate(&b, 2 * NS_PER_S, 1, 1000);
	assert_true(tc_bucket_take(&b, 2 * NS_PER_S, 1000) == 200);
	assert_true(tc_bucket_take(&b, 5 * NS_PER_S, 1000) == 3);
}

static void smaller_burst_takes_effect_at_once(void **unused)
{
	struct tc_bucket b;

	(void)unused;
	tc_bucket_init(&b, 0, 10, 1000);
	tc_bucket_set_rate(&b, 0, 10, 30);
	assert_true(tc_bucket_take(&b, 0, 1000) == 30);
}

static void returned_pages_can_be_taken_again(void **unused)
{
	struct tc_bucket b;

	(void)unused;
	tc_bucket_init(&b, 0, 10, 100);
	assert_true(tc_bucket_take(&b, 0, 100) == 100);
	tc_bucket_return(&b, 40);
	assert_true(tc_bucket_take(&b, 0, 100) == 40);
	tc_bucket_return(&b, TC_U64_MAX);
	assert_true(tc_bucket_take(&b, 0, 1000) == 100);
}

static void clock_that_goes_back(void **unused)
{
	struct tc_bucket b;

	(void)unused;
	tc_bucket_init(&b, 10 * NS_PER_S, 100, 100);
	assert_true(tc_bucket_take(&b, 10 * NS_PER_S, 100) == 100);
	assert_true(tc_bucket_take(&b, 0, 100) == 0);
	tc_bucket_set_rate(&b, 0, 100, 100);
	assert_true(tc_bucket_take(&b, 10 * NS_PER_S, 100) == 0);
	assert_true(tc_bucket_take(&b, 10 * NS_PER_S + NS_PER_S / 2, 100) == 50);
}

static void extremes(void **unused)
{
	static const u64 values[] = {
		0,	    1,		2, NS_PER_S - 1, NS_PER_S, NS_PER_S + 1, TC_BUCKET_RATE_MAX,
		1ULL << 63, TC_U64_MAX,
	};
	const unsigned int n = sizeof(values) / sizeof(values[0]);
	unsigned int r, burst, step;

	(void)unused;
	for (r = 1; r < n; r++)
		for (burst = 0; burst < n; burst++)
			for (step = 0; step < n; step++) {
				u64 rate = min_u64(values[r], TC_BUCKET_RATE_MAX);
				u128 earned = (u128)rate * values[step] / NS_PER_S;
				u64 most = values[burst] ? values[burst] : 1;
				u64 due = earned < most ? (u64)earned : most;
				struct tc_bucket b;

				tc_bucket_init(&b, 0, values[r], values[burst]);
				assert_true(tc_bucket_take(&b, 0, TC_U64_MAX) == most);
				assert_true(tc_bucket_take(&b, values[step], TC_U64_MAX) == due);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(never_exceeds),
		cmocka_unit_test(never_exceeds_when_limits_change),
		cmocka_unit_test(small_steps_give_the_whole_rate),
		cmocka_unit_test(idle_saves_up_to_the_burst),
		cmocka_unit_test(asks_less_than_there_is),
		cmocka_unit_test(rate_zero_is_unlimited),
		cmocka_unit_test(part_of_a_page_does_not_grow_with_the_rate),
		cmocka_unit_test(time_before_a_change_counts_at_the_old_rate),
		cmocka_unit_test(smaller_burst_takes_effect_at_once),
		cmocka_unit_test(returned_pages_can_be_taken_again),
		cmocka_unit_test(clock_that_goes_back),
		cmocka_unit_test(extremes),
	};

	return cmocka_run_group_tests_name("bucket", tests, NULL, NULL);
}
