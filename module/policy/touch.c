// SPDX-License-Identifier: GPL-2.0
/*
 * Marks of touches: which pages of a block were touched lately, and how long ago.
 * Knows page indexes inside a block and steps of a clock.
 * Does not know what a touch is, what a step lasts, nodes, or where a block is kept.
 */
#include "touch.h"

u64 tc_touch_age_samples(u64 covered_pages, u64 cooling, bool random)
{
	u64 age = random ? tc_min_u64(covered_pages / TC_TOUCH_PAGES_PER_SAMPLE, cooling) : cooling;

	return tc_max_u64(age, 1);
}

u32 tc_touch_clock_tick(struct tc_touch_clock *clock, u64 now, u64 age)
{
	u64 length = tc_max_u64(age / TC_TOUCH_STEPS, 1), steps;

	if (now < clock->last)
		clock->last = now;
	steps = (now - clock->last) / length;
	clock->last += steps * length;
	tc_write_once(clock->step, clock->step + (u32)steps);
	return clock->step;
}

/* Takes 1 from what 64 pages have left, if they have any: a borrow ripples from plane to plane. */
static void take_one(struct tc_touch *t, unsigned int word)
{
	u64 borrow = t->plane[0][word] | t->plane[1][word] | t->plane[2][word];
	int i;

	for (i = 0; i < TC_TOUCH_PLANES; i++) {
		u64 bits = t->plane[i][word];

		tc_write_once(t->plane[i][word], bits ^ borrow);
		borrow &= ~bits;
	}
}

void tc_touch_age(struct tc_touch *t, u32 step)
{
	u32 lag = step - t->step;
	unsigned int word;

	if (!lag)
		return;
	if (lag > TC_TOUCH_STEPS)
		lag = TC_TOUCH_STEPS;
	while (lag--)
		for (word = 0; word < TC_BLOCK_WORDS; word++)
			take_one(t, word);
	tc_write_once(t->step, step);
}

/* The most that pages of one word have left; @bits: which of them. */
static unsigned int most_left(const struct tc_touch *t, unsigned int word, u64 bits)
{
	unsigned int most = 0;
	int i;

	for (i = TC_TOUCH_PLANES - 1; i >= 0; i--) {
		u64 with = bits & tc_read_once(t->plane[i][word]);

		if (with) {
			bits = with;
			most |= 1U << i;
		}
	}
	return most;
}

unsigned int tc_touch_left(const struct tc_touch *t, u32 step, unsigned int head,
			   unsigned int order)
{
	/* Of a step that was read before the writer's last one: none. */
	int lag = step - tc_read_once(t->step);
	unsigned int most = 0, left, end, word;

	if (order > TC_BLOCK_ORDER)
		order = TC_BLOCK_ORDER;
	head &= (TC_BLOCK_PAGES - 1) & ~((1U << order) - 1);
	end = head + (1U << order);
	for (word = head / 64; word * 64 < end; word++) {
		left = most_left(t, word, tc_bits_mask(word, head, end));
		if (left > most)
			most = left;
	}
	if (lag < 0)
		lag = 0;
	return most > (u32)lag ? most - lag : 0;
}

void tc_touch_mark(struct tc_touch *t, u32 step, unsigned int page)
{
	int i;

	tc_touch_age(t, step);
	for (i = 0; i < TC_TOUCH_PLANES; i++)
		tc_bits_set(t->plane[i], page, 1);
}

void tc_touch_forget(struct tc_touch *t, unsigned int first, unsigned int nr)
{
	int i;

	for (i = 0; i < TC_TOUCH_PLANES; i++)
		tc_bits_clear(t->plane[i], first, nr);
}

void tc_touch_carry(const struct tc_touch *src, unsigned int from, struct tc_touch *dst,
		    unsigned int to)
{
	int i;

	for (i = 0; i < TC_TOUCH_PLANES; i++) {
		tc_bits_clear(dst->plane[i], to, 1);
		if (tc_bit_test(src->plane[i], from))
			tc_bits_set(dst->plane[i], to, 1);
	}
}
