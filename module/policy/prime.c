// SPDX-License-Identifier: GPL-2.0
/*
 * Which sampling periods are legal for AMD IBS op sampling.
 * Knows the form of the period register and why quotients are primes.
 * Does not know perf or the hardware at hand.
 */
#include "prime.h"

#define QUOTIENT_MIN (TC_IBS_PERIOD_MIN / TC_IBS_PERIOD_STEP)
#define QUOTIENT_MAX (TC_IBS_PERIOD_MAX / TC_IBS_PERIOD_STEP)

/* Trial division: @n is at most QUOTIENT_MAX, so the divisors stay below 2,900. */
static bool is_prime(u32 n)
{
	u32 divisor;

	if (n < 4)
		return n >= 2;
	if (n % 2 == 0)
		return false;
	for (divisor = 3; divisor * divisor <= n; divisor += 2)
		if (n % divisor == 0)
			return false;
	return true;
}

/* The next prime quotient from @q in steps of @step (1 or -1), or 0 if there is none in bounds. */
static u32 prime_from(u32 q, int step)
{
	for (; q >= QUOTIENT_MIN && q <= QUOTIENT_MAX; q += step)
		if (is_prime(q))
			return q;
	return 0;
}

bool tc_ibs_period_legal(u64 period)
{
	if (period % TC_IBS_PERIOD_STEP || period < TC_IBS_PERIOD_MIN || period > TC_IBS_PERIOD_MAX)
		return false;
	return is_prime(period / TC_IBS_PERIOD_STEP);
}

u64 tc_ibs_period_nearest(u64 period)
{
	u64 below, above;

	if (period <= TC_IBS_PERIOD_MIN)
		return prime_from(QUOTIENT_MIN, 1) * TC_IBS_PERIOD_STEP;
	if (period >= TC_IBS_PERIOD_MAX)
		return prime_from(QUOTIENT_MAX, -1) * TC_IBS_PERIOD_STEP;

	below = prime_from(period / TC_IBS_PERIOD_STEP, -1) * TC_IBS_PERIOD_STEP;
	above = prime_from(period / TC_IBS_PERIOD_STEP + 1, 1) * TC_IBS_PERIOD_STEP;
	if (!below)
		return above;
	if (!above)
		return below;
	return period - below <= above - period ? below : above;
}
