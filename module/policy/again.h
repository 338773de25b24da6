/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Folios that were moved down, or up again, lately: which of them go to and fro, and for how long they have
 * to wait before they come up the next time.
 * Knows keys of places, and steps of a clock.
 * Does not know folios, nodes, or how a key is made.
 *
 * TPP (ASPLOS 2023) counts pages that were demoted and are promoted again as its measure of needless
 * traffic. Here such a folio has to be touched twice as often before it is promoted the next time.
 */
#ifndef TC_POLICY_AGAIN_H
#define TC_POLICY_AGAIN_H

#include "touch.h"

/* Places that one key may be in. */
#define TC_AGAIN_WAYS 4

/*
 * What comes up within so many steps of its demotion was demoted for nothing: twice the time for which a
 * touch counts. It had none for one such time, or there would have been colder ones, and was used within the
 * next two.
 */
#define TC_AGAIN_STEPS (2 * TC_TOUCH_STEPS)

/* A folio has to wait for at most so many times as many touches: 2^5. */
#define TC_AGAIN_LEVEL_MAX 5

/**
 * struct tc_again_slot - one remembered folio, at the place where it is now
 * @key: hash of its place and owner, never 0; 0: this slot is free
 * @step: step of the clock when it moved there, its lower bits
 * @level: how often in a row it came up again, at most TC_AGAIN_LEVEL_MAX
 * @touches: touches in a row since it was moved down, each while the one before counted
 */
struct tc_again_slot {
	u32 key;
	u16 step;
	u8 level;
	u8 touches;
};

/**
 * struct tc_again - a bounded memory of moved folios
 * @slot: an array of @mask + 1 slots, zeroed at first, owned by the caller
 * @mask: number of slots - 1; a power of two of at least TC_AGAIN_WAYS slots
 *
 * A folio that finds its places taken replaces the one that moved the longest time ago.
 */
struct tc_again {
	struct tc_again_slot *slot;
	u32 mask;
};

/* The key of a folio: its first page frame and the owner's tag. Never 0. */
u32 tc_again_key(u64 pfn, u8 owner);

/**
 * tc_again_down - a folio was moved to slow memory
 * @a: the memory
 * @from: key of the place that it left
 * @to: key of its place now
 * @step: the clock's step
 *
 * What came up again and stayed there for longer than TC_AGAIN_STEPS begins anew.
 *
 * Context: The writer.
 */
void tc_again_down(struct tc_again *a, u32 from, u32 to, u32 step);

/**
 * tc_again_up - a folio was moved to fast memory
 * @a: the memory
 * @from: key of the place that it left
 * @to: key of its place now
 * @step: the clock's step
 *
 * Context: The writer.
 * Return: true when it had been moved down within the last TC_AGAIN_STEPS.
 */
bool tc_again_up(struct tc_again *a, u32 from, u32 to, u32 step);

/**
 * tc_again_touch - a folio of slow memory was touched: has it waited for long enough?
 * @a: the memory
 * @key: key of its place
 * @active: an earlier touch still counts
 * @again: so this one is one more (tc_touch_again())
 * @step: the clock's step
 * @needed: touches that promote a folio that has not come up again lately
 *
 * One that is touched at last, but has stayed down for longer than 2^level times TC_AGAIN_STEPS, is forgotten.
 *
 * Context: The writer.
 * Return: false while it was touched less than @needed * 2^level times in a row; true for a folio that is not
 * remembered.
 */
bool tc_again_touch(struct tc_again *a, u32 key, bool active, bool again, u32 step,
		    unsigned int needed);

#endif /* TC_POLICY_AGAIN_H */
