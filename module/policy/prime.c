// SPDX-License-Identifier: GPL-2.0
/*
 * Which sampling periods are legal for AMD IBS op sampling.
 * Knows the form of the period register and why quotients are primes.
 * Does not know perf or the hardware at hand.
 */
#include "prime.h"

#define QUOTIENT_MIN (TC_IBS_PERIOD_MIN / TC_IBS_PERIOD_STEP)
#define QUOTIENT_MAX (TC_IBS_PERIOD_MAX / TC_IBS_PERIOD_STEP)

bool tc_is_prime(u32 n)
{
	u64 divisor;

	if (n < 4)
		return n >= 2;
	if (n % 2 == 0)
		return false;
	for (divisor = 3; divisor * divisor <= n; divisor += 2)
		if (n % divisor == 0)
			return false;
	return true;
}

/* The nearest prime from @q on upwards (@step 1) or downwards (@step -1); there must be one. */
static u32 prime_from(u32 q, int step)
{
	while (!tc_is_prime(q))
		q += step;
	return q;
}

u32 tc_prime_nearest(u64 n, u32 least, u32 most)
{
	u32 below, above;

	if (n <= least)
		return least;
	if (n >= most)
		return most;
	below = prime_from(n, -1);
	above = prime_from(n, 1);
	return n - below <= above - n ? below : above;
}

bool tc_ibs_period_legal(u64 period)
{
	if (period % TC_IBS_PERIOD_STEP || period < TC_IBS_PERIOD_MIN || period > TC_IBS_PERIOD_MAX)
		return false;
	return tc_is_prime(period / TC_IBS_PERIOD_STEP);
}

u64 tc_ibs_period_nearest(u64 period)
{
	u64 below = prime_from(QUOTIENT_MIN, 1) * TC_IBS_PERIOD_STEP;
	u64 above = prime_from(QUOTIENT_MAX, -1) * TC_IBS_PERIOD_STEP;

	if (period <= below)
		return below;
	if (period >= above)
		return above;

	below = prime_from(period / TC_IBS_PERIOD_STEP, -1) * TC_IBS_PERIOD_STEP;
	above = prime_from(period / TC_IBS_PERIOD_STEP + 1, 1) * TC_IBS_PERIOD_STEP;
	return period - below <= above - period ? below : above;
}
