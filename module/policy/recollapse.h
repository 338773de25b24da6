/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Regions whose huge page was split, to notice when somebody makes one huge page of them again.
 * Knows keys of regions (region.h) and a clock that the caller passes in.
 * Does not know who collapsed them.
 *
 * A collapse copies into other page frames, so what the heat map knows of a page frame does not
 * tell. Splitting and collapsing the same region in turns would copy 2 MiB each time for nothing.
 */
#ifndef TC_POLICY_RECOLLAPSE_H
#define TC_POLICY_RECOLLAPSE_H

#include "types.h"

/* Places that one key may be in. */
#define TC_RECOLLAPSE_WAYS 4

/**
 * struct tc_split_region - a region that was split
 * @key: its key, as of tc_folio_region(), never 0; 0: this slot is free
 * @since: when it was split, or noticed to be whole again, in seconds
 * @whole: it was noticed to be one huge page again
 */
struct tc_split_region {
	u64 key;
	u32 since;
	bool whole;
};

/**
 * struct tc_split_regions - a bounded memory of them
 * @slot: an array of @mask + 1 slots, zeroed at first, owned by the caller
 * @mask: number of slots - 1; a power of two of at least TC_RECOLLAPSE_WAYS slots
 *
 * A region that finds its places taken replaces the oldest one there.
 */
struct tc_split_regions {
	struct tc_split_region *slot;
	u32 mask;
};

/**
 * tc_split_region_add - a region was split
 * @r: the memory
 * @key: the region's key; 0 is ignored
 * @now_s: the present time in seconds, of a monotonic clock that may wrap
 *
 * Context: The owner of @r.
 */
void tc_split_region_add(struct tc_split_regions *r, u64 key, u32 now_s);

/**
 * tc_split_region_seen_whole - the region is one huge page
 * @r: the memory
 * @key: the region's key
 * @now_s: the present time in seconds
 *
 * Context: The owner of @r.
 * Return: true when it was split and this is noticed for the first time.
 */
bool tc_split_region_seen_whole(struct tc_split_regions *r, u64 key, u32 now_s);

/**
 * tc_split_region_alone - shall this region be left alone?
 * @r: the memory
 * @key: the region's key
 * @now_s: the present time in seconds
 * @alone_s: for how long after it was noticed to be whole again
 *
 * A region whose time is over is forgotten: it may be split like any other.
 *
 * Context: The owner of @r.
 * Return: true when it shall.
 */
bool tc_split_region_alone(struct tc_split_regions *r, u64 key, u32 now_s, u32 alone_s);

#endif /* TC_POLICY_RECOLLAPSE_H */
