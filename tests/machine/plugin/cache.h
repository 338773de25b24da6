/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set-associative write-back cache with true LRU replacement.
 *
 * Knows lines, sets, and which lines were written. Does not know what an address
 * means or what a miss costs. This runs once per load and store of the guest.
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
#define CACHE_LINE_BYTES (1U << CACHE_LINE_SHIFT)
#define CACHE_NOTHING UINT64_MAX

/*
 * A tag is the line's number plus one, shifted left by one, and in the lowest
 * bit whether the line was written; 0 = empty. Within a set the most recently
 * used line comes first.
 */
struct cache {
	uint64_t *tag; /* sets * ways */
	uint64_t set_mask;
	unsigned int ways;
	unsigned int set_bits;
};

bool tcm_cache_init(struct cache *cache, uint64_t bytes, unsigned int ways);
void tcm_cache_free(struct cache *cache);
void tcm_cache_clear(struct cache *cache);

/*
 * Looks the line up and makes it the most recent one of its set; true if it
 * was there. Otherwise *written_back is the address of the written line that
 * had to make room, or CACHE_NOTHING.
 */
static inline bool tcm_cache_access(struct cache *cache, uint64_t address, bool store,
				    uint64_t *written_back)
{
	uint64_t line = address >> CACHE_LINE_SHIFT;
	uint64_t set = (line ^ line >> cache->set_bits) & cache->set_mask;
	uint64_t *tag = cache->tag + set * cache->ways;
	uint64_t wanted = (line + 1) << 1;
	uint64_t moved = wanted | store;
	unsigned int way;

	if (__builtin_expect((tag[0] & ~1ULL) == wanted, 1)) {
		tag[0] |= store;
		return true;
	}
	for (way = 0; way < cache->ways; way++) {
		uint64_t here = tag[way];

		tag[way] = moved;
		if ((here & ~1ULL) == wanted) {
			tag[0] |= here & 1;
			return true;
		}
		moved = here;
	}
	*written_back = moved & 1 ? ((moved >> 1) - 1) << CACHE_LINE_SHIFT : CACHE_NOTHING;
	return false;
}

#endif
