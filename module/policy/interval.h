/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many samples pass between two threshold computations and between two coolings.
 * Knows the amount of covered memory and the operator's two parameters.
 * Does not know time: both intervals are counted in samples.
 */
#ifndef TC_POLICY_INTERVAL_H
#define TC_POLICY_INTERVAL_H

#include "types.h"

/* The intervals of MEMTIS, meant for tens of GiB; also the upper bound of the scaled ones. */
#define TC_ADAPTATION_SAMPLES 100000U
#define TC_COOLING_SAMPLES 2000000U

/* The lower bound of the scaled adaptation interval. */
#define TC_ADAPTATION_SAMPLES_MIN 1000U

/* A scaled cooling interval has this many samples per covered page, and this many adaptations. */
#define TC_COOLING_SAMPLES_PER_PAGE 2U
#define TC_ADAPTATIONS_PER_COOLING (TC_COOLING_SAMPLES / TC_ADAPTATION_SAMPLES)

/**
 * struct tc_intervals - both intervals
 * @adaptation: samples between two threshold computations, at least 1
 * @cooling: samples between two coolings, at least 1
 */
struct tc_intervals {
	u32 adaptation;
	u32 cooling;
};

/**
 * tc_intervals_scale - intervals that fit the machine
 * @covered_pages: memory that samples are taken from, in 4 KiB pages
 * @adaptation_param: the operator's adaptation interval in samples; 0 = scaled
 * @cooling_param: the operator's cooling interval in samples; 0 = scaled
 * @out: the result
 *
 * The rule, for parameters of 0:
 *
 *   cooling    = 2 * covered_pages, at least 20,000 and at most 2,000,000
 *   adaptation = cooling / 20
 *
 * Why: a page is judged by the samples it gets between two coolings. With a fixed interval, a small
 * machine would wait very long for each adaptation, although it has enough samples per page long
 * before; with one in plain proportion to 64 GiB (0.12 samples per page), its pages would cool
 * before most of the warm ones were sampled once. Two samples per page on average satisfy both.
 * They reach the 2,000,000 and 100,000 of MEMTIS at 1,000,000 pages (3.8 GiB), so that every larger
 * machine, those of 64 GiB and above included, has the paper's intervals. The floor of 1,000
 * samples per adaptation keeps the cost of threshold computations negligible.
 *
 * A parameter that is set is taken as it is. A scaled adaptation interval follows the cooling
 * interval in effect: cooling / 20, at least 1,000, but never longer than the cooling interval.
 *
 * Source: MEMTIS (SOSP 2023), intervals of 100,000 and 2,000,000; the scaling is this project's.
 *
 * Context: Any.
 */
void tc_intervals_scale(u64 covered_pages, u32 adaptation_param, u32 cooling_param,
			struct tc_intervals *out);

#endif /* TC_POLICY_INTERVAL_H */
