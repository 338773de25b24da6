/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Making a node smaller: locked memory takes the place of other programs.
 *
 * Knows how to lock pages of one node until a given number is left free. Does
 * not know why; the memory stays taken until the program ends.
 */
#ifndef TC_BALLOON_H
#define TC_BALLOON_H

#include <sys/mman.h>

#include "node.h"
#include "placement.h"

#define BALLOON_STEP 16L /* pages between the last looks at what is free */

static inline void balloon_lock(char *start, long pages)
{
	if (mlock(start, pages * PLACEMENT_PAGE)) {
		perror("mlock");
		exit(2);
	}
}

/* Half of what is still to go, then small steps: page tables and others take their part meanwhile. */
static inline long balloon_step(long to_go, long most)
{
	long step = to_go > 4 * BALLOON_STEP ? to_go / 2 : BALLOON_STEP;

	return step < most ? step : most;
}

/* Ends the program if the node has less than that to begin with. */
static inline void balloon_leave_free(int node, long keep_pages)
{
	long excess = node_free_pages(node) - keep_pages, to_go = excess, taken_pages = 0, step;
	char *taken;

	if (excess <= 0) {
		fprintf(stderr, "node %d has less than %ld MiB free\n", node, keep_pages / 256);
		exit(2);
	}
	taken = mmap(NULL, excess * PLACEMENT_PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (taken == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
	madvise(taken, excess * PLACEMENT_PAGE, MADV_NOHUGEPAGE);
	place_on(node);
	while (to_go > 0 && taken_pages < excess) {
		step = balloon_step(to_go, excess - taken_pages);
		balloon_lock(taken + taken_pages * PLACEMENT_PAGE, step);
		taken_pages += step;
		to_go = node_free_pages(node) - keep_pages;
	}
	place_anywhere();
}

#endif
