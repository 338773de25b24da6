// SPDX-License-Identifier: GPL-2.0
/*
 * loaded: does the simulated machine's latency rise with the traffic as configured?
 *
 * Knows the curve, from docs/machine.md, and what half and full duplex mean.
 * Does not know how the machine measures traffic: its own it takes from the
 * counters, the antagonist's it sets.
 */
#define _GNU_SOURCE
#include "backing.h"
#include "gauge.h"
#include "lines.h"
#include "window.h"

#define REGION_BYTES (16UL << 20)
#define NR_LINES (REGION_BYTES / LINE)
#define TOLERANCE 0.01
#define MOST 0.95

static struct tcm_shared *machine;

/* An antagonist's traffic in parts of 100 of the tier's bandwidth. */
struct level {
	unsigned int read, written;
};

static double loaded_ns(const struct tcm_tier *tier, double used)
{
	double u = used / tier->bandwidth_mbs;

	if (u > MOST)
		u = MOST;
	return tier->latency_ns * (1 + machine->config.load_gain_pm / 1000.0 * u / (1 - u));
}

static double mbs(double lines, const struct tcm_counts *count)
{
	return lines * LINE * 1e6 / count->time_ps;
}

static double expected_ns(unsigned int node, struct level level, bool stores)
{
	const struct tcm_tier *tier = &machine->config.tier[node];
	const struct tcm_counts *count = &machine->mailbox.window;
	double read = tier->bandwidth_mbs * 0.01 * level.read +
		      mbs(count->loads[node] + count->stores[node], count);
	double written =
		tier->bandwidth_mbs * 0.01 * level.written + mbs(count->write_backs[node], count);

	if (!tier->full_duplex)
		return loaded_ns(tier, read + written);
	return loaded_ns(tier, stores && written > read ? written : read);
}

/* A multiple that has no factor in common with the number of lines visits them all, far apart. */
static void store_all(struct line *line)
{
	uint64_t i;

	for (i = 0; i < NR_LINES; i++)
		*(volatile char *)line[i * 40503 % NR_LINES].pad = 1;
}

static void visit_all(struct line *line, bool stores)
{
	if (stores)
		store_all(line);
	else
		lines_chase(line, NR_LINES);
}

static void measure(struct line *line, unsigned int node, struct level level, bool stores)
{
	const struct tcm_counts *count = &machine->mailbox.window;
	unsigned int percent = machine->config.tier[node].bandwidth_mbs / 100;
	double waited;

	window_antagonist(machine, node, level.read * percent, level.written * percent);
	window_region(machine, line, REGION_BYTES);
	window_begin(machine);
	visit_all(line, stores);
	window_next(machine);
	visit_all(line, stores);
	window_end(machine);
	window_antagonist(machine, node, 0, 0);
	waited = count->time_ps - (double)count->instructions * machine->config.insn_ps -
		 count->translation_ps;
	gauge(gauge_name("node %u, %u %% read and %u %% written by others: ns a %s", node,
			 level.read, level.written, stores ? "store" : "load"),
	      expected_ns(node, level, stores), waited * 1e-3 / NR_LINES, TOLERANCE, 0);
	if (stores)
		gauge(gauge_name("node %u: written lines that came back a store", node), 1,
		      count->write_backs[node] / (double)NR_LINES, TOLERANCE, 0);
}

int main(void)
{
	static const struct level levels[] = { { 0, 0 },  { 50, 0 },  { 80, 0 },
					       { 0, 80 }, { 40, 40 }, { 100, 100 } };
	unsigned int node;
	size_t i;

	machine = window_open();
	if (!machine || machine->config.nr_tiers < 2) {
		fprintf(stderr, "loaded: no simulated machine with two tiers\n");
		return 2;
	}
	for (node = 0; node < 2; node++) {
		struct line *line = (struct line *)backing_map(REGION_BYTES, &backing_huge, node);

		lines_link(line, NR_LINES);
		for (i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
			measure(line, node, levels[i], false);
		measure(line, node, levels[2], true);
		measure(line, node, levels[3], true);
		munmap(line, REGION_BYTES);
	}
	return gauge_end("loaded");
}
