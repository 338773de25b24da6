// SPDX-License-Identifier: GPL-2.0
/*
 * What is remembered of a region of 2 MiB by its place in a mapping.
 * Knows keys, heat and cooling epochs.
 * Does not know mappings, folios, or how a key is made.
 */
#include "region.h"

static u32 present_heat(const struct tc_region *region, u32 epoch)
{
	u32 lag = epoch - region->epoch;

	return lag < 32 ? region->heat >> lag : 0;
}

static struct tc_region *first_way(struct tc_regions *r, u64 key)
{
	return &r->slot[key & r->mask & ~(u64)(TC_REGION_WAYS - 1)];
}

static struct tc_region *find(struct tc_regions *r, u64 key)
{
	struct tc_region *way = first_way(r, key);
	int i;

	for (i = 0; i < TC_REGION_WAYS; i++)
		if (way[i].key == key)
			return &way[i];
	return NULL;
}

/* A free slot, or else the coldest one. */
static struct tc_region *find_victim(struct tc_regions *r, u64 key, u32 epoch)
{
	struct tc_region *way = first_way(r, key), *victim = way;
	int i;

	for (i = 0; i < TC_REGION_WAYS; i++) {
		if (!way[i].key)
			return &way[i];
		if (present_heat(&way[i], epoch) < present_heat(victim, epoch))
			victim = &way[i];
	}
	return victim;
}

u32 tc_region_add(struct tc_regions *r, u64 key, u32 amount, u32 epoch)
{
	struct tc_region *region = find(r, key);
	u32 heat;

	if (!key)
		return 0;
	if (!region) {
		region = find_victim(r, key, epoch);
		if (region->key && present_heat(region, epoch) > amount)
			return 0;
		*region = (struct tc_region){ .key = key, .epoch = epoch };
	}
	heat = present_heat(region, epoch);
	region->heat = heat + amount < heat ? ~(u32)0 : heat + amount;
	region->epoch = epoch;
	return region->heat;
}

u32 tc_region_take(struct tc_regions *r, u64 key, u32 epoch)
{
	struct tc_region *region = key ? find(r, key) : NULL;
	u32 heat;

	if (!region)
		return 0;
	heat = present_heat(region, epoch);
	*region = (struct tc_region){ 0 };
	return heat;
}
