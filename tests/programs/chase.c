// SPDX-License-Identifier: GPL-2.0
/*
 * chase: does the simulated machine say what it was told to be?
 *
 * Knows what a pointer chase must measure: each load depends on the one before
 * and visits a new line, so on a region far larger than the cache every load
 * misses, and the time beside the instructions is the tier's latency. Then a
 * mix with a known share on each node must give that share. Does not know how
 * the machine computes.
 *
 * Latencies are the idle ones: what one processor adds to the load of a tier
 * is less than the tolerance.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gauge.h"
#include "lines.h"
#include "placement.h"
#include "window.h"

#define REGION_MIB 32UL
#define REGION_BYTES (REGION_MIB << 20)
#define NR_LINES (REGION_BYTES / LINE)
#define NR_PAGES (REGION_BYTES / PLACEMENT_PAGE)
#define TOLERANCE 0.01

static struct tcm_shared *machine;

static struct line *map_region(void)
{
	void *map = mmap(NULL, REGION_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);

	if (map == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
	madvise(map, REGION_BYTES, MADV_NOHUGEPAGE);
	return map;
}

static uint64_t pages_near(unsigned int near)
{
	return NR_PAGES * near / 100;
}

static void touch_on(int node, char *from, char *to)
{
	place_on(node);
	for (; from < to; from += PLACEMENT_PAGE)
		*(volatile char *)from = 0;
}

/* The first "near" of 100 parts on the fast node, the rest on the slow one. */
static struct line *prepare(unsigned int near)
{
	struct line *line = map_region();
	char *start = (char *)line, *split = start + pages_near(near) * PLACEMENT_PAGE;

	touch_on(0, start, split);
	touch_on(1, split, start + REGION_BYTES);
	place_anywhere();
	lines_link(line, NR_LINES);
	return line;
}

/* What others, the kernel above all, waited for memory in the window, and all for translations, in ps. */
static double other_waits(const struct tcm_counts *count)
{
	double wait = count->translation_ps;
	unsigned int i;

	for (i = 0; i < machine->config.nr_tiers; i++)
		wait += (count->loads[i] + count->stores[i] - count->region[i]) * 1000.0 *
			machine->config.tier[i].latency_ns;
	return wait;
}

/* Latency: model time beside the instructions, translations, and waits of others, per load. */
static void measure(unsigned int near)
{
	struct line *line = prepare(near);
	double share = pages_near(near) / (double)NR_PAGES;
	struct tcm_counts *count = &machine->mailbox.window;
	double latency, loads;

	window_region(machine, line, REGION_BYTES);
	window_begin(machine);
	lines_chase(line, NR_LINES);
	window_next(machine);
	lines_chase(line, NR_LINES);
	window_end(machine);
	munmap(line, REGION_BYTES);
	loads = count->region[0] + count->region[1];
	latency = (count->time_ps - (double)count->instructions * machine->config.insn_ps -
		   other_waits(count)) /
		  1000 / NR_LINES;
	gauge(gauge_name("chase, %u %% on the fast node: loads that missed", near), NR_LINES, loads,
	      TOLERANCE, 0);
	gauge(gauge_name("chase, %u %% on the fast node: ns a load", near),
	      share * machine->config.tier[0].latency_ns +
		      (1 - share) * machine->config.tier[1].latency_ns,
	      latency, TOLERANCE, 0);
	gauge(gauge_name("chase, %u %% on the fast node: hit ratio", near), share,
	      count->region[0] / loads, 0, TOLERANCE);
}

int main(void)
{
	static const unsigned int mixes[] = { 100, 0, 30, 75 };
	size_t i;

	machine = window_open();
	if (!machine || machine->config.nr_tiers < 2) {
		fprintf(stderr, "chase: no simulated machine with two tiers\n");
		return 2;
	}
	for (i = 0; i < sizeof(mixes) / sizeof(mixes[0]); i++)
		measure(mixes[i]);
	return gauge_end("chase");
}
