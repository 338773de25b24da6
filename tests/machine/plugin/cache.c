// SPDX-License-Identifier: GPL-2.0
/*
 * Making and emptying a cache; the look-up is in cache.h.
 *
 * Knows which shapes are possible. Does not know who uses it.
 */
#include <stdlib.h>
#include <string.h>

#include "cache.h"

static uint64_t entries(const struct cache *cache)
{
	return (cache->set_mask + 1) * cache->ways;
}

/* False if the size is no power of two times ways, or there is no memory. */
bool tcm_cache_init(struct cache *cache, uint64_t bytes, unsigned int ways)
{
	uint64_t sets = ways ? (bytes >> CACHE_LINE_SHIFT) / ways : 0;

	if (!sets || sets & (sets - 1) || sets * ways << CACHE_LINE_SHIFT != bytes)
		return false;
	cache->ways = ways;
	cache->set_mask = sets - 1;
	cache->set_bits = __builtin_ctzll(sets);
	cache->tag = calloc(sets * ways, sizeof(*cache->tag));
	return cache->tag;
}

void tcm_cache_free(struct cache *cache)
{
	free(cache->tag);
	cache->tag = NULL;
}

void tcm_cache_clear(struct cache *cache)
{
	memset(cache->tag, 0, entries(cache) * sizeof(*cache->tag));
}
