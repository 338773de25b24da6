// SPDX-License-Identifier: GPL-2.0
/*
 * Regions whose huge page was split, to notice when somebody makes one huge page of them again.
 * Knows keys of regions and a clock that the caller passes in.
 * Does not know who collapsed them.
 */
#include "recollapse.h"

static struct tc_split_region *first_way(struct tc_split_regions *r, u64 key)
{
	return &r->slot[key & r->mask & ~(u64)(TC_RECOLLAPSE_WAYS - 1)];
}

static struct tc_split_region *find(struct tc_split_regions *r, u64 key)
{
	struct tc_split_region *way = first_way(r, key);
	int i;

	for (i = 0; key && i < TC_RECOLLAPSE_WAYS; i++)
		if (way[i].key == key)
			return &way[i];
	return NULL;
}

/* A free slot, or else the oldest one. */
static struct tc_split_region *find_victim(struct tc_split_regions *r, u64 key, u32 now_s)
{
	struct tc_split_region *way = first_way(r, key), *victim = way;
	int i;

	for (i = 0; i < TC_RECOLLAPSE_WAYS; i++) {
		if (!way[i].key)
			return &way[i];
		if (now_s - way[i].since > now_s - victim->since)
			victim = &way[i];
	}
	return victim;
}

void tc_split_region_add(struct tc_split_regions *r, u64 key, u32 now_s)
{
	struct tc_split_region *region = find(r, key);

	if (!key)
		return;
	if (!region)
		region = find_victim(r, key, now_s);
	*region = (struct tc_split_region){ .key = key, .since = now_s };
}

bool tc_split_region_seen_whole(struct tc_split_regions *r, u64 key, u32 now_s)
{
	struct tc_split_region *region = find(r, key);

	if (!region || region->whole)
		return false;
	region->since = now_s;
	region->whole = true;
	return true;
}

bool tc_split_region_alone(struct tc_split_regions *r, u64 key, u32 now_s, u32 alone_s)
{
	struct tc_split_region *region = find(r, key);

	if (!region || !region->whole)
		return false;
	if (now_s - region->since < alone_s)
		return true;
	*region = (struct tc_split_region){ 0 };
	return false;
}
