/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which sampling periods are legal for AMD IBS op sampling.
 * Knows the form of the period register and why quotients are primes.
 * Does not know perf or the hardware at hand.
 */
#ifndef TC_POLICY_PRIME_H
#define TC_POLICY_PRIME_H

#include "types.h"

/* The counter counts in steps of 16 ops: the low four bits of a period must be 0. */
#define TC_IBS_PERIOD_STEP 16U

/* The kernel's driver refuses shorter periods from 7.x on; shorter ones starve the CPU anyway. */
#define TC_IBS_PERIOD_MIN 0x90U

/* IbsOpMaxCnt[26:4] with the extended counter bits: the longest period is 2^27 - 16. */
#define TC_IBS_PERIOD_MAX 0x7fffff0U

/**
 * tc_is_prime - is this a prime number?
 * @n: any number
 *
 * Context: Any; trial division, up to 33,000 divisions.
 * Return: true if it is.
 */
bool tc_is_prime(u32 n);

/**
 * tc_prime_nearest - the prime nearest to a number
 * @n: any number
 * @least: a prime; @most: a prime, not below it
 *
 * Context: Process; tries a few dozen candidates.
 * Return: the nearest prime from @least to @most, the smaller one if two are equally near.
 */
u32 tc_prime_nearest(u64 n, u32 least, u32 most);

/**
 * tc_ibs_period_legal - may this be an IBS op sampling period?
 * @period: the period in dispatched ops
 *
 * Legal is 16 times a prime, from TC_IBS_PERIOD_MIN to TC_IBS_PERIOD_MAX. A prime quotient cannot
 * share a factor with the length of a loop, so the samples do not always hit the same instruction.
 *
 * Context: Any; up to about 1,500 divisions.
 * Return: true if legal.
 */
bool tc_ibs_period_legal(u64 period);

/**
 * tc_ibs_period_nearest - the legal period nearest to a wish
 * @period: any number
 *
 * Context: Process; tries a few dozen candidates.
 * Return: the nearest legal period, the shorter one if two are equally near.
 */
u64 tc_ibs_period_nearest(u64 period);

#endif /* TC_POLICY_PRIME_H */
