// SPDX-License-Identifier: GPL-2.0
/*
 * Is the heat of 512 sub-pages spread evenly? Integer arithmetic alone.
 * Knows counts.
 * Does not know whose they are, nor what follows.
 */
#include "entropy.h"

/* Bits of a mantissa behind the binary point: its square still fits into 64. */
#define MANTISSA_SHIFT 31

/* log2 of the 512 counts there are. */
#define COUNTS_LOG2 TC_BLOCK_ORDER

/* 1 / (2 ln 2) in 1/65536: Miller and Madow's (m - 1) / (2 N) nats, in bits. */
#define BIAS_BITS 47274U

u32 tc_log2(u64 x)
{
	unsigned int whole, i;
	u32 log;
	u64 m;

	if (!x)
		return 0;
	whole = 63 - __builtin_clzll(x);
	m = whole > MANTISSA_SHIFT ? x >> (whole - MANTISSA_SHIFT) : x << (MANTISSA_SHIFT - whole);
	log = whole;
	/* The square of the mantissa has twice the logarithm: its whole part is the next bit. */
	for (i = 0; i < TC_LOG2_SHIFT; i++) {
		m = m * m >> MANTISSA_SHIFT;
		log = log << 1 | (m >> (MANTISSA_SHIFT + 1));
		if (m >> (MANTISSA_SHIFT + 1))
			m >>= 1;
	}
	return log;
}

/* Entropy in bits, in 1/65536, of counts with this sum; @filled: counts that are not 0. */
static u64 entropy(const u32 *count, u64 sum, u32 unit, u32 filled)
{
	u64 weighted = 0, bits;
	unsigned int i;

	for (i = 0; i < TC_BLOCK_PAGES; i++)
		weighted += (u64)count[i] * tc_log2(count[i]);
	bits = sum * tc_log2(sum);
	/* Rounding may take the difference of equal numbers below 0. */
	bits = bits > weighted ? (bits - weighted) / sum : 0;
	bits += (u64)(filled - 1) * BIAS_BITS * unit / sum;
	return tc_min_u64(bits, COUNTS_LOG2 << TC_LOG2_SHIFT);
}

/* 512 * sum c_i^2 / C - C, in units of a count. Each quotient is rounded down: it errs towards even shares. */
static u64 chi_square(const u32 *count, u64 sum)
{
	u64 squares = 0;
	unsigned int i;

	for (i = 0; i < TC_BLOCK_PAGES; i++)
		squares += count[i] * (((u64)count[i] << (COUNTS_LOG2 + TC_LOG2_SHIFT)) / sum);
	squares >>= TC_LOG2_SHIFT;
	return squares > sum ? squares - sum : 0;
}

void tc_evenness(const u32 *count, u32 unit, struct tc_evenness *e)
{
	u32 filled = 0;
	u64 sum = 0;
	unsigned int i;

	*e = (struct tc_evenness){};
	for (i = 0; i < TC_BLOCK_PAGES; i++) {
		sum += count[i];
		filled += count[i] > 0;
	}
	if (!sum)
		return;
	e->samples = sum / unit;
	e->entropy_bp = entropy(count, sum, unit, filled) * 10000 / (COUNTS_LOG2 << TC_LOG2_SHIFT);
	e->chi = chi_square(count, sum) / unit;
}

bool tc_is_flat(const struct tc_evenness *e)
{
	return e->entropy_bp >= TC_FLAT_BP || e->chi <= TC_UNIFORM_CHI;
}
