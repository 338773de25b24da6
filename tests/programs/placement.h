/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where pages are and where new ones go: the few NUMA system calls used here.
 *
 * Knows set_mempolicy(2) and move_pages(2) as a query. Written out because
 * the programs are static and libnuma brings no static archive everywhere.
 * Does not move anything.
 */
#ifndef TC_PLACEMENT_H
#define TC_PLACEMENT_H

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PLACEMENT_PAGE 4096UL
#define PLACEMENT_BATCH 4096UL

/* New pages of this thread come from this node alone. */
static inline void place_on(int node)
{
	unsigned long mask = 1UL << node;

	if (syscall(SYS_set_mempolicy, MPOL_BIND, &mask, 8 * sizeof(mask))) {
		perror("set_mempolicy");
		exit(2);
	}
}

/* Lifts it: no trace of the binding stays with the pages. */
static inline void place_anywhere(void)
{
	if (syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0)) {
		perror("set_mempolicy");
		exit(2);
	}
}

/* node[i] of each page from start on; absent pages are given as 255. */
static inline void placement_query(const char *start, unsigned long nr, unsigned char *node)
{
	static void *page[PLACEMENT_BATCH];
	static int status[PLACEMENT_BATCH];
	unsigned long done, i;

	for (done = 0; done < nr; done += PLACEMENT_BATCH) {
		unsigned long batch = nr - done < PLACEMENT_BATCH ? nr - done : PLACEMENT_BATCH;

		for (i = 0; i < batch; i++)
			page[i] = (void *)(start + (done + i) * PLACEMENT_PAGE);
		if (syscall(SYS_move_pages, 0, batch, page, NULL, status, 0)) {
			perror("move_pages");
			exit(2);
		}
		for (i = 0; i < batch; i++)
			node[done + i] = status[i] < 0 ? 255 : status[i];
	}
}

#endif
