// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the stop gate on sequences of windows as runs have them: converged and thrashing, a hot set
 * that moves, noise.
 * Knows what each kind of sequence must lead to.
 * Does not know how a verdict is found.
 */
#include "unit.h"

#include "gate.h"

#define BUDGET 4000
#define SAMPLES 2700

/* Samples that hit, of @n with this probability: as random as sampling is. */
static u64 hits(u64 n, unsigned int ratio_bp)
{
	u64 fast = 0;

	while (n--)
		fast += unit_below(10000) < ratio_bp;
	return fast;
}

static enum tc_gate_verdict judge_hits(struct tc_gate *g, u64 fast, u64 promoted, u8 hot)
{
	struct tc_gate_window w = {
		.fast = fast,
		.all = SAMPLES,
		.promoted = promoted < g->allowed ? promoted : g->allowed,
		.budget = BUDGET,
		.hot = hot,
	};

	return tc_gate_judge(g, &w);
}

static enum tc_gate_verdict judge(struct tc_gate *g, unsigned int ratio_bp, u64 promoted, u8 hot)
{
	return judge_hits(g, hits(SAMPLES, ratio_bp), promoted, hot);
}

/* The same, if samples came as they are expected. */
static enum tc_gate_verdict judge_mean(struct tc_gate *g, unsigned int ratio_bp, u64 promoted,
				       u8 hot)
{
	return judge_hits(g, (u64)SAMPLES * ratio_bp / 10000, promoted, hot);
}

/*
 * Pages swapped with their like: the hit ratio stays, and promotions fall to what a trial needs. By chance a window
 * looks like a gain now and then, and the gate opens further for a while.
 */
static void thrash_is_stopped(void **unused)
{
	unsigned int closed = 0, i;
	u64 promoted = 0, late = 0;
	struct tc_gate g;

	(void)unused;
	unit_seed();
	tc_gate_init(&g);
	for (i = 0; i < 400; i++) {
		u64 most = g.allowed < 300 ? g.allowed : 300;

		judge(&g, 6400, 300, 10);
		promoted += most;
		closed += g.halvings >= 3;
		if (i >= 200)
			late += most;
	}
	unit_check(closed > 200, "halved three times in %u windows of 400 only", closed);
	unit_check(promoted < 400 * 300 / 4, "%llu pages promoted", (unsigned long long)promoted);
	unit_check(late < 200 * 300 / 8, "%llu pages promoted late", (unsigned long long)late);
	unit_check(g.allowed > BUDGET / TC_GATE_TRIAL, "%llu allowed: no trial any more",
		   (unsigned long long)g.allowed);
}

/* As long as the hit ratio rises, nothing is held back. */
static void convergence_is_not_held_back(void **unused)
{
	struct tc_gate g;
	unsigned int ratio;

	(void)unused;
	unit_seed();
	tc_gate_init(&g);
	for (ratio = 2500; ratio < 7500; ratio += 250) {
		judge(&g, ratio, 250, 10);
		unit_check(g.halvings <= 1, "at %u bp halved %u times", ratio, g.halvings);
	}
}

/* Recorded: 16 MiB of 48 fast, Zipf; hit ratio in 1/10000 and promotions of each window. */
static void recorded_zipf(void **unused)
{
	static const unsigned int run[][2] = {
		{ 4306, 1176 }, { 5590, 1198 }, { 6029, 517 }, { 6199, 178 }, { 6391, 239 },
		{ 6517, 243 },	{ 6494, 228 },	{ 6520, 323 }, { 6487, 323 }, { 6512, 300 },
		{ 6520, 384 },	{ 6524, 192 },	{ 6542, 192 }, { 6531, 296 }, { 6550, 221 },
		{ 6555, 200 },	{ 6590, 310 },	{ 6523, 280 }, { 6510, 192 }, { 6556, 208 },
		{ 6563, 192 },	{ 6530, 248 },	{ 6571, 248 }, { 6539, 248 }, { 6530, 248 },
	};
	struct tc_gate g;
	unsigned int i;

	(void)unused;
	tc_gate_init(&g);
	for (i = 0; i < sizeof(run) / sizeof(run[0]); i++) {
		struct tc_gate_window w = {
			.fast = (u64)SAMPLES * run[i][0] / 10000,
			.all = SAMPLES,
			.promoted = run[i][1] < g.allowed ? run[i][1] : g.allowed,
			.budget = BUDGET,
			.hot = 9 + i % 2,
		};

		tc_gate_judge(&g, &w);
		if (i < 6)
			assert_int_equal(g.halvings, 0);
	}
	unit_check(g.halvings >= 3, "halved %u times only", g.halvings);
}

/* Closes the gate at a hit ratio. */
static void close_gate(struct tc_gate *g, unsigned int ratio)
{
	int i;

	for (i = 0; i < 50; i++)
		judge(g, ratio, 300, 10);
	for (i = 0; i < 100 && g->allowed == TC_U64_MAX; i++)
		judge_mean(g, ratio, 300, 10);
	unit_check(g->allowed != TC_U64_MAX, "not closed at %u bp", ratio);
}

static void moving_hot_set_opens(void **unused)
{
	struct tc_gate g;
	int phase;

	(void)unused;
	unit_seed();
	tc_gate_init(&g);
	for (phase = 0; phase < 20; phase++) {
		close_gate(&g, 8000);
		assert_int_equal(judge(&g, 3000, 0, 10), TC_GATE_SHIFT);
		assert_true(g.allowed == TC_U64_MAX);
		assert_int_equal(g.halvings, 0);
		/* and comes back by promotions, which are not held back meanwhile */
		judge(&g, 5000, 500, 10);
		judge(&g, 7000, 500, 10);
		assert_true(g.allowed == TC_U64_MAX);
	}
}

/* Small steps down are a fall as well. */
static void slow_decline_opens(void **unused)
{
	unsigned int ratio;
	struct tc_gate g;
	bool opened = false;

	(void)unused;
	unit_seed();
	tc_gate_init(&g);
	close_gate(&g, 8000);
	for (ratio = 8000; ratio > 6000; ratio -= 20)
		opened |= judge(&g, ratio, 0, 10) == TC_GATE_SHIFT;
	assert_true(opened);
}

static void thresholds_that_move_open(void **unused)
{
	struct tc_gate g;

	(void)unused;
	unit_seed();
	tc_gate_init(&g);
	close_gate(&g, 8000);
	/* one bin is what a cooling does */
	assert_int_not_equal(judge_mean(&g, 8000, 0, 9), TC_GATE_SHIFT);
	assert_int_not_equal(judge_mean(&g, 8000, 0, 11), TC_GATE_SHIFT);
	assert_int_equal(judge_mean(&g, 8000, 0, 12), TC_GATE_SHIFT);
	assert_true(g.allowed == TC_U64_MAX);
	/* the new place is where it is now */
	assert_int_not_equal(judge_mean(&g, 8000, 0, 12), TC_GATE_SHIFT);
}

/* Noise neither opens a closed gate often nor closes an open one without promotions. */
static void noise_is_not_a_profile(void **unused)
{
	unsigned int shifts = 0, i;
	struct tc_gate g;

	(void)unused;
	unit_seed();
	tc_gate_init(&g);
	for (i = 0; i < 1000; i++)
		shifts += judge(&g, 5000, 0, 10) == TC_GATE_SHIFT;
	assert_true(g.allowed == TC_U64_MAX);
	/* the first window is one; four deviations below a peak come in a thousand a few times */
	unit_check(shifts < 10, "%u shifts of nothing", shifts);
}

static void short_windows_wait(void **unused)
{
	struct tc_gate_window w = { .fast = 0, .all = TC_GATE_SAMPLES_MIN - 1, .budget = BUDGET };
	struct tc_gate g, before;

	(void)unused;
	tc_gate_init(&g);
	before = g;
	assert_int_equal(tc_gate_judge(&g, &w), TC_GATE_SHORT);
	assert_memory_equal(&g, &before, sizeof(g));
}

/* Whatever comes: a trial is always allowed, and nothing overflows (UBSan looks). */
static void bounds_hold(void **unused)
{
	struct tc_gate g;
	int i;

	(void)unused;
	unit_seed();
	tc_gate_init(&g);
	for (i = 0; i < 200000; i++) {
		struct tc_gate_window w = {
			.all = unit_magnitude(),
			.promoted = unit_magnitude(),
			.budget = unit_magnitude(),
			.hot = unit_below(TC_BINS),
		};

		w.fast = unit_chance(5) ? unit_magnitude() : unit_below(w.all + 1);
		tc_gate_judge(&g, &w);
		assert_true(g.allowed >= 1);
		assert_true(g.mark_bp <= 10000 && g.peak_bp <= 10000 && g.hit_bp <= 10000);
		assert_true((g.allowed == TC_U64_MAX) == !g.halvings);
	}
}

static void margins(void **unused)
{
	/* by level of samples (less than one, one, two to three, four and more) and halvings */
	static const unsigned int wanted[4][5] = {
		{ 1, 2, 3, 4, 4 }, { 1, 2, 3, 3, 3 }, { 1, 2, 2, 2, 2 }, { 1, 1, 1, 1, 1 }
	};
	unsigned int bin, order, halvings;

	(void)unused;
	for (halvings = 0; halvings < 5; halvings++)
		for (order = 0; order <= TC_BLOCK_ORDER; order++)
			for (bin = 0; bin < TC_BINS; bin++) {
				int level = (int)(bin + order) - TC_BLOCK_ORDER + 1;
				unsigned int row = level < 0 ? 0 : level > 3 ? 3 : level;

				assert_int_equal(tc_gate_margin(halvings, bin, order),
						 wanted[row][halvings]);
			}
	assert_int_equal(tc_gate_margin(UINT32_MAX, 0, 0), 1 + TC_GATE_MARGIN_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thrash_is_stopped),
		cmocka_unit_test(convergence_is_not_held_back),
		cmocka_unit_test(recorded_zipf),
		cmocka_unit_test(moving_hot_set_opens),
		cmocka_unit_test(slow_decline_opens),
		cmocka_unit_test(thresholds_that_move_open),
		cmocka_unit_test(noise_is_not_a_profile),
		cmocka_unit_test(short_windows_wait),
		cmocka_unit_test(bounds_hold),
		cmocka_unit_test(margins),
	};

	return cmocka_run_group_tests_name("gate", tests, NULL, NULL);
}
