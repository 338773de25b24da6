// SPDX-License-Identifier: GPL-2.0
/*
 * Does a split pay for what it costs?
 * Knows accesses, latencies and costs in ns.
 * Does not know pages, nor where the figures come from.
 */
#include "price.h"

/* Accesses per second and seconds that are believed: their product times 10^4 is below 2^64. */
#define RATE_MAX 1000000000ULL
#define SECONDS_MAX 1000000U

#define BP 10000U

static u64 times(u64 a, u64 b)
{
	u64 product;

	return __builtin_mul_overflow(a, b, &product) ? TC_U64_MAX : product;
}

static u64 plus(u64 a, u64 b)
{
	return a > TC_U64_MAX - b ? TC_U64_MAX : a + b;
}

bool tc_price_split(const struct tc_price_input *in, struct tc_price *price)
{
	u64 seconds = tc_min_u64(in->residence_s, SECONDS_MAX);
	u64 hot = tc_min_u64(in->hot_per_s, RATE_MAX) * seconds;
	u64 walks = tc_min_u64(in->all_per_s, RATE_MAX) * seconds *
		    tc_min_u64(in->tlb_miss_bp, BP) / BP;

	price->benefit_ns = times(hot, in->gain_ns);
	price->move_ns = (u64)in->pages * in->copy_ns + in->split_ns;
	price->tlb_ns = times(walks, in->walk_ns);
	return price->benefit_ns > plus(price->move_ns, price->tlb_ns);
}
