// SPDX-License-Identifier: GPL-2.0
/*
 * Free memory of a node that falls: how much of it will be gone when demotion could have made room.
 * Knows how much is free from tick to tick.
 * Does not know nodes, time or who allocates.
 */
#include "trend.h"

void tc_trend_tick(struct tc_trend *t, u64 free, u64 least, u64 most)
{
	u64 fall = t->known && t->last > free ? t->last - free : 0;
	u64 decayed = t->fall - t->fall / TC_TREND_DECAY - !!(t->fall % TC_TREND_DECAY);

	t->fall = tc_max_u64(fall > least ? fall : 0, decayed);
	t->last = free;
	t->known = true;
	/* The product could wrap. */
	tc_write_once(t->ahead, t->fall < most / TC_TREND_TICKS ? t->fall * TC_TREND_TICKS : most);
}
