/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory of a workload: one range of addresses of --size, in segments.
 *
 * Knows how to hand out segments and how to place their pages on nodes before
 * they are filled. Does not know what is in them.
 */
#ifndef TC_ARENA_H
#define TC_ARENA_H

#include <stdint.h>

#define ARENA_PAGE 4096UL

struct arena {
	char *start; /* NULL: the workload has no memory of its own */
	uint64_t bytes;
	uint64_t kept; /* segments end here; behind them is what arena_reserve() gave */
	uint64_t used;
};

extern struct arena arena;

/*
 * From plan() alone. accesses: expected per operation, spread evenly over the
 * segment, for PLACE_COLD_FIRST; 0 if the workload's heat() knows better.
 */
void *arena_segment(uint64_t bytes, double accesses);

/* Addresses only, after all segments: for what arena_map() and arena_unmap() bring and take. */
void *arena_reserve(uint64_t bytes);
void arena_map(void *start, uint64_t bytes);
void arena_unmap(void *start, uint64_t bytes);

/* Before the workload fills its segments. */
void arena_place(void);

/* Turns one bit of one word of the segments. */
void arena_flip(unsigned long word);

uint64_t arena_pages(void);

/* Fills in the node of each page, 255 for one that is not there; returns how many are on the fast node. */
uint64_t arena_fast_pages(unsigned char *node);

#endif
