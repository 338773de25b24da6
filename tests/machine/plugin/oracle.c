// SPDX-License-Identifier: GPL-2.0
/*
 * The best fixed placement: see oracle.h.
 *
 * Knows that pages are of one size, so that the most accessed ones are the best
 * choice. Does not know the simulated machine.
 */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

static int larger_first(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x > y ? -1 : x < y;
}

static uint64_t sum(const uint64_t *count, uint64_t nr)
{
	uint64_t i, all = 0;

	for (i = 0; i < nr; i++)
		all += count[i];
	return all;
}

bool tcm_oracle_best(const uint64_t *count, uint64_t nr_pages, const uint64_t *sizes,
		     unsigned int nr_sizes, uint64_t *best)
{
	uint64_t *sorted = malloc(nr_pages * sizeof(*sorted) + 1);
	unsigned int i;

	if (!sorted)
		return false;
	memcpy(sorted, count, nr_pages * sizeof(*sorted));
	qsort(sorted, nr_pages, sizeof(*sorted), larger_first);
	for (i = 0; i < nr_sizes; i++)
		best[i] = sum(sorted, sizes[i] < nr_pages ? sizes[i] : nr_pages);
	free(sorted);
	return true;
}
