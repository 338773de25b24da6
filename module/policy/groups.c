// SPDX-License-Identifier: GPL-2.0
/*
 * The few groups that are told apart.
 * Knows identifiers and numbers of samples.
 * Does not know what a group is, nor what is kept of it.
 */
#include "groups.h"

unsigned int tc_groups_find(struct tc_groups *groups, u64 id)
{
	unsigned int i, free = TC_GROUP_OTHER;

	for (i = 0; i < TC_GROUPS; i++) {
		if (groups->slot[i].id == id)
			return i;
		if (!groups->slot[i].id && free == TC_GROUP_OTHER)
			free = i;
	}
	if (free != TC_GROUP_OTHER)
		groups->slot[free] = (struct tc_group){ .id = id };
	return free;
}

/* Samples that are surely its own. */
static u64 surely(const struct tc_group *group)
{
	return group->samples - group->inherited;
}

/* Free places have no samples. */
static struct tc_group *least(struct tc_group *group, unsigned int nr)
{
	struct tc_group *found = group;
	unsigned int i;

	for (i = 1; i < nr; i++)
		if (group[i].samples < found->samples)
			found = &group[i];
	return found;
}

static struct tc_group *most(struct tc_group *group, unsigned int nr)
{
	struct tc_group *found = group;
	unsigned int i;

	for (i = 1; i < nr; i++)
		if (surely(&group[i]) > surely(found))
			found = &group[i];
	return found;
}

static void wait_with(struct tc_groups *groups, u64 id)
{
	struct tc_group *place;
	unsigned int i;

	for (i = 0; i < TC_GROUPS_WAITING; i++)
		if (groups->waiting[i].id == id) {
			groups->waiting[i].samples++;
			return;
		}
	place = least(groups->waiting, TC_GROUPS_WAITING);
	place->id = id;
	place->inherited = place->samples;
	place->samples++;
}

unsigned int tc_groups_sample(struct tc_groups *groups, u64 id)
{
	unsigned int slot = tc_groups_find(groups, id);

	if (slot == TC_GROUP_OTHER)
		wait_with(groups, id);
	else
		groups->slot[slot].samples++;
	return slot;
}

u32 tc_groups_rank(struct tc_groups *groups)
{
	struct tc_group *waiting = most(groups->waiting, TC_GROUPS_WAITING);
	struct tc_group *shown = least(groups->slot, TC_GROUPS);
	unsigned int i;
	u32 changed = 0;

	while (surely(waiting) > shown->samples) {
		*shown = (struct tc_group){ .id = waiting->id, .samples = surely(waiting) };
		*waiting = (struct tc_group){ 0 };
		changed |= 1U << (shown - groups->slot);
		waiting = most(groups->waiting, TC_GROUPS_WAITING);
		shown = least(groups->slot, TC_GROUPS);
	}
	for (i = 0; i < TC_GROUPS; i++)
		groups->slot[i].samples = 0;
	for (i = 0; i < TC_GROUPS_WAITING; i++)
		groups->waiting[i] = (struct tc_group){ 0 };
	return changed;
}
