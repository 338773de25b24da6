/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bitmaps with one bit for each page of a block.
 * Knows ranges of bits in 64-bit words.
 * Does not know what the bits mean.
 *
 * Bit numbers are below TC_BLOCK_PAGES and ranges end at or before it. One thread writes a map;
 * others may test bits at the same time.
 */
#ifndef TC_POLICY_BITS_H
#define TC_POLICY_BITS_H

#include "types.h"

#define TC_BLOCK_WORDS (TC_BLOCK_PAGES / 64)

/* The bits of word @word that lie in [first, end), a range that has at least one bit there. */
static inline u64 tc_bits_mask(unsigned int word, unsigned int first, unsigned int end)
{
	unsigned int base = word * 64;
	unsigned int lo = first > base ? first - base : 0;
	unsigned int hi = end < base + 64 ? end - base : 64;

	return (TC_U64_MAX >> (64 - (hi - lo))) << lo;
}

/**
 * tc_bit_test - one bit
 * @map: the bitmap
 * @bit: its number
 *
 * Context: Any.
 * Return: whether the bit is set.
 */
static inline bool tc_bit_test(const u64 *map, unsigned int bit)
{
	return tc_read_once(map[bit / 64]) >> (bit % 64) & 1;
}

/**
 * tc_bits_set - set a range of bits
 * @map: the bitmap
 * @first: first bit
 * @nr: number of bits, may be 0
 *
 * Context: The thread that writes the map.
 */
static inline void tc_bits_set(u64 *map, unsigned int first, unsigned int nr)
{
	unsigned int end = first + nr;
	unsigned int w;

	for (w = first / 64; w * 64 < end; w++)
		tc_write_once(map[w], map[w] | tc_bits_mask(w, first, end));
}

/**
 * tc_bits_clear - clear a range of bits
 * @map: the bitmap
 * @first: first bit
 * @nr: number of bits, may be 0
 *
 * Context: The thread that writes the map.
 */
static inline void tc_bits_clear(u64 *map, unsigned int first, unsigned int nr)
{
	unsigned int end = first + nr;
	unsigned int w;

	for (w = first / 64; w * 64 < end; w++)
		tc_write_once(map[w], map[w] & ~tc_bits_mask(w, first, end));
}

/**
 * tc_bits_next - find a set bit
 * @map: the bitmap
 * @first: first bit to look at
 * @end: bit to stop before
 *
 * Context: Any.
 * Return: number of the first set bit in [first, end), or -1.
 */
static inline int tc_bits_next(const u64 *map, unsigned int first, unsigned int end)
{
	unsigned int w = first / 64;
	u64 bits;

	if (first >= end)
		return -1;
	bits = tc_read_once(map[w]) & TC_U64_MAX << first % 64;
	while (!bits) {
		if (++w * 64 >= end)
			return -1;
		bits = tc_read_once(map[w]);
	}
	first = w * 64 + __builtin_ctzll(bits);
	return first < end ? (int)first : -1;
}

#endif /* TC_POLICY_BITS_H */
