// SPDX-License-Identifier: GPL-2.0
/*
 * oracle: does the simulated machine know the best placement where it is known?
 *
 * Knows a pattern whose best placements can be computed by hand: one part of
 * the memory is used in one window, another in the next. Does not know how the
 * machine finds them.
 *
 * Each part is larger than the cache and gone through in order, so that every
 * line misses each time.
 */
#define _GNU_SOURCE
#include "backing.h"
#include "gauge.h"
#include "window.h"

#define PART_PAGES 1024UL
#define PART_BYTES (PART_PAGES * 4096)
#define LINES_PER_PAGE 64UL
#define FIRST_ROUNDS 3UL
#define SECOND_ROUNDS 1UL
#define ALL_ROUNDS (FIRST_ROUNDS + SECOND_ROUNDS)

static struct tcm_shared *machine;

static void go_through(const char *part, unsigned long rounds)
{
	unsigned long i;

	while (rounds--)
		for (i = 0; i < PART_BYTES; i += 64)
			*(volatile char *)(part + i);
}

static void say(unsigned int size, double pages, double fixed, double window)
{
	const struct tcm_mailbox *box = &machine->mailbox;

	gauge(gauge_name("oracle, %g pages in fast memory: share served, fixed placement", pages),
	      fixed, box->oracle[size].fixed / (double)box->oracle_misses, 0, 0.001);
	gauge(gauge_name("oracle, %g pages in fast memory: share served, placement per window",
			 pages),
	      window, box->oracle[size].window / (double)box->oracle_misses, 0, 0.001);
}

int main(void)
{
	static const __u64 sizes[] = { PART_PAGES / 2, PART_PAGES, 2 * PART_PAGES };
	char *map;

	machine = window_open();
	if (!machine) {
		fprintf(stderr, "oracle: no simulated machine\n");
		return 2;
	}
	map = backing_map(2 * PART_BYTES, &backing_base, 0);
	window_region(machine, map, 2 * PART_BYTES);
	window_oracle(machine, sizes, 3);
	window_begin(machine);
	window_phase(machine, "oracle-first");
	go_through(map, FIRST_ROUNDS);
	window_phase(machine, "oracle-second");
	go_through(map + PART_BYTES, SECOND_ROUNDS);
	window_end(machine);
	gauge("oracle: misses on the region", PART_PAGES * LINES_PER_PAGE * ALL_ROUNDS,
	      machine->mailbox.oracle_misses, 0.001, 0);
	gauge("oracle: windows", 3, machine->mailbox.windows, 0, 0);
	say(0, sizes[0], 0.5 * FIRST_ROUNDS / ALL_ROUNDS, 0.5);
	say(1, sizes[1], (double)FIRST_ROUNDS / ALL_ROUNDS, 1);
	say(2, sizes[2], 1, 1);
	return gauge_end("oracle");
}
