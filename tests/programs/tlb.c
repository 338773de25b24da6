// SPDX-License-Identifier: GPL-2.0
/*
 * tlb: do translations of the simulated machine cost what can be computed by hand?
 *
 * Knows sets, ways and LRU: going round pages that follow one another, a set
 * that has more pages than ways misses for all of them. Does not know how the
 * machine finds that out from the page tables.
 *
 * x86 has no page-table entry of 64 KiB: a folio of that size is 16 entries of
 * 4 KiB. A processor that coalesces (coalesce=4) keeps four in one translation.
 */
#define _GNU_SOURCE
#include <sys/wait.h>

#include "backing.h"
#include "gauge.h"
#include "window.h"

#define TOUCHES 65536UL
#define FLUSHED_PAGES 64UL
#define SWITCH_PAGES 24UL
#define SWITCHES 200UL
#define RANDOM_BYTES (64UL << 20)
#define RANDOM_LOADS 1000000UL

/* Of all touches, what the kernel's own use of the TLB may change. */
#define NOISE 0.01

/* The kernel's own translations are in the time, and its walks find their tables in memory. */
#define COST_NOISE 0.05

static struct tcm_shared *machine;
static double mistranslated;

/* Translations of one round that an LRU array does not have, when pages follow one another. */
static double round_misses(unsigned long pages, struct tcm_tlb_shape shape)
{
	unsigned long sets = shape.entries / shape.ways, set, misses = 0;

	for (set = 0; set < sets; set++) {
		unsigned long in_set = pages / sets + (set < pages % sets);

		misses += in_set > shape.ways ? in_set : 0;
	}
	return misses;
}

/* Each page once, at another line each time, so that they do not meet in the cache. */
static void go_round(const char *start, unsigned long pages, unsigned long step)
{
	unsigned long page;

	for (page = 0; page < pages; page++)
		*(volatile char *)(start + page * step + page * 64 % 4096);
}

/* Ends the measurement; translations are compared with QEMU's all the time. */
static void end(void)
{
	window_end(machine);
	mistranslated += machine->mailbox.total.mistranslated;
}

static void begin(const char *start, unsigned long bytes)
{
	window_region(machine, start, bytes);
	window_begin(machine);
}

static void cost(const char *name, double walks, double touches)
{
	const struct tcm_counts *count = &machine->mailbox.window;
	double paid = walks ? machine->config.walk_load_ps : machine->config.stlb_ps;

	gauge(gauge_name("%s: ns for a translation", name), paid * 1e-3,
	      count->translation_ps * 1e-3 / touches, COST_NOISE, 0);
}

/*
 * Going round: what both levels have. The tables of so few pages stay in the
 * cache and their directory entries with the walker: a walk is one entry from
 * the cache.
 */
static void cycle(const struct backing *backing, unsigned long pages)
{
	unsigned long step = backing == &backing_huge ? BACKING_HUGE : 4096;
	unsigned long group = backing == &backing_middle ? machine->config.coalesce : 1;
	const struct tcm_tlb_shape *first = backing == &backing_huge ? &machine->config.dtlb_huge :
								       &machine->config.dtlb;
	unsigned long rounds = TOUCHES / pages, i;
	double walks = round_misses(pages / group, machine->config.stlb);
	double second = round_misses(pages / group, *first) - walks;
	char *map = backing_map(pages * step, backing, 0), name[64];
	const struct tcm_counts *count = &machine->mailbox.window;

	begin(map, pages * step);
	go_round(map, pages, step);
	window_next(machine);
	for (i = 0; i < rounds; i++)
		go_round(map, pages, step);
	end();
	snprintf(name, sizeof(name), "round %lu pages (%s)", pages * step / backing->bytes,
		 backing->name);
	gauge(gauge_name("%s: share of touches from the second level", name), second / pages,
	      count->region_second / (double)TOUCHES, 0, NOISE);
	gauge(gauge_name("%s: share of touches that walk", name), walks / pages,
	      count->region_walks / (double)TOUCHES, 0, NOISE);
	if (walks + second == pages)
		cost(name, walks, TOUCHES);
	munmap(map, pages * step);
}

/* After all of it was protected anew no translation is left: every page, or group, is walked once. */
static void after_flush(const struct backing *backing, unsigned long pages)
{
	unsigned long step = backing == &backing_huge ? BACKING_HUGE : 4096;
	unsigned long group = backing == &backing_middle ? machine->config.coalesce : 1;
	char *map = backing_map(pages * step, backing, 0);

	begin(map, pages * step);
	go_round(map, pages, step);
	if (mprotect(map, pages * step, PROT_READ))
		perror("mprotect");
	window_next(machine);
	go_round(map, pages, step);
	end();
	gauge(gauge_name("%lu pages (%s) after a flush: walks", pages * step / backing->bytes,
			 backing->name),
	      pages / group, machine->mailbox.window.region_walks, NOISE, 1);
	munmap(map, pages * step);
}

static void random_loads(const struct backing *backing)
{
	char *map = backing_map(RANDOM_BYTES, backing, 0);
	double kept = machine->config.stlb.entries / (double)(RANDOM_BYTES / backing->bytes);
	uint64_t x = 88172645463325252ULL;
	unsigned long i;

	begin(map, RANDOM_BYTES);
	for (i = 0; i < 2 * RANDOM_LOADS; i++) {
		if (i == RANDOM_LOADS)
			window_next(machine);
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		*(volatile char *)(map + (x >> 20) % RANDOM_BYTES);
	}
	end();
	gauge(gauge_name("random loads over 64 MiB (%s): share that walks", backing->name),
	      kept < 1 ? 1 - kept : 0, machine->mailbox.window.region_walks / (double)RANDOM_LOADS,
	      0, NOISE);
	munmap(map, RANDOM_BYTES);
}

/* INVLPG: of pages that are all in the TLB, the ones protected anew are walked once more. */
static void protect_pages(void)
{
	char *map = backing_map(FLUSHED_PAGES * 4096, &backing_base, 0);
	unsigned long page;

	begin(map, FLUSHED_PAGES * 4096);
	go_round(map, FLUSHED_PAGES, 4096);
	window_next(machine);
	for (page = 0; page < FLUSHED_PAGES; page += 2) {
		if (mprotect(map + page * 4096, 4096, PROT_READ))
			perror("mprotect");
		go_round(map, FLUSHED_PAGES, 4096);
	}
	end();
	gauge("32 of 64 pages protected one by one: walks", FLUSHED_PAGES / 2,
	      machine->mailbox.window.region_walks, 0.1, 0);
	munmap(map, FLUSHED_PAGES * 4096);
}

static void echo(int from, int to)
{
	char byte;

	while (read(from, &byte, 1) == 1 && byte)
		if (write(to, &byte, 1) != 1)
			break;
	_exit(0);
}

/* CR3: with another process in between nothing of ours is left. */
static void switch_processes(void)
{
	char *map = backing_map(SWITCH_PAGES * 4096, &backing_base, 0), byte = 1;
	int there[2], back[2];
	unsigned long i;

	if (pipe(there) || pipe(back)) {
		perror("pipe");
		exit(2);
	}
	if (!fork())
		echo(there[0], back[1]);
	begin(map, SWITCH_PAGES * 4096);
	go_round(map, SWITCH_PAGES, 4096);
	window_next(machine);
	for (i = 0; i < SWITCHES; i++) {
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			perror("pipe");
		go_round(map, SWITCH_PAGES, 4096);
	}
	end();
	byte = 0;
	if (write(there[1], &byte, 1) == 1)
		wait(NULL);
	gauge("24 pages, 200 times to another process and back: walks", SWITCH_PAGES * SWITCHES,
	      machine->mailbox.window.region_walks, NOISE, 0);
	munmap(map, SWITCH_PAGES * 4096);
}

int main(void)
{
	static const unsigned long base[] = { 32, 128, 1024, 2048 }, huge[] = { 16, 64 };
	static const unsigned long middle[] = { 128, 2048, 8192 };
	size_t i;

	machine = window_open();
	if (!machine) {
		fprintf(stderr, "tlb: no simulated machine\n");
		return 2;
	}
	/* chance neighbours of single pages would be coalesced too */
	for (i = 0; i < 4 && machine->config.coalesce == 1; i++)
		cycle(&backing_base, base[i]);
	for (i = 0; i < 3; i++)
		cycle(&backing_middle, middle[i]);
	for (i = 0; i < 2; i++)
		cycle(&backing_huge, huge[i]);
	if (machine->config.coalesce == 1) {
		after_flush(&backing_base, 1024);
		random_loads(&backing_base);
		protect_pages();
		switch_processes();
	}
	after_flush(&backing_middle, 1024);
	after_flush(&backing_huge, 48);
	random_loads(&backing_huge);
	gauge("addresses that QEMU translated otherwise", 0, mistranslated, 0, 0);
	return gauge_end("tlb");
}
