// SPDX-License-Identifier: GPL-2.0
/*
 * movecost: does a migration cost model time near that of its copy?
 *
 * Knows what a copy must cost on this machine: each line of the source and of
 * the target misses once. A migration by the kernel is that and the kernel's
 * work around it. Does not know the kernel's ways to do it, but for one: with
 * init_on_alloc (argument "zeroed") it fills every new page with zeros first.
 */
#define _GNU_SOURCE
#include "backing.h"
#include "gauge.h"
#include "window.h"

#define PAGES 2048UL
#define BYTES (PAGES * 4096)
#define LINES_PER_PAGE 64
#define MPOL_MOVE 2
#define TOLERANCE 0.03

/* What the kernel's work around the copies may add to them: unmapping, flushing, allocating. */
#define MOST_OVERHEAD 0.3

static struct tcm_shared *machine;

/* Eight bytes a turn, as the kernel copies a page on a processor without fast string moves. */
static void copy(char *to, const char *from)
{
	unsigned long words = BYTES / 8;

	__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
}

static void fill(char *to)
{
	unsigned long words = BYTES / 8;

	__asm__ volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(0) : "memory");
}

/* Per page, of a program: a fill of fast memory, or a copy from the slow node to the fast one. */
static double program_ns(bool copies)
{
	char *from = backing_map(BYTES, &backing_base, 1),
	     *to = backing_map(BYTES, &backing_base, 0);

	window_region(machine, from, BYTES);
	window_begin(machine);
	*(volatile char *)from;
	window_next(machine);
	if (copies)
		copy(to, from);
	else
		fill(to);
	window_end(machine);
	munmap(from, BYTES);
	munmap(to, BYTES);
	return machine->mailbox.window.time_ps * 1e-3 / PAGES;
}

static unsigned long move_all(char *start)
{
	static void *page[PAGES];
	static int node[PAGES], status[PAGES];
	unsigned long i, moved = 0;

	for (i = 0; i < PAGES; i++)
		page[i] = start + i * 4096;
	window_next(machine);
	if (syscall(SYS_move_pages, 0, PAGES, page, node, status, MPOL_MOVE))
		perror("move_pages");
	window_end(machine);
	for (i = 0; i < PAGES; i++)
		moved += status[i] == 0;
	return moved;
}

static double migration_ns(void)
{
	char *map = backing_map(BYTES, &backing_base, 1);

	window_region(machine, map, BYTES);
	window_begin(machine);
	*(volatile char *)map;
	gauge("pages that the kernel migrated", PAGES, move_all(map), 0, 0);
	munmap(map, BYTES);
	return machine->mailbox.window.kernel_time_ps * 1e-3 / PAGES;
}

int main(int argc, char **argv)
{
	bool zeroed = argc == 2 && !strcmp(argv[1], "zeroed");
	double fast, slow, words, copied, filled, moved;

	machine = window_open();
	if (!machine || machine->config.nr_tiers < 2) {
		fprintf(stderr, "movecost: no simulated machine with two tiers\n");
		return 2;
	}
	fast = machine->config.tier[0].latency_ns;
	slow = machine->config.tier[1].latency_ns;
	words = 4096 / 8 * machine->config.insn_ps * 1e-3;
	copied = program_ns(true);
	filled = program_ns(false);
	gauge("a program copies a page from slow to fast memory: ns",
	      LINES_PER_PAGE * (slow + fast) + words, copied, TOLERANCE, 0);
	gauge("a program fills a page of fast memory: ns", LINES_PER_PAGE * fast + words, filled,
	      TOLERANCE, 0);
	moved = migration_ns();
	gauge_line(zeroed ? "the kernel migrates a page: multiple of a fill and a copy" :
			    "the kernel migrates a page: multiple of a copy",
		   "1 and its work around it", moved / (zeroed ? copied + filled : copied), 1,
		   1 + MOST_OVERHEAD);
	return gauge_end("movecost");
}
