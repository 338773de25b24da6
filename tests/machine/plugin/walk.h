/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A walk of x86-64 page tables with four levels, as the processor does it.
 *
 * Knows entries, page sizes and the paging-structure caches that spare a walk
 * its upper levels. Does not know how memory is read nor what that costs: the
 * caller's function does both.
 */
#ifndef TCM_WALK_H
#define TCM_WALK_H

#include <stdbool.h>
#include <stdint.h>

#define WALK_MOST_GROUP 8 /* entries of the last level that are read at once */

/* Page-directory entries, and entries of the level above, that the walker remembers. */
#define WALK_PDES 32
#define WALK_PDPTES 4

struct walk_memo {
	uint64_t tag; /* address >> 21 or >> 30, plus one; 0 = empty */
	uint64_t table; /* physical address of the next level's table */
};

struct walker {
	struct walk_memo pde[WALK_PDES];
	struct walk_memo pdpte[WALK_PDPTES];
	unsigned int next_pde, next_pdpte; /* replaced in turn */
	unsigned int
		group_shift; /* pages of 4 KiB in one cached translation, as a power of two above 12 */
};

struct walk_result {
	uint64_t frame; /* physical address of the page */
	unsigned int shift; /* its size; a whole group's if it is coalesced */
	bool global;
};

/* Reads nr entries of 8 bytes from physical memory; false if that is not possible. */
typedef bool (*walk_read_fn)(void *context, uint64_t paddr, unsigned int nr, uint64_t *entry);

/* False if the address is not mapped, or a table cannot be read. */
bool tcm_walk(struct walker *walker, uint64_t cr3, uint64_t vaddr, walk_read_fn read, void *context,
	      struct walk_result *result);

/* As INVLPG and writes to CR3 and CR4: they drop all remembered entries. */
void tcm_walk_forget(struct walker *walker);

#endif
