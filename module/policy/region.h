/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is remembered of a region of 2 MiB by its place in a mapping, not by its page frames.
 * Knows keys, heat and cooling epochs.
 * Does not know mappings, folios, or how a key is made.
 *
 * A collapse (khugepaged, MADV_COLLAPSE) copies base pages into a new huge page: the heat that the
 * heat map holds is that of page frames which are free now, while the region is as hot as before.
 */
#ifndef TC_POLICY_REGION_H
#define TC_POLICY_REGION_H

#include "types.h"

/* Places that one key may be in. */
#define TC_REGION_WAYS 4

/**
 * struct tc_region - one remembered region
 * @key: hash of mapping and place, never 0; 0: this slot is free
 * @heat: sum of the counts of its pages in 1/16 sample, as of @epoch
 * @epoch: the machine's cooling epoch up to which @heat is halved
 */
struct tc_region {
	u64 key;
	u32 heat;
	u32 epoch;
};

/**
 * struct tc_regions - a bounded memory of regions
 * @slot: an array of @mask + 1 slots, zeroed at first, owned by the caller
 * @mask: number of slots - 1; a power of two of at least TC_REGION_WAYS slots
 *
 * A region that finds its places taken replaces the coldest one there, unless that is hotter.
 */
struct tc_regions {
	struct tc_region *slot;
	u32 mask;
};

/**
 * tc_region_add - a page of a region was accessed
 * @r: the memory
 * @key: the region's key; 0 is ignored
 * @amount: heat to add in 1/16 sample
 * @epoch: the machine's epoch
 *
 * Context: The writer.
 * Return: its heat now; 0 when it is not remembered.
 */
u32 tc_region_add(struct tc_regions *r, u64 key, u32 amount, u32 epoch);

/**
 * tc_region_take - the heat of a region, which is forgotten
 * @r: the memory
 * @key: the region's key
 * @epoch: the machine's epoch
 *
 * Context: The writer.
 * Return: its heat in 1/16 sample, halved once for each epoch passed; 0 when it is not known.
 */
u32 tc_region_take(struct tc_regions *r, u64 key, u32 epoch);

#endif /* TC_POLICY_REGION_H */
