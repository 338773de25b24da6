/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that is allocated and freed again and again on a fast node: how much of it to keep free for the
 * next time.
 * Knows how much is free from tick to tick.
 * Does not know nodes, time or who allocates.
 *
 * What lives for a short time is hot while it lives, and goes where memory is free: if the fast tier is
 * full of warm pages then, it is born slow, and dies before its heat is known.
 */
#ifndef TC_POLICY_PRESSURE_H
#define TC_POLICY_PRESSURE_H

#include "types.h"

/* Each tick, a remembered burst loses so much of itself (1/64): half of it in 44 ticks. */
#define TC_PRESSURE_DECAY 64U

/* Each tick, a fall that goes on is forgotten by so much (1/256): half of it in 177 ticks. */
#define TC_PRESSURE_FORGET 256U

/* A burst below this part (1/16) of what may be kept free is none. */
#define TC_PRESSURE_LEAST 16U

/**
 * struct tc_pressure - bursts of allocation
 * @high: most that was free since the last burst ended, drawn towards what is free now
 * @low: least that was free since then
 * @largest: size of the largest burst, 4 KiB pages, less its decay
 * @reserve: 4 KiB pages to keep free beyond the usual
 * @known: a tick was seen
 */
struct tc_pressure {
	u64 high;
	u64 low;
	u64 largest;
	u64 reserve;
	bool known;
};

/**
 * tc_pressure_tick - so much is free now
 * @p: the state, zeroed at first
 * @free: 4 KiB pages that would be free if tiering had moved none
 * @most: 4 KiB pages that may be kept free at most
 *
 * A burst is a fall of free memory of which at least half is made good again; its size is the fall, less
 * what was forgotten while it lasted. Two bursts are a habit: the reserve is the second largest one, less the
 * decay since, whatever smaller ones came between. Memory that is allocated for good is no burst, and is
 * forgotten, so that it does not hide the bursts after it; a process that ends is none either.
 *
 * Source: this project's rule, for the jobs with short-lived allocations that MEMTIS (SOSP 2023) loses
 * with (603.bwaves), as the warm set takes their place.
 *
 * Context: The caller serializes all use of one state.
 */
void tc_pressure_tick(struct tc_pressure *p, u64 free, u64 most);

#endif /* TC_POLICY_PRESSURE_H */
