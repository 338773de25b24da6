// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the choice of page frames, of the interval between looks, and of the CPU time they may take.
 * Knows what looks.h promises.
 * Does not know what is looked at.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "looks.h"

#define NS_PER_MS 1000000ULL

/* Marks what @turns choices out of @range reach; returns how many of them were reached. */
static u64 reached(u64 range, u64 step, u32 turns)
{
	u8 *seen = calloc(1, range);
	u64 at, count = 0;
	u32 turn;

	for (turn = 0; turn < turns; turn++) {
		struct tc_comb comb = tc_comb_choose(range, step, turn);

		unit_check(comb.first < step && comb.step == step, "turn %u begins at %llu", turn,
			   (unsigned long long)comb.first);
		for (at = comb.first; at < range; at += comb.step)
			seen[at] = 1;
	}
	for (at = 0; at < range; at++)
		count += seen[at];
	free(seen);
	return count;
}

static void a_step_of_one_chooses_all(void **unused)
{
	(void)unused;
	assert_int_equal(reached(1000, 1, 1), 1000);
	assert_int_equal(tc_comb_choose(1000, 0, 7).step, 1);
	assert_int_equal(tc_comb_choose(1000, 1, 123456).first, 0);
}

/* As many turns as the step has numbers reach nearly two thirds, twice as many almost all. */
static void turns_reach_the_range(void **unused)
{
	u64 step;

	(void)unused;
	for (step = 2; step < 300; step += 7) {
		unit_check(reached(9000, step, step) >= 9000 * 60 / 100, "step %llu, one cycle",
			   (unsigned long long)step);
		unit_check(reached(9000, step, 2 * step) >= 9000 * 95 / 100,
			   "step %llu, two cycles", (unsigned long long)step);
	}
}

/* Successive turns of a few do not crowd: any two of three are at least a fifth of the step apart. */
static void neighbours_are_far_apart(void **unused)
{
	u32 turn;

	(void)unused;
	for (turn = 0; turn < 1000; turn++) {
		s64 a = tc_comb_choose(1 << 30, 100000, turn).first;
		s64 b = tc_comb_choose(1 << 30, 100000, turn + 1).first;

		unit_check(llabs(a - b) > 20000, "turns %u and its next are %lld apart", turn,
			   (long long)llabs(a - b));
	}
}

static void steps_fit_what_is_wanted(void **unused)
{
	(void)unused;
	assert_int_equal(tc_comb_step(1000, 1000, 1000, 1000), 1);
	assert_int_equal(tc_comb_step(1000, 1001, 1001, 1001), 2);
	assert_int_equal(tc_comb_step(1000, 100, 100, 1000), 1);
	/* Most of the range is not in use: what may be gone through bounds it. */
	assert_int_equal(tc_comb_step(1000, 1000, 1000000, 100000), 10);
	assert_int_equal(tc_comb_step(0, 1000, 1000, 1000), 0xffffffff);
	assert_int_equal(tc_comb_step(5, 0, 0, 1), 1);
}

static void steps_never_choose_more_than_wanted(void **unused)
{
	int i;

	(void)unused;
	unit_seed();
	for (i = 0; i < 100000; i++) {
		u64 in_use = unit_below(1ULL << 35), wanted = 16 + unit_below(1 << 20);
		u64 step = tc_comb_step(wanted, in_use, 2 * in_use, 1 << 22);

		unit_check(step >= 1 && in_use / step <= wanted && 2 * in_use / step <= 1 << 22,
			   "%llu of %llu by %llu", (unsigned long long)wanted,
			   (unsigned long long)in_use, (unsigned long long)step);
	}
}

/* Where the share found accessed grows at most in proportion to the interval, it comes to rest. */
static void the_interval_comes_to_rest(void **unused)
{
	int i, round;

	(void)unused;
	unit_seed();
	for (i = 0; i < 20000; i++) {
		u32 aim = TC_LOOKS_SHARE_MIN_BP +
			  unit_below(TC_LOOKS_SHARE_MAX_BP - TC_LOOKS_SHARE_MIN_BP + 1);
		u32 ms = TC_LOOKS_MS_START, before;
		/* Share at an interval: ms / knee of everything, as of evenly used memory. */
		u64 knee = 10 + unit_below(200000);

		for (round = 0; round < 12; round++) {
			u64 share = ms >= knee ? 10000 : ms * 10000 / knee;

			before = ms;
			ms = tc_looks_interval(ms, share, 10000, aim);
			unit_check(ms >= TC_LOOKS_MS_MIN && ms <= TC_LOOKS_MS_MAX, "%u ms", ms);
		}
		unit_check(ms == before, "swings between %u and %u ms: aim %u, knee %llu", before,
			   ms, aim, (unsigned long long)knee);
	}
}

static void the_interval_follows_the_share(void **unused)
{
	(void)unused;
	assert_int_equal(tc_looks_interval(200, 100, 1000, 3000), 400);
	assert_int_equal(tc_looks_interval(200, 300, 1000, 3000), 200);
	assert_int_equal(tc_looks_interval(200, 900, 1000, 3000), 100);
	assert_int_equal(tc_looks_interval(200, 0, 0, 3000), 200);
	assert_int_equal(tc_looks_interval(TC_LOOKS_MS_MAX, 0, 1000, 3000), TC_LOOKS_MS_MAX);
	assert_int_equal(tc_looks_interval(TC_LOOKS_MS_MIN, 1000, 1000, 3000), TC_LOOKS_MS_MIN);
	assert_int_equal(tc_looks_interval(1, TC_U64_MAX, TC_U64_MAX, 3000), TC_LOOKS_MS_MIN);
}

static void the_aim_is_the_fast_share(void **unused)
{
	(void)unused;
	assert_int_equal(tc_looks_aim(300, 1000), 3000);
	assert_int_equal(tc_looks_aim(1, 1000), TC_LOOKS_SHARE_MIN_BP);
	assert_int_equal(tc_looks_aim(900, 1000), TC_LOOKS_SHARE_MAX_BP);
	assert_int_equal(tc_looks_aim(1000, 1000), TC_LOOKS_SHARE_MAX_BP);
	assert_int_equal(tc_looks_aim(0, 0), TC_LOOKS_SHARE_MAX_BP);
}

static void looks_fit_the_limit(void **unused)
{
	(void)unused;
	/* 1 % of 200 ms are 2 ms; four fifths of it for looks of 2 us */
	assert_int_equal(tc_looks_affordable(200, 100, 2000), 800);
	assert_int_equal(tc_looks_affordable(200, 10000, 2000), 80000);
	assert_int_equal(tc_looks_affordable(200, 100, 0), 1600000);
}

/* Whoever works only while something is left uses no more than the limit, one overdraft aside. */
static void the_allowance_keeps_the_limit(void **unused)
{
	int i, turn;

	(void)unused;
	unit_seed();
	for (i = 0; i < 2000; i++) {
		u32 limit = 1 + unit_below(10000);
		u64 most = 2 * NS_PER_MS, used = 0, all = 0, time = 0, overdraft = 0;
		struct tc_cpu_allowance a = { 0 }, later;
		u64 wait;

		for (turn = 0; turn < 300; turn++) {
			u64 passed = used + unit_below(50 * NS_PER_MS);

			tc_allowance_update(&a, passed, used, limit, most);
			time += passed;
			used = a.left_ns > 0 ? unit_below(5 * NS_PER_MS) : 0;
			all += used;
			overdraft = used > overdraft ? used : overdraft;
			unit_check(all <= time * limit / 10000 + most + overdraft + turn,
				   "used %llu of %llu at %u", (unsigned long long)all,
				   (unsigned long long)time, limit);
			if (a.left_ns > 0)
				continue;
			/* It says rightly when there is something again. */
			later = a;
			wait = tc_allowance_wait(&a, limit);

			tc_allowance_update(&later, wait + 10000 / limit + 1, 0, limit, most);
			unit_check(later.left_ns > 0, "nothing is left after the wait");
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_of_one_chooses_all),
		cmocka_unit_test(turns_reach_the_range),
		cmocka_unit_test(neighbours_are_far_apart),
		cmocka_unit_test(steps_fit_what_is_wanted),
		cmocka_unit_test(steps_never_choose_more_than_wanted),
		cmocka_unit_test(the_interval_comes_to_rest),
		cmocka_unit_test(the_interval_follows_the_share),
		cmocka_unit_test(the_aim_is_the_fast_share),
		cmocka_unit_test(looks_fit_the_limit),
		cmocka_unit_test(the_allowance_keeps_the_limit),
	};

	return cmocka_run_group_tests_name("looks", tests, NULL, NULL);
}
