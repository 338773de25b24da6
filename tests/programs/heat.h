/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A controlled start: places filled in a given order, the first ones on the
 * fast node, the others on the slow one.
 *
 * Knows how to sort by heat and when the fast node is full. Does not know what
 * a place is (a page, a group of pages), nor what fills it.
 */
#ifndef TC_HEAT_H
#define TC_HEAT_H

#include <stdint.h>

#include "node.h"
#include "placement.h"

#define HEAT_FAST 0
#define HEAT_SLOW 1

struct place_heat {
	double heat;
	uint32_t place;
};

static inline int heat_colder_first(const void *a, const void *b)
{
	const struct place_heat *x = a, *y = b;

	if (x->heat != y->heat)
		return x->heat < y->heat ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

static inline void heat_sort(struct place_heat *list, uint64_t nr)
{
	qsort(list, nr, sizeof(*list), heat_colder_first);
}

/*
 * Fills the places in the list's order: on the fast node until so many of its
 * pages are left free, which is looked at every so many places, then on the slow node.
 */
static inline void heat_fill(const struct place_heat *list, uint64_t nr, long reserve_pages,
			     uint64_t look, void (*fill)(uint64_t place))
{
	uint64_t i = 0;

	place_on(HEAT_FAST);
	while (i < nr && (i % look || node_free_pages(HEAT_FAST) > reserve_pages))
		fill(list[i++].place);
	place_on(HEAT_SLOW);
	for (; i < nr; i++)
		fill(list[i].place);
	place_anywhere();
}

#endif
