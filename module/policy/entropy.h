/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Is the heat of 512 sub-pages spread evenly? Integer arithmetic alone.
 * Knows counts.
 * Does not know whose they are, nor what follows.
 */
#ifndef TC_POLICY_ENTROPY_H
#define TC_POLICY_ENTROPY_H

#include "types.h"

/* Fraction bits of a logarithm. */
#define TC_LOG2_SHIFT 16

/* From this entropy on, in 1/10000 of that of equal counts, there is nothing to isolate (TierBPF: 0.95). */
#define TC_FLAT_BP 9500U

/*
 * Chi-square of 512 equal shares has mean 511 and standard deviation sqrt(2 * 511) = 32. What is within seven of these
 * may be chance: with 50 samples, five would be exceeded once in 25,000 times.
 */
#define TC_UNIFORM_CHI 735U

/**
 * struct tc_evenness - how evenly counts are spread
 * @samples: sum of the counts in samples, rounded down
 * @entropy_bp: entropy in 1/10000 of that of equal counts, corrected for the number of samples; 0 without any
 * @chi: chi-square against equal shares, rounded down
 */
struct tc_evenness {
	u64 samples;
	u32 entropy_bp;
	u64 chi;
};

/**
 * tc_log2 - logarithm
 * @x: 1 or more
 *
 * Context: Any.
 * Return: log2(@x) in 1/65536, off by at most 2 of these; 0 for 0.
 */
u32 tc_log2(u64 x);

/**
 * tc_evenness - how evenly counts are spread
 * @count: 512 counts, each below 2^32; their sum below 2^41
 * @unit: what one sample adds to a count; counts that decay have fractions of it
 * @e: filled
 *
 *   p_i = c_i / C, H = -sum p_i log2 p_i = log2 C - (sum c_i log2 c_i) / C, as share of log2 512 = 9.
 *
 * The estimate is too low by (m - 1) / (2 N) nats, for m counts that are not 0 and N samples (Miller and Madow, 1955);
 * that is added. Its arithmetic is off by at most 2/10000 (test_entropy.c compares with double).
 *
 * Source: TierBPF, flat test; the correction is this project's.
 *
 * Context: Any.
 */
void tc_evenness(const u32 *count, u32 unit, struct tc_evenness *e);

/**
 * tc_is_flat - is there nothing to isolate?
 * @e: of tc_evenness()
 *
 * With some hundred samples, equal shares have an entropy far below 0.95 even when corrected: 200 give 0.86. So what chance
 * explains is flat, too: a chi-square up to TC_UNIFORM_CHI. Decayed counts vary less than whole samples do, so for
 * them the test errs towards flat. No samples at all are flat.
 *
 * Context: Any.
 */
bool tc_is_flat(const struct tc_evenness *e);

#endif /* TC_POLICY_ENTROPY_H */
