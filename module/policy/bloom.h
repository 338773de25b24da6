/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How often keys were counted, about, in little memory: a blocked counting Bloom filter with decay.
 * Knows keys, counts and epochs.
 * Does not know what a key stands for, nor where the memory comes from.
 *
 * A hash picks one line of 64 bytes, the size of a cache line, and in it some counters; the least of these is the count of the
 * key. Adding raises only those that are below what it should be then. So a count is never too small, but for decay and
 * for where it stops; it is too large when other keys share all of the counters: see test_bloom.c for how often.
 */
#ifndef TC_POLICY_BLOOM_H
#define TC_POLICY_BLOOM_H

#include "types.h"

/* Counters of a line, and how many of them a key has. */
#define TC_BLOOM_COUNTERS 60U
#define TC_BLOOM_HASHES 4U

/* Where a counter stops. */
#define TC_BLOOM_MAX 255U

/**
 * struct tc_bloom_line - one cache line
 * @epoch: up to which the counters are decayed
 * @count: the counters
 */
struct tc_bloom_line {
	u32 epoch;
	u8 count[TC_BLOOM_COUNTERS];
};

/**
 * struct tc_bloom - a filter
 * @line: lines, zeroed at first
 * @nr: how many, a power of two
 *
 * One thread adds; others may read at the same time, and may then see a count before, after, or half decayed.
 */
struct tc_bloom {
	struct tc_bloom_line *line;
	u32 nr;
};

/**
 * tc_bloom_add - count a key once more
 * @b: the filter
 * @key: the key; any number
 * @epoch: epoch of now; counters halve for each that passed
 *
 * Source: TierBPF, blocked counting Bloom filter.
 *
 * Context: The writer.
 */
void tc_bloom_add(struct tc_bloom *b, u64 key, u32 epoch);

/**
 * tc_bloom_get - how often was a key counted?
 * @b: the filter
 * @key: the key
 * @epoch: epoch of now
 *
 * Context: Any.
 * Return: its count as of now, up to TC_BLOOM_MAX.
 */
u32 tc_bloom_get(const struct tc_bloom *b, u64 key, u32 epoch);

#endif /* TC_POLICY_BLOOM_H */
