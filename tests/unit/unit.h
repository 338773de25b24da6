/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What every unit test shares: cmocka, a repeatable random source, and failing with context.
 * Knows the environment variable TC_SEED.
 * Does not know any policy.
 */
#ifndef TC_UNIT_H
#define TC_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "types.h"

/* Restarts the random source from TC_SEED (tests/unit/run always sets it); a test starts with it. */
void unit_seed(void);

/* The next random number, all 64 bits. */
u64 unit_random(void);

/* A random number below @bound, which is not 0. */
u64 unit_below(u64 bound);

/* A random number of random magnitude: as likely below 2^3 as between 2^60 and 2^63. */
u64 unit_magnitude(void);

/* Whether an event of @percent happens. */
bool unit_chance(unsigned int percent);

/* Fails the test with the seed and a formatted text if @cond does not hold. */
#define unit_check(cond, ...)                   \
	do {                                    \
		if (!(cond))                    \
			unit_fail(__VA_ARGS__); \
	} while (0)

void unit_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif /* TC_UNIT_H */
