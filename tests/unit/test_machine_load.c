// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the simulated machine's loaded latency: points computed by hand, and order.
 * Knows what half and full duplex mean.
 * Does not know who makes traffic.
 */
#include "unit.h"

#include <math.h>

#include "load.h"

#define GAIN 0.15

static const struct link bus = { 80, 100000, false }, lanes = { 170, 20000, true };

static void check(double got, double expected)
{
	unit_check(fabs(got - expected) < 1e-9 * expected, "%.9f instead of %.9f", got, expected);
}

static struct waits waits(const struct link *link, double read, double write)
{
	return tcm_loaded_waits(link, (struct traffic){ read, write }, GAIN);
}

/* 80 * (1 + 0.15 * 0.5 / 0.5) = 92; 170 * (1 + 0.15 * 0.75 / 0.25) = 246.5; and without load nothing. */
static void known_points(void **unused)
{
	(void)unused;
	check(waits(&bus, 0, 0).load_ns, 80);
	check(waits(&bus, 50000, 0).load_ns, 92);
	check(waits(&bus, 20000, 30000).load_ns, 92);
	check(waits(&bus, 20000, 30000).store_ns, 92);
	check(waits(&lanes, 15000, 0).load_ns, 246.5);
	check(waits(&lanes, 15000, 15000).load_ns, 246.5);
}

static void directions(void **unused)
{
	(void)unused;
	check(waits(&lanes, 0, 15000).load_ns, 170);
	check(waits(&lanes, 0, 15000).store_ns, 246.5);
	check(waits(&lanes, 15000, 0).store_ns, 246.5);
}

/* 80 * (1 + 0.15 * 0.95 / 0.05) = 308 is the end of the curve. */
static void the_curve_ends(void **unused)
{
	const struct link unlimited = { 80, 0, false };

	(void)unused;
	check(waits(&bus, 95000, 0).load_ns, 308);
	check(waits(&bus, 1e9, 1e9).load_ns, 308);
	check(waits(&unlimited, 1e9, 1e9).load_ns, 80);
	check(tcm_loaded_waits(&bus, (struct traffic){ 90000, 0 }, 0).load_ns, 80);
}

static void more_traffic_never_helps(void **unused)
{
	unsigned int i;

	(void)unused;
	unit_seed();
	for (i = 0; i < 100000; i++) {
		const struct link link = { 10 + unit_below(500), 1 + unit_below(200000),
					   unit_chance(50) };
		struct traffic less = { unit_below(200000), unit_below(200000) }, more = less;
		struct waits before, after;

		more.read += unit_below(1000);
		more.write += unit_below(1000);
		before = tcm_loaded_waits(&link, less, GAIN);
		after = tcm_loaded_waits(&link, more, GAIN);
		unit_check(after.load_ns >= before.load_ns && after.store_ns >= before.store_ns,
			   "step %u", i);
		unit_check(after.store_ns >= after.load_ns && before.load_ns >= link.latency_ns,
			   "order in step %u", i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_points),
		cmocka_unit_test(directions),
		cmocka_unit_test(the_curve_ends),
		cmocka_unit_test(more_traffic_never_helps),
	};

	return cmocka_run_group_tests_name("machine_load", tests, NULL, NULL);
}
