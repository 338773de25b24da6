// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that is allocated and freed again and again on a fast node: how much of it to keep free for the
 * next time.
 * Knows how much is free from tick to tick.
 * Does not know nodes, time or who allocates.
 */
#include "pressure.h"

/* Rounded up, so that it ends at 0. */
static u64 less(u64 pages, u64 part)
{
	return pages - pages / part - !!(pages % part);
}

static void begin_from(struct tc_pressure *p, u64 free)
{
	p->high = free;
	p->low = free;
}

/* The largest burst and the second largest, each less its decay: smaller ones in between hide neither. */
static void burst(struct tc_pressure *p, u64 pages)
{
	u64 second = tc_min_u64(p->largest, pages);

	p->largest = tc_max_u64(p->largest, pages);
	tc_write_once(p->reserve, tc_max_u64(p->reserve, second));
}

void tc_pressure_tick(struct tc_pressure *p, u64 free, u64 most)
{
	u64 fall;

	tc_write_once(p->reserve, tc_min_u64(less(p->reserve, TC_PRESSURE_DECAY), most));
	p->largest = less(p->largest, TC_PRESSURE_DECAY);
	if (!p->known)
		begin_from(p, free);
	p->known = true;
	p->low = tc_min_u64(p->low, free);
	fall = p->high - p->low;
	if (free - p->low >= fall - fall / 2) {
		if (fall > most / TC_PRESSURE_LEAST)
			burst(p, tc_min_u64(fall, most));
		begin_from(p, free);
	}
	p->high = p->high > free ? free + less(p->high - free, TC_PRESSURE_FORGET) : free;
}
