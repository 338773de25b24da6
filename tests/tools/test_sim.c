// SPDX-License-Identifier: GPL-2.0
/*
 * The simulator: popularity as its formula says, places that add up, moves within the bucket, and
 * policies in the order that they must have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../tools/lib/errors.h"
#include "../../tools/tcsim/sim.h"

#define GIB (1ULL << 30)

static const struct sim_policy *const movers[] = { &sim_thermocline, &sim_hemem, &sim_twotouch,
						   &sim_recency };

static u64 population(const struct sim *sim)
{
	u64 sum = 0, i;

	for (i = 0; i <= sim->folios / 64; i++)
		sum += __builtin_popcountll(sim->fast[i]);
	return sum;
}

static struct result run(const struct sim_policy *policy, const char *kind, u64 accesses, u64 rate,
			 struct sim *sim)
{
	struct result result;
	struct trace trace;

	assert_true(trace_generate(&trace, kind, GIB >> 12, accesses, 0.99, 3));
	sim_init(sim, GIB, GIB / 5, 0, rate);
	sim_run(sim, &trace, policy, 2, false, &result);
	assert_int_equal(result.accesses, accesses);
	return result;
}

/* Each rank's share is k^-theta over the sum of all, within five standard deviations. */
static void test_zipf(void **state)
{
	enum { N = 50, DRAWS = 400000 };
	static const double thetas[] = { 0.5, 0.99, 1.0, 1.4 };
	u64 folios[1000], seen[N], got, i;
	double sum, expected;
	struct trace trace;
	size_t t;

	for (t = 0; t < sizeof(thetas) / sizeof(thetas[0]); t++) {
		memset(seen, 0, sizeof(seen));
		assert_true(trace_generate(&trace, "zipf", N, DRAWS, thetas[t], 11));
		/* Ranks as they are: with so few folios there are no neighbours, and the order is known. */
		trace.multiplier = 1;
		while ((got = trace.next(&trace, folios, 1000)) > 0)
			for (i = 0; i < got; i++)
				seen[folios[i]]++;
		for (sum = 0, i = 0; i < N; i++)
			sum += pow(i + 1, -thetas[t]);
		for (i = 0; i < N; i++) {
			expected = DRAWS * pow(i + 1, -thetas[t]) / sum;
			if (fabs(seen[i] - expected) > 5 * sqrt(expected))
				fail_msg("theta %.2f, rank %d: %d instead of %.0f", thetas[t],
					 (int)i, (int)seen[i], expected);
		}
	}
}

static void test_scatter_is_one_to_one(void **state)
{
	u64 folios[64 * 16], i;
	bool *seen = tc_alloc(64 * 16);
	struct trace trace;

	/* A theta near 0 reaches every rank soon; each folio must be reached. */
	assert_true(trace_generate(&trace, "zipf", 64 * 16, 100000, 0.01, 5));
	while (trace.next(&trace, folios, 1000) == 1000)
		for (i = 0; i < 1000; i++)
			seen[folios[i]] = true;
	for (i = 0; i < 64 * 16; i++)
		assert_true(seen[i]);
	free(seen);
}

static void test_same_seed_same_trace(void **state)
{
	u64 a[500], b[500];
	struct trace one, two;

	assert_true(trace_generate(&one, "shift", 100000, 500, 0.9, 7));
	assert_true(trace_generate(&two, "shift", 100000, 500, 0.9, 7));
	one.next(&one, a, 500);
	two.next(&two, b, 500);
	assert_memory_equal(a, b, sizeof(a));
	assert_false(trace_generate(&one, "nothing", 10, 10, 1, 1));
}

static void test_places_add_up(void **state)
{
	struct result result;
	struct sim sim;
	u64 before;
	size_t i;

	for (i = 0; i < sizeof(movers) / sizeof(movers[0]); i++) {
		sim_init(&sim, GIB, GIB / 5, 0, 0);
		before = sim.used;
		sim_exit(&sim);
		result = run(movers[i], "zipf", 3000000, 1024, &sim);
		assert_true(population(&sim) == sim.used);
		assert_true(sim.used <= sim.capacity);
		assert_true(before + result.promoted - result.demoted == sim.used);
		sim_exit(&sim);
	}
}

static void test_rate_holds(void **state)
{
	struct result result;
	struct sim sim;
	u64 most;

	/* 1 MiB/s: 256 pages a second and a burst of half of that, over 15 ms */
	result = run(&sim_recency, "uniform", 3000000, 1, &sim);
	most = 256 * sim.now_ns / 1000000000 + 128 + 1;
	assert_true(result.promoted + result.demoted <= most);
	assert_true(result.promoted > 0);
	sim_exit(&sim);
}

static void test_none_and_oracle_are_the_bounds(void **state)
{
	double none, oracle, hits;
	struct result result;
	struct sim sim;
	size_t i;

	result = run(&sim_none, "zipf", 6000000, 0, &sim);
	none = (double)result.late_hits / result.late_accesses;
	assert_int_equal(result.promoted + result.demoted, 0);
	sim_exit(&sim);
	result = run(&sim_oracle, "zipf", 6000000, 0, &sim);
	oracle = (double)result.late_hits / result.late_accesses;
	sim_exit(&sim);
	for (i = 0; i < sizeof(movers) / sizeof(movers[0]); i++) {
		result = run(movers[i], "zipf", 6000000, 0, &sim);
		hits = (double)result.late_hits / result.late_accesses;
		sim_exit(&sim);
		if (hits > oracle + 0.002 || hits < none - 0.02)
			fail_msg("%s: %.4f, none %.4f, oracle %.4f", movers[i]->name, hits, none,
				 oracle);
		/* What this module is for: it comes near to what is possible. */
		if (movers[i] == &sim_thermocline)
			assert_true(hits > none + (oracle - none) * 0.8);
	}
}

static bool read_text(const char *text, struct trace *trace, char **why)
{
	char path[] = "/tmp/tcsim-test-XXXXXX";
	int fd = mkstemp(path);
	bool good;

	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	good = trace_read(trace, path, 0, why);
	unlink(path);
	return good;
}

static void test_recorded(void **state)
{
	struct trace trace;
	u64 folios[8];
	char *why;

	assert_true(read_text("# comment\n 200000\n0\n0x200fff\n 80201000 \n", &trace, &why));
	assert_int_equal(trace.next(&trace, folios, 8), 3);
	assert_int_equal(folios[0], 0);
	assert_int_equal(folios[1], 0);
	assert_int_equal(folios[2], 513);
	assert_int_equal(trace.folios, 1024);
	trace_exit(&trace);
	assert_false(read_text("200000\nfast\n", &trace, &why));
	assert_non_null(strstr(why, "line 2 is no hexadecimal address"));
	assert_false(read_text("# nothing\n", &trace, &why));
	assert_non_null(strstr(why, "no addresses"));
}

static void three(void *arg)
{
	*(volatile int *)arg = 3;
}

static void hundred(void *arg)
{
	int i;

	for (i = 0; i < 100; i++)
		*(volatile int *)arg = i;
}

static void test_instructions(void **state)
{
	int number;
	u64 few = count_instructions(three, &number), many = count_instructions(hundred, &number);

	if (!few && !many)
		skip();
	assert_true(many > few + 200);
	assert_int_equal(count_instructions(hundred, &number), many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_zipf),
		cmocka_unit_test(test_scatter_is_one_to_one),
		cmocka_unit_test(test_same_seed_same_trace),
		cmocka_unit_test(test_places_add_up),
		cmocka_unit_test(test_rate_holds),
		cmocka_unit_test(test_none_and_oracle_are_the_bounds),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_instructions),
	};

	return cmocka_run_group_tests_name("sim", tests, NULL, NULL);
}
