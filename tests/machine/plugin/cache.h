/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set-associative cache with true LRU replacement.
 *
 * Knows lines and sets. Does not know what an address means or what a miss
 * costs. Everything here runs once per load and store of the guest.
 *
 * Each vCPU has one of its own, as if the last-level cache were partitioned
 * in equal parts: no lock and no shared cache line on the hot path, and with
 * one vCPU (the deterministic mode) there is no difference.
 */
#ifndef TCM_CACHE_H
#define TCM_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define CACHE_LINE_SHIFT 6

struct cache {
	uint64_t *tag; /* sets * ways; within a set, most recently used first; 0 = empty */
	uint64_t set_mask;
	unsigned int ways;
	unsigned int set_bits;
};

bool tcm_cache_init(struct cache *cache, uint64_t bytes, unsigned int ways);
void tcm_cache_clear(struct cache *cache);

/* Looks the line up and makes it the most recent one of its set; true if it was there. */
static inline bool tcm_cache_access(struct cache *cache, uint64_t address)
{
	uint64_t line = address >> CACHE_LINE_SHIFT;
	uint64_t set = (line ^ line >> cache->set_bits) & cache->set_mask;
	uint64_t *tag = cache->tag + set * cache->ways;
	uint64_t moved = line + 1;
	unsigned int way;

	if (__builtin_expect(tag[0] == moved, 1))
		return true;
	for (way = 0; way < cache->ways; way++) {
		uint64_t here = tag[way];

		tag[way] = moved;
		if (here == line + 1)
			return true;
		moved = here;
	}
	return false;
}

#endif
