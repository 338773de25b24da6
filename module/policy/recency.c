// SPDX-License-Identifier: GPL-2.0
/*
 * Which pages of fast memory have not been touched for the longest time, as far as a walk over them tells.
 * Knows marks of touches, heat, and steps of their clock.
 * Does not know folios, nodes, or who walks.
 */
#include "recency.h"

/* The rank now of a page that had this one so many steps ago. */
static unsigned int rank_after(unsigned int rank, u32 steps)
{
	if (rank <= TC_RANK_IN_USE)
		return rank;
	return steps < rank - TC_RANK_IN_USE ? rank - steps : TC_RANK_OLD;
}

unsigned int tc_recency_limit(const struct tc_recency *r, u32 step, u64 need, bool count_fresh)
{
	u64 pages[TC_RANKS] = { 0 }, sum = 0;
	unsigned int rank;

	if (!r->known)
		return TC_RANK_UNUSED;
	for (rank = 0; rank < TC_RANKS; rank++)
		pages[rank_after(rank, step - r->step)] += r->pages[rank];
	if (count_fresh)
		pages[TC_RANK_UNUSED] += r->fresh;
	for (rank = 0; rank < TC_RANKS - 1; rank++) {
		sum += pages[rank];
		if (sum >= need)
			break;
	}
	return rank;
}
