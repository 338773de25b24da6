// SPDX-License-Identifier: GPL-2.0
/*
 * The memory of a workload: see arena.h.
 *
 * Knows nodes, huge pages and the order in which places are touched. Does not
 * write contents: places are touched with zeroes, before the workload fills
 * them, so that where a page lies does not hang on the order of filling.
 */
#define _GNU_SOURCE
#include "arena.h"

#include <string.h>
#include <sys/mman.h>

#include "heat.h"
#include "node.h"
#include "placement.h"
#include "work.h"

#define HUGE_BYTES (2UL << 20)
#define MOST_SEGMENTS 16

struct arena arena;

static struct segment {
	uint64_t start; /* offset in the arena */
	uint64_t bytes;
	double accesses;
} segments[MOST_SEGMENTS];

static unsigned int nr_segments;

/* The ticker's process shall not have it too: NUMA balancing leaves alone what two processes share. */
static void advise(void *start, uint64_t bytes)
{
	madvise(start, bytes, MADV_DONTFORK);
	if (option.huge == HUGE_NEVER)
		madvise(start, bytes, MADV_NOHUGEPAGE);
	else if (option.huge == HUGE_ALWAYS)
		madvise(start, bytes, MADV_HUGEPAGE);
}

/* Aligned to huge pages, so that the first one begins with the first segment. */
static void arena_open(void)
{
	uint64_t bytes = option.size_mib << 20;
	char *map = mmap(NULL, bytes + HUGE_BYTES, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (map == MAP_FAILED)
		work_die("no address space of %lu MiB", option.size_mib);
	arena.start = map + (-(uintptr_t)map & (HUGE_BYTES - 1));
	arena.bytes = bytes;
	advise(arena.start, bytes);
}

static void *take(uint64_t bytes)
{
	void *start;

	if (!arena.start)
		arena_open();
	bytes = (bytes + ARENA_PAGE - 1) & ~(ARENA_PAGE - 1);
	if (bytes > arena.bytes - arena.used)
		work_die("%lu MiB are too little for this workload", option.size_mib);
	start = arena.start + arena.used;
	arena.used += bytes;
	return start;
}

void *arena_segment(uint64_t bytes, double accesses)
{
	char *start = take(bytes);

	if (nr_segments == MOST_SEGMENTS || arena.kept != (uint64_t)(start - arena.start))
		work_die("a segment too many, or one behind reserved addresses");
	segments[nr_segments++] = (struct segment){
		.start = start - arena.start,
		.bytes = arena.used - arena.kept,
		.accesses = accesses,
	};
	arena.kept = arena.used;
	return start;
}

void *arena_reserve(uint64_t bytes)
{
	void *start = take(bytes);

	arena_unmap(start, bytes);
	return start;
}

/* Over whatever is there, which is nothing that can be used. */
static void map_over(void *start, uint64_t bytes, int protection)
{
	if (mmap(start, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
		 -1, 0) != start)
		work_die("no address space of %llu bytes", (unsigned long long)bytes);
}

void arena_map(void *start, uint64_t bytes)
{
	map_over(start, bytes, PROT_READ | PROT_WRITE);
	advise(start, bytes);
}

/* The addresses stay ours: others, who map memory meanwhile, would be given them. */
void arena_unmap(void *start, uint64_t bytes)
{
	map_over(start, bytes, PROT_NONE);
}

uint64_t arena_pages(void)
{
	return arena.bytes / ARENA_PAGE;
}

/* --- placing ---------------------------------------------------------------------------------- */

/* A place is a page, or 2 MiB where huge pages may come. */
static uint64_t place_bytes(void)
{
	return option.huge == HUGE_NEVER ? ARENA_PAGE : HUGE_BYTES;
}

static uint64_t nr_places(void)
{
	return (arena.kept + place_bytes() - 1) / place_bytes();
}

static void touch(uint64_t place)
{
	uint64_t at = place * place_bytes(), end = at + place_bytes();

	if (end > arena.kept)
		end = arena.kept;
	for (; at < end; at += ARENA_PAGE)
		*(volatile char *)(arena.start + at) = 0;
}

static double *heat_of_pages(void)
{
	double *heat = calloc(arena_pages(), sizeof(*heat));
	unsigned int i;
	uint64_t at;

	if (!heat)
		work_die("no memory for the heat of pages");
	for (i = 0; i < nr_segments; i++)
		for (at = 0; at < segments[i].bytes; at += ARENA_PAGE)
			heat[(segments[i].start + at) / ARENA_PAGE] =
				segments[i].accesses * ARENA_PAGE / segments[i].bytes;
	if (work.heat)
		work.heat(heat);
	return heat;
}

/* Every place with the heat of its pages: by address, if by_heat is not asked for. */
static struct place_heat *list_places(bool by_heat)
{
	uint64_t pages = place_bytes() / ARENA_PAGE, page, i;
	struct place_heat *list = calloc(nr_places(), sizeof(*list));
	double *heat = by_heat ? heat_of_pages() : NULL;

	if (!list)
		work_die("no memory for the list of places");
	for (i = 0; i < nr_places(); i++)
		list[i].place = i;
	for (page = 0; heat && page < arena.kept / ARENA_PAGE; page++)
		list[page / pages].heat += heat[page];
	free(heat);
	heat_sort(list, nr_places());
	return list;
}

static void place_in_order(bool by_heat)
{
	struct place_heat *list = list_places(by_heat);
	uint64_t look = option.huge == HUGE_NEVER ? 64 : 1;

	heat_fill(list, nr_places(), option.reserve_mib * 256, look, touch);
	free(list);
}

/* As many as fit on the fast node, with others between them at even distances. */
static void place_interleaved(void)
{
	double fits = node_free_pages(HEAT_FAST) - (long)option.reserve_mib * 256;
	double share = fits * ARENA_PAGE / arena.kept;
	uint64_t i;

	share = share < 0 ? 0 : share > 1 ? 1 : share;
	for (i = 0; i < nr_places(); i++) {
		bool fast = (uint64_t)((i + 1) * share) != (uint64_t)(i * share);

		place_on(fast ? HEAT_FAST : HEAT_SLOW);
		touch(i);
	}
	place_anywhere();
}

void arena_place(void)
{
	if (option.place == PLACE_NONE)
		return;
	if (!arena.start)
		work_die("--place: the memory is not this program's");
	if (option.place == PLACE_INTERLEAVE)
		place_interleaved();
	else
		place_in_order(option.place == PLACE_COLD_FIRST);
}

uint64_t arena_fast_pages(unsigned char *node)
{
	uint64_t page, count = 0;

	placement_query(arena.start, arena_pages(), node);
	for (page = 0; page < arena_pages(); page++)
		count += node[page] == HEAT_FAST;
	return count;
}

void arena_flip(unsigned long word)
{
	volatile uint64_t *words = (uint64_t *)arena.start;

	words[word % (arena.kept / sizeof(*words))] ^= 1UL << word % 64;
}
