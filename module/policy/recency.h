/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which pages of fast memory have not been touched for the longest time, as far as a walk over them tells.
 * Knows marks of touches, heat, and steps of their clock.
 * Does not know folios, nodes, or who walks.
 *
 * TPP (ASPLOS 2023) demotes from the cold end of the inactive LRU list. Here a walk counts pages by rank, and
 * the next one takes those from the cold end that are as many as have to go.
 */
#ifndef TC_POLICY_RECENCY_H
#define TC_POLICY_RECENCY_H

#include "touch.h"

/*
 * Ranks, coldest first: without mark and heat; without mark, with heat from earlier; without mark, but in use
 * as its accessed bits tell; then by what the mark has left.
 */
#define TC_RANK_UNUSED 0U
#define TC_RANK_OLD 1U
#define TC_RANK_IN_USE 2U
#define TC_RANKS (TC_RANK_IN_USE + TC_TOUCH_STEPS + 1)

/**
 * struct tc_recency - what a walk found and left where it is
 * @pages: 4 KiB pages of each rank
 * @fresh: 4 KiB pages that were new to the walk: in the next one they may leave
 * @step: step of the clock when the walk began
 * @known: there was a walk
 */
struct tc_recency {
	u64 pages[TC_RANKS];
	u64 fresh;
	u32 step;
	bool known;
};

/**
 * tc_rank - the rank of a folio, if it is not in use
 * @left: steps that its last touch still counts
 * @bin: its bin
 *
 * Context: Any.
 * Return: below TC_RANKS.
 */
static inline unsigned int tc_rank(unsigned int left, unsigned int bin)
{
	if (left)
		return TC_RANK_IN_USE + left;
	return bin ? TC_RANK_OLD : TC_RANK_UNUSED;
}

/**
 * tc_recency_limit - up to which rank pages have to leave
 * @r: what the last walk found
 * @step: the clock's step
 * @need: 4 KiB pages that have to go
 * @count_fresh: pages that were new then are without a mark now; false: they have shown to be gone or in use
 *
 * Ranks of @r are brought to @step: what had a mark then is that much nearer to having none. What was in use is
 * taken to be so still: nothing tells for how long.
 *
 * Context: Any.
 * Return: the lowest rank so that there are @need pages up to it; the highest one, when there are not; the
 * coldest one when nothing is known.
 */
unsigned int tc_recency_limit(const struct tc_recency *r, u32 step, u64 need, bool count_fresh);

#endif /* TC_POLICY_RECENCY_H */
