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
 * Prints one line per measurement and "chase: ok", or fails.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "placement.h"
#include "window.h"

#define LINE 64UL
#define REGION_MIB 32UL
#define REGION_BYTES (REGION_MIB << 20)
#define NR_LINES (REGION_BYTES / LINE)
#define NR_PAGES (REGION_BYTES / PLACEMENT_PAGE)
#define TOLERANCE 0.01

struct line {
	struct line *next;
	char pad[LINE - sizeof(struct line *)];
};

static struct tcm_shared *machine;

static uint64_t random_below(uint64_t bound)
{
	static uint64_t x = 88172645463325252ULL;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (uint64_t)(((unsigned __int128)x * bound) >> 64);
}

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

/* One cycle through all lines, in an order without pattern (Sattolo's algorithm). */
static void link_lines(struct line *line)
{
	uint32_t *order = malloc(NR_LINES * sizeof(*order));
	uint64_t i;

	for (i = 0; i < NR_LINES; i++)
		order[i] = i;
	for (i = NR_LINES - 1; i > 0; i--) {
		uint64_t j = random_below(i);
		uint32_t swap = order[i];

		order[i] = order[j];
		order[j] = swap;
	}
	for (i = 0; i < NR_LINES; i++)
		line[order[i]].next = &line[order[(i + 1) % NR_LINES]];
	free(order);
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
	link_lines(line);
	return line;
}

static void chase(struct line *line, uint64_t steps)
{
	while (steps--)
		line = *(struct line *volatile *)&line->next;
}

static bool within(double measured, double expected)
{
	return fabs(measured - expected) <= TOLERANCE * expected;
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
static bool measure(unsigned int near)
{
	struct line *line = prepare(near);
	double share = pages_near(near) / (double)NR_PAGES;
	double expected = share * machine->config.tier[0].latency_ns +
			  (1 - share) * machine->config.tier[1].latency_ns;
	struct tcm_counts *count = &machine->mailbox.window;
	double latency, hit_ratio, loads;
	bool ok;

	window_region(machine, line, REGION_BYTES);
	window_begin(machine);
	chase(line, NR_LINES);
	window_next(machine);
	chase(line, NR_LINES);
	window_end(machine);
	loads = count->region[0] + count->region[1];
	latency = (count->time_ps - (double)count->instructions * machine->config.insn_ps -
		   other_waits(count)) /
		  1000 / NR_LINES;
	hit_ratio = count->region[0] / loads;
	ok = within(loads, NR_LINES) && within(latency, expected) &&
	     fabs(hit_ratio - share) <= TOLERANCE;
	printf("chase: %3u %% on the fast node: %.0f of %lu loads missed, latency %.2f ns (expected %.2f), hit ratio %.4f (expected %.4f)%s\n",
	       near, loads, NR_LINES, latency, expected, hit_ratio, share, ok ? "" : ": WRONG");
	munmap(line, REGION_BYTES);
	return ok;
}

int main(void)
{
	static const unsigned int mixes[] = { 100, 0, 30, 75 };
	bool ok = true;
	size_t i;

	machine = window_open();
	if (!machine || machine->config.nr_tiers < 2) {
		fprintf(stderr, "chase: no simulated machine with two tiers\n");
		return 2;
	}
	for (i = 0; i < sizeof(mixes) / sizeof(mixes[0]); i++)
		ok &= measure(mixes[i]);
	puts(ok ? "chase: ok" : "chase: FAILED");
	return !ok;
}
