// SPDX-License-Identifier: GPL-2.0
/*
 * How often keys were counted, about, in little memory.
 * Knows keys, counts and epochs.
 * Does not know what a key stands for, nor where the memory comes from.
 */
#include "bloom.h"

/* Bits of the hash that pick one counter. */
#define PICK_BITS 8

/* The finalizer of splitmix64 (Steele, Lea, Flood 2014): each bit of the key changes half of the bits. */
static u64 mix(u64 key)
{
	key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9ULL;
	key = (key ^ key >> 27) * 0x94d049bb133111ebULL;
	return key ^ key >> 31;
}

/* Counter number @i of a hash; the upper half of it picks the line. Two may be the same. */
static unsigned int pick(u64 hash, unsigned int i)
{
	u32 bits = hash >> (i * PICK_BITS) & ((1U << PICK_BITS) - 1);

	return bits * TC_BLOOM_COUNTERS >> PICK_BITS;
}

static u32 line_of(const struct tc_bloom *b, u64 hash)
{
	return hash >> 32 & (b->nr - 1);
}

static u32 halved(u32 count, u32 passed)
{
	return passed > PICK_BITS ? 0 : count >> passed;
}

static void decay(struct tc_bloom_line *line, u32 epoch)
{
	u32 passed = epoch - line->epoch;
	unsigned int i;

	if (!passed)
		return;
	for (i = 0; i < TC_BLOOM_COUNTERS; i++)
		tc_write_once(line->count[i], halved(line->count[i], passed));
	tc_write_once(line->epoch, epoch);
}

static u32 least(const struct tc_bloom_line *line, u64 hash)
{
	u32 count, min = TC_BLOOM_MAX;
	unsigned int i;

	for (i = 0; i < TC_BLOOM_HASHES; i++) {
		count = tc_read_once(line->count[pick(hash, i)]);
		min = count < min ? count : min;
	}
	return min;
}

void tc_bloom_add(struct tc_bloom *b, u64 key, u32 epoch)
{
	u64 hash = mix(key);
	struct tc_bloom_line *line = &b->line[line_of(b, hash)];
	unsigned int i;
	u32 count;

	decay(line, epoch);
	count = least(line, hash) + 1;
	if (count > TC_BLOOM_MAX)
		return;
	for (i = 0; i < TC_BLOOM_HASHES; i++)
		if (line->count[pick(hash, i)] < count)
			tc_write_once(line->count[pick(hash, i)], count);
}

u32 tc_bloom_get(const struct tc_bloom *b, u64 key, u32 epoch)
{
	u64 hash = mix(key);
	const struct tc_bloom_line *line = &b->line[line_of(b, hash)];

	return halved(least(line, hash), epoch - tc_read_once(line->epoch));
}
