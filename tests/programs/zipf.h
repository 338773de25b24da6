/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random ranks with Zipf popularity of exponent 0.99, and a bijection that
 * spreads ranks over slots.
 *
 * Knows rejection-inversion: W. Hoermann, G. Derflinger, "Rejection-inversion
 * to generate variates from monotone discrete distributions", ACM TOMACS 6(3),
 * 1996. It is exact for every number of ranks and needs no table, so the
 * sampler leaves no trace in the modelled cache. Does not know keys or pages.
 *
 * With H(x) = x^(1-s) / (1-s) the inverse of H is a power of 1/(1-s), for
 * s = 0.99 the hundredth: eight multiplications instead of a logarithm and an
 * exponential.
 */
#ifndef TC_ZIPF_H
#define TC_ZIPF_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ZIPF_EXPONENT 0.99
#define ZIPF_REST 0.01 /* 1 - ZIPF_EXPONENT, and 1 / ZIPF_REST is the 100 of zipf_h_inverse() */

struct zipf {
	uint64_t nr; /* ranks are 1..nr */
	uint64_t random;
	double h_first; /* the range of H that is drawn from */
	double h_last;
	double quick; /* k - x below this is accepted without a second look */
};

/* xorshift64*, seeded so that neighbouring seeds have nothing in common */
static inline uint64_t zipf_random(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1dULL;
}

static inline uint64_t zipf_seed(uint64_t seed)
{
	uint64_t x = (seed + 1) * 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	x ^= x >> 31;
	return x ? x : 1;
}

static inline double zipf_weight(double rank)
{
	return pow(rank, -ZIPF_EXPONENT);
}

static inline double zipf_h(double x)
{
	return pow(x, ZIPF_REST) / ZIPF_REST;
}

static inline double zipf_h_inverse(double h)
{
	double x = h * ZIPF_REST;
	double x2 = x * x, x4 = x2 * x2, x8 = x4 * x4, x16 = x8 * x8, x32 = x16 * x16;

	return x32 * x32 * x32 * x4;
}

static inline void zipf_init(struct zipf *z, uint64_t nr, uint64_t seed)
{
	z->nr = nr;
	z->random = zipf_seed(seed);
	z->h_first = zipf_h(1.5) - 1;
	z->h_last = zipf_h(nr + 0.5);
	z->quick = 2 - zipf_h_inverse(zipf_h(2.5) - zipf_weight(2));
}

static inline uint64_t zipf_next(struct zipf *z)
{
	for (;;) {
		double uniform = (zipf_random(&z->random) >> 11) * 0x1p-53;
		double h = z->h_last + uniform * (z->h_first - z->h_last);
		double x = zipf_h_inverse(h);
		uint64_t rank = x + 0.5;

		if (rank < 1)
			rank = 1;
		else if (rank > z->nr)
			rank = z->nr;
		if (rank - x <= z->quick || h >= zipf_h(rank + 0.5) - zipf_weight(rank))
			return rank;
	}
}

/*
 * Draws a million ranks and compares the number in each class (1, 2, 3, 4 to 7,
 * 8 to 15, ...) with the exact expectation: six standard deviations and a few
 * draws (for the class of a single rare rank), not more. False and a message if the sampler is wrong.
 */
static inline bool zipf_check(uint64_t nr, uint64_t seed)
{
	const double draws = 1000000;
	double expected[66] = { 0 }, sum = 0;
	uint64_t seen[66] = { 0 }, rank, i;
	struct zipf z;

	/* the class of a rank: 1, 2 and 3 for themselves, then its power of two */
#define ZIPF_CLASS(rank) ((rank) < 4 ? (rank) : 66 - (uint64_t)__builtin_clzll(rank))
	for (rank = 1; rank <= nr; rank++) {
		expected[ZIPF_CLASS(rank)] += zipf_weight(rank);
		sum += zipf_weight(rank);
	}
	zipf_init(&z, nr, seed);
	for (i = 0; i < draws; i++) {
		rank = zipf_next(&z);
		seen[ZIPF_CLASS(rank)]++;
	}
#undef ZIPF_CLASS
	for (i = 0; i < 66; i++) {
		double p = expected[i] / sum, mean = draws * p;

		if (fabs(seen[i] - mean) > 6 * sqrt(mean * (1 - p)) + 8) {
			fprintf(stderr,
				"zipf: class %llu was drawn %llu times, %.0f were expected\n",
				(unsigned long long)i, (unsigned long long)seen[i], mean);
			return false;
		}
	}
	return true;
}

/*
 * A seeded bijection of 0..nr-1: steps that are each reversible on the next
 * power of two, repeated until the value is below nr.
 */
struct spread {
	uint64_t nr;
	uint64_t mask;
	unsigned int shift;
	uint64_t add;
	uint64_t multiply[2];
};

static inline void spread_init(struct spread *s, uint64_t nr, uint64_t seed)
{
	uint64_t random = zipf_seed(~seed);
	unsigned int bits = 64 - __builtin_clzll(nr > 1 ? nr - 1 : 1);

	s->nr = nr;
	s->mask = bits == 64 ? UINT64_MAX : (1ULL << bits) - 1;
	s->shift = (bits + 1) / 2;
	s->add = zipf_random(&random);
	s->multiply[0] = zipf_random(&random) | 1;
	s->multiply[1] = zipf_random(&random) | 1;
}

static inline uint64_t spread(const struct spread *s, uint64_t x)
{
	do {
		x = (x + s->add) & s->mask;
		x = (x * s->multiply[0]) & s->mask;
		x ^= x >> s->shift;
		x = (x * s->multiply[1]) & s->mask;
		x ^= x >> s->shift;
	} while (x >= s->nr);
	return x;
}

/* Every slot is met exactly once; false and a message otherwise. */
static inline bool spread_check(const struct spread *s)
{
	unsigned char *met = calloc(s->nr, 1);
	uint64_t i, slot;
	bool ok = met;

	for (i = 0; ok && i < s->nr; i++) {
		slot = spread(s, i);
		ok = slot < s->nr && !met[slot]++;
	}
	if (!ok)
		fprintf(stderr, "spread: not a bijection of %llu slots\n",
			(unsigned long long)s->nr);
	free(met);
	return ok;
}

#endif
