// SPDX-License-Identifier: GPL-2.0
/*
 * What every unit test shares: a repeatable random source, and failing with context.
 * Knows the environment variable TC_SEED.
 * Does not know any policy.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

static u64 state;

static u64 seed(void)
{
	const char *text = getenv("TC_SEED");

	return text ? strtoull(text, NULL, 0) : 1;
}

void unit_seed(void)
{
	state = seed();
}

/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
u64 unit_random(void)
{
	u64 z = state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

u64 unit_below(u64 bound)
{
	return unit_random() % bound;
}

u64 unit_magnitude(void)
{
	return unit_random() >> unit_below(64);
}

bool unit_chance(unsigned int percent)
{
	return unit_below(100) < percent;
}

void unit_fail(const char *format, ...)
{
	va_list args;

	print_error("TC_SEED=%llu: ", (unsigned long long)seed());
	va_start(args, format);
	vprint_error(format, args);
	va_end(args);
	print_error("\n");
	fail();
	abort();
}
