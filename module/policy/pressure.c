// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that is allocated and freed again and again on a fast node: how much of it to keep free for the
 * next time.
 * Knows how much is free from tick to tick.
 * Does not know nodes, time or who allocates.
 */
#include "pressure.h"

static u64 min_u64(u64 a, u64 b)
{
	return a < b ? a : b;
}

static u64 max_u64(u64 a, u64 b)
{
	return a > b ? a : b;
}

/* Rounded up, so that it ends at 0. */
static u64 decayed(u64 pages)
{
	return pages - pages / TC_PRESSURE_DECAY - !!(pages % TC_PRESSURE_DECAY);
}

static void begin_from(struct tc_pressure *p, u64 free)
{
	p->high = free;
	p->low = free;
}

static void burst(struct tc_pressure *p, u64 pages)
{
	tc_write_once(p->reserve, max_u64(p->reserve, min_u64(p->last, pages)));
	p->last = pages;
}

void tc_pressure_tick(struct tc_pressure *p, u64 free, u64 most)
{
	u64 fall;

	tc_write_once(p->reserve, min_u64(decayed(p->reserve), most));
	p->last = decayed(p->last);
	if (!p->known)
		begin_from(p, free);
	p->known = true;
	p->low = min_u64(p->low, free);
	fall = p->high - p->low;
	if (free - p->low >= fall - fall / 2) {
		if (fall > most / TC_PRESSURE_LEAST)
			burst(p, min_u64(fall, most));
		begin_from(p, free);
	}
	p->high = max_u64(p->high, free);
}
