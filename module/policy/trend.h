/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Free memory of a node that falls: how much of it will be gone when demotion could have made room.
 * Knows how much is free from tick to tick.
 * Does not know nodes, time or who allocates.
 *
 * TPP (ASPLOS 2023) demotes ahead of need, to a watermark above that of allocation. A burst that is larger
 * than the gap between them overtakes it: the fall so far says so before the gap is used up.
 */
#ifndef TC_POLICY_TREND_H
#define TC_POLICY_TREND_H

#include "types.h"

/* Ticks that are looked ahead: a round of the cursor, a batch and the kernel's work on it take that long. */
#define TC_TREND_TICKS 4U

/* Each tick without such a fall, it is expected to go on by this part (1/4) less. */
#define TC_TREND_DECAY 4U

/**
 * struct tc_trend - the fall of free memory
 * @last: 4 KiB pages that were free at the last tick
 * @fall: 4 KiB pages of a tick's fall that is expected to go on
 * @ahead: 4 KiB pages to have free beyond the usual
 * @known: a tick was seen
 */
struct tc_trend {
	u64 last;
	u64 fall;
	u64 ahead;
	bool known;
};

/**
 * tc_trend_tick - so much is free now
 * @t: the state, zeroed at first
 * @free: 4 KiB pages that would be free if tiering had moved none
 * @least: 4 KiB pages that @free may be wrong by: a fall of no more is none
 * @most: 4 KiB pages that may be kept free at most
 *
 * A fall is taken as it is, at once, and decays: memory is allocated in bursts, and one that pauses for a
 * tick goes on.
 *
 * Source: this project's rule.
 *
 * Context: The caller serializes all use of one state.
 */
void tc_trend_tick(struct tc_trend *t, u64 free, u64 least, u64 most);

#endif /* TC_POLICY_TREND_H */
