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

#define BALLOON_STEP 16L /* pages between two looks at what is free */

static inline void balloon_lock(char *start, long pages)
{
	if (mlock(start, pages * PLACEMENT_PAGE)) {
		perror("mlock");
		exit(2);
	}
}

/* Ends the program if the node has less than that to begin with. */
static inline void balloon_leave_free(int node, long keep_pages)
{
	long excess = node_free_pages(node) - keep_pages, i;
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
	for (i = 0; i < excess && node_free_pages(node) > keep_pages; i += BALLOON_STEP)
		balloon_lock(taken + i * PLACEMENT_PAGE,
			     excess - i < BALLOON_STEP ? excess - i : BALLOON_STEP);
	place_anywhere();
}

#endif
