/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Heat from accessed bits: which page frames are looked at, how long apart, and what that may cost.
 * Knows numbers of frames, shares and times.
 * Does not know what a page is nor how its bit is read; that is in track/scan.c.
 *
 * An accessed bit says "at least once since the last look". So heat is the share of several looks,
 * one interval apart, that found the bit set: with accesses at a rate r and an interval T that share
 * is 1 - exp(-r * T). It tells rates apart best where it is about a half, and not at all where all
 * looks find the bit set, or none does. What must be told apart is what fits into fast memory from
 * what does not; so the interval is chosen such that about as much memory is found accessed in it as
 * fast memory holds.
 */
#ifndef TC_POLICY_LOOKS_H
#define TC_POLICY_LOOKS_H

#include "types.h"

/* Counted looks at one set of frames; one more, before them, only clears the bits. */
#define TC_LOOKS_PER_SET 8U

/* Bounds and start of the interval between two looks that is chosen by what they find, in ms. */
#define TC_LOOKS_MS_MIN 50U
#define TC_LOOKS_MS_MAX 8000U
#define TC_LOOKS_MS_START 200U

/* Bounds of the share of memory that should be found accessed, in 1/10000. */
#define TC_LOOKS_SHARE_MIN_BP 500U
#define TC_LOOKS_SHARE_MAX_BP 5000U

/**
 * struct tc_comb - an even choice out of a range of numbers
 * @first: the first one chosen
 * @step: from one to the next, at least 1
 */
struct tc_comb {
	u64 first;
	u64 step;
};

/**
 * tc_comb_choose - the next choice out of a range
 * @range: size of the range: 0 .. range - 1
 * @step: one in so many, at least 1; below 2^32
 * @turn: number of the choice; it may wrap
 *
 * Choices are spread evenly over the range. Their first numbers follow the golden ratio, so that those
 * of a few turns are far apart and those of about @step turns reach almost every number.
 *
 * Context: Any.
 * Return: the choice; its first is below @step.
 */
struct tc_comb tc_comb_choose(u64 range, u64 step, u32 turn);

/**
 * tc_comb_step - one in how many frames to choose
 * @wanted: frames that shall be chosen of those that are in use
 * @in_use: frames in use
 * @range: all frames, in use or not
 * @most: frames, in use or not, that may be gone through for one choice, at least 1
 *
 * Context: Any.
 * Return: 1 .. 2^32 - 1.
 */
u64 tc_comb_step(u64 wanted, u64 in_use, u64 range, u64 most);

/**
 * tc_looks_interval - how long apart the next looks shall be
 * @now_ms: the interval of the last ones
 * @young: pages found accessed in them, of @looked
 * @looked: looks
 * @aim_bp: share that should be found accessed, in 1/10000
 *
 * Doubles or halves when the share is off by so much that the other interval is nearer, so that it
 * does not swing; stays within TC_LOOKS_MS_MIN .. TC_LOOKS_MS_MAX.
 *
 * Context: Any.
 * Return: ms.
 */
u32 tc_looks_interval(u32 now_ms, u64 young, u64 looked, u32 aim_bp);

/**
 * tc_looks_aim - share of memory that should be found accessed
 * @fast_pages: pages that fast memory may hold
 * @covered_pages: all pages
 *
 * Context: Any.
 * Return: 1/10000, TC_LOOKS_SHARE_MIN_BP .. TC_LOOKS_SHARE_MAX_BP.
 */
u32 tc_looks_aim(u64 fast_pages, u64 covered_pages);

/**
 * tc_looks_affordable - looks that one interval has time for
 * @interval_ms: the interval
 * @limit_bp: share of one CPU that may be used, in 1/10000
 * @look_ns: what one look costs; 0 is taken as 1
 *
 * A fifth of the time is left for the way to the pages and for those that are not looked at.
 *
 * Context: Any.
 * Return: looks.
 */
u64 tc_looks_affordable(u32 interval_ms, u32 limit_bp, u64 look_ns);

/**
 * struct tc_cpu_allowance - CPU time that may be used
 * @left_ns: what is left; below 0: too much was used
 */
struct tc_cpu_allowance {
	s64 left_ns;
};

/**
 * tc_allowance_update - time went by
 * @a: the allowance
 * @passed_ns: since the last call
 * @used_ns: CPU time used in that
 * @limit_bp: share of one CPU that may be used, in 1/10000
 * @most_ns: what may be saved up at most
 *
 * Over any span the use is at most limit * span + @most_ns plus what was overdrawn in one go.
 *
 * Context: Any.
 */
void tc_allowance_update(struct tc_cpu_allowance *a, u64 passed_ns, u64 used_ns, u32 limit_bp,
			 u64 most_ns);

/**
 * tc_allowance_wait - how long until something is left
 * @a: the allowance
 * @limit_bp: share of one CPU, at least 1
 *
 * Context: Any.
 * Return: ns; 0: now.
 */
u64 tc_allowance_wait(const struct tc_cpu_allowance *a, u32 limit_bp);

#endif /* TC_POLICY_LOOKS_H */
