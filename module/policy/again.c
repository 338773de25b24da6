// SPDX-License-Identifier: GPL-2.0
/*
 * Folios that were moved down, or up again, lately.
 * Knows keys of places, and steps of a clock.
 * Does not know folios, nodes, or how a key is made.
 */
#include "again.h"

/* The 64-bit golden ratio: multiplying by it spreads neighbours over the upper bits. */
#define SPREAD 0x9e3779b97f4a7c15ULL

/* A lookup of so many steps ago is as good as forgotten; the lower bits of a step tell up to twice that. */
#define STEP_BITS 16

u32 tc_again_key(u64 pfn, u8 owner)
{
	u32 key = (pfn << 8 | owner) * SPREAD >> 32;

	return key ? key : 1;
}

/* Steps since a folio moved. */
static u32 steps_since(const struct tc_again_slot *slot, u32 step)
{
	return (step - slot->step) & ((1U << STEP_BITS) - 1);
}

static struct tc_again_slot *first_way(struct tc_again *a, u32 key)
{
	return &a->slot[key & a->mask & ~(u32)(TC_AGAIN_WAYS - 1)];
}

static struct tc_again_slot *find(struct tc_again *a, u32 key)
{
	struct tc_again_slot *way = first_way(a, key);
	int i;

	for (i = 0; i < TC_AGAIN_WAYS; i++)
		if (way[i].key == key)
			return &way[i];
	return NULL;
}

/* Takes a folio out of the memory; one that is not there has a key of 0. */
static struct tc_again_slot take(struct tc_again *a, u32 key)
{
	struct tc_again_slot *slot = find(a, key), found = { 0 };

	if (slot) {
		found = *slot;
		*slot = (struct tc_again_slot){ 0 };
	}
	return found;
}

static void put(struct tc_again *a, u32 key, u32 step, u8 level)
{
	struct tc_again_slot *way = first_way(a, key), *victim = find(a, key);
	int i;

	for (i = 0; i < TC_AGAIN_WAYS && !victim; i++)
		if (!way[i].key)
			victim = &way[i];
	if (!victim) {
		victim = way;
		for (i = 1; i < TC_AGAIN_WAYS; i++)
			if (steps_since(&way[i], step) > steps_since(victim, step))
				victim = &way[i];
	}
	*victim = (struct tc_again_slot){ .key = key, .step = (u16)step, .level = level };
}

void tc_again_down(struct tc_again *a, u32 from, u32 to, u32 step)
{
	struct tc_again_slot was = take(a, from);
	bool soon = was.key && steps_since(&was, step) <= TC_AGAIN_STEPS;

	put(a, to, step, soon ? was.level : 0);
}

bool tc_again_up(struct tc_again *a, u32 from, u32 to, u32 step)
{
	struct tc_again_slot was = take(a, from);

	if (!was.key || steps_since(&was, step) > TC_AGAIN_STEPS) {
		/* Another folio may have been at its new place. */
		take(a, to);
		return false;
	}
	put(a, to, step, was.level < TC_AGAIN_LEVEL_MAX ? was.level + 1 : TC_AGAIN_LEVEL_MAX);
	return true;
}

bool tc_again_touch(struct tc_again *a, u32 key, bool active, bool again, u32 step,
		    unsigned int needed)
{
	struct tc_again_slot *slot = find(a, key);

	if (!slot)
		return true;
	if (!active && steps_since(slot, step) > (u32)TC_AGAIN_STEPS << slot->level) {
		*slot = (struct tc_again_slot){ 0 };
		return true;
	}
	if (!active)
		slot->touches = 1;
	else if (again && slot->touches < 255)
		slot->touches++;
	return slot->touches >= needed << slot->level;
}
