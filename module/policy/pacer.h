/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long the sampling period must be for sampling to cost no more than it may.
 * Knows shares of a core, losses, and ladders of legal periods.
 * Does not know events, threads or clocks.
 */
#ifndef TC_POLICY_PACER_H
#define TC_POLICY_PACER_H

#include "types.h"

/* Steps of a ladder at most; each is 6/5 of the one before, so the last is 6,300 times the first. */
#define TC_PACER_STEPS 48U

/* Steps that a flood costs at once: a factor of 2.07. */
#define TC_PACER_FLOOD_STEPS 4U

/* Checks for which a period is not shortened after a flood, the first time and at most. */
#define TC_PACER_HOLD_MIN 4U
#define TC_PACER_HOLD_MAX 16U

/* Bounds of a period that is a prime. */
#define TC_PRIME_PERIOD_MIN 29U
#define TC_PRIME_PERIOD_MAX 999999937U

/**
 * enum tc_ladder - which periods are legal
 * @TC_LADDER_IBS: 16 times a prime, see tc_ibs_period_legal()
 * @TC_LADDER_PRIME: primes
 */
enum tc_ladder { TC_LADDER_IBS, TC_LADDER_PRIME };

/**
 * tc_ladder_period - the period of a step
 * @ladder: which periods are legal
 * @start: period of step 0, legal
 * @step: step; above the top of the ladder it is the top
 *
 * The legal period nearest to start * (6/5)^step.
 *
 * Context: Process; tries a few dozen candidates.
 * Return: the period; @start at step 0, and longer with each step up to the longest legal one.
 */
u32 tc_ladder_period(enum tc_ladder ladder, u32 start, u32 step);

/**
 * tc_ladder_top - the last step that makes a difference
 * @ladder: which periods are legal
 * @start: period of step 0
 *
 * Return: 0 .. TC_PACER_STEPS.
 */
u32 tc_ladder_top(enum tc_ladder ladder, u32 start);

/**
 * struct tc_pacer - where on the ladder sampling is
 * @step: step in effect
 * @use_ppm: share of one core that sampling takes, in 1/1000000, smoothed; as if it had always been @step
 * @hold: checks for which the period is not shortened
 * @next_hold: checks that the next flood will hold it for
 * @known: @use_ppm was measured
 */
struct tc_pacer {
	u32 step;
	u32 use_ppm;
	u32 hold;
	u32 next_hold;
	bool known;
};

/* What a check did to the period. */
enum tc_pace { TC_PACE_KEEP, TC_PACE_LONGER, TC_PACE_SHORTER };

/* Begin at the finest step. Context: the caller serializes all use of one pacer. */
void tc_pacer_init(struct tc_pacer *p);

/**
 * tc_pacer_check - some seconds are over
 * @p: the pacer
 * @use_ppm: share of one core that sampling took meanwhile, in 1/1000000
 * @limit_ppm: share that it may take
 * @top: last step of the ladder
 *
 * The average weighs the newest share by a quarter. Above the limit, the period is lengthened by as many
 * steps as bring the average to the limit, as cost goes with the number of samples. At 5/6 of the limit
 * or less (2.5 % of 3 %, the hysteresis of MEMTIS), and with no flood lately, it is shortened by one
 * step, which brings the average to the limit at most: so it does not swing between two steps.
 *
 * Source: MEMTIS (SOSP 2023), sampling: 3 % of one core, 0.5 % hysteresis.
 */
enum tc_pace tc_pacer_check(struct tc_pacer *p, u32 use_ppm, u32 limit_ppm, u32 top);

/**
 * tc_pacer_flood - samples were lost or the kernel throttled: more came than can be taken in
 * @p: the pacer
 * @top: last step of the ladder
 *
 * The period doubles at once. It is not shortened for some checks, twice as many with each flood that
 * follows soon.
 *
 * Return: TC_PACE_LONGER, or TC_PACE_KEEP at the top of the ladder.
 */
enum tc_pace tc_pacer_flood(struct tc_pacer *p, u32 top);

/**
 * tc_pacer_share - what of the limit sampling may take
 * @limit_ppm: limit for all that the module does
 * @other_ppm: share that the rest of it takes
 *
 * Sampling gives way to the rest, but keeps half of the limit: a longer period would not make the rest
 * cheaper.
 */
u32 tc_pacer_share(u32 limit_ppm, u32 other_ppm);

#endif /* TC_POLICY_PACER_H */
