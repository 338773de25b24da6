// SPDX-License-Identifier: GPL-2.0
/*
 * How long the sampling period must be for sampling to cost no more than it may.
 * Knows shares of a core, losses, and ladders of legal periods.
 * Does not know events, threads or clocks.
 */
#include "pacer.h"
#include "prime.h"

static u32 nearest(enum tc_ladder ladder, u64 period)
{
	if (ladder == TC_LADDER_IBS)
		return tc_ibs_period_nearest(period);
	return tc_prime_nearest(period, TC_PRIME_PERIOD_MIN, TC_PRIME_PERIOD_MAX);
}

u32 tc_ladder_period(enum tc_ladder ladder, u32 start, u32 step)
{
	/* In 1/65536, so that the steps do not add up roundings. */
	u64 wish = (u64)start << 16;
	u32 i;

	if (!step)
		return start;
	for (i = 0; i < step && i < TC_PACER_STEPS && wish < (u64)1 << 48; i++)
		wish += wish / 5;
	return nearest(ladder, (wish + (1 << 15)) >> 16);
}

u32 tc_ladder_top(enum tc_ladder ladder, u32 start)
{
	u32 step = 0, period = start, next;

	for (; step < TC_PACER_STEPS; step++) {
		next = tc_ladder_period(ladder, start, step + 1);
		if (next <= period)
			break;
		period = next;
	}
	return step;
}

void tc_pacer_init(struct tc_pacer *p)
{
	__builtin_memset(p, 0, sizeof(*p));
	p->next_hold = TC_PACER_HOLD_MIN;
}

/* One step up, and the average as if it had been so all the time. */
static void lengthen(struct tc_pacer *p)
{
	tc_write_once(p->step, p->step + 1);
	tc_write_once(p->use_ppm, p->use_ppm * 5 / 6);
}

static void shorten(struct tc_pacer *p)
{
	tc_write_once(p->step, p->step - 1);
	tc_write_once(p->use_ppm, p->use_ppm * 6 / 5);
}

static void smooth(struct tc_pacer *p, u32 use_ppm)
{
	/* Many cores may take more than all of one; no sum of these overflows. */
	if (use_ppm > 1U << 28)
		use_ppm = 1U << 28;
	tc_write_once(p->use_ppm, p->known ? (3 * p->use_ppm + use_ppm) / 4 : use_ppm);
	p->known = true;
}

enum tc_pace tc_pacer_check(struct tc_pacer *p, u32 use_ppm, u32 limit_ppm, u32 top)
{
	u32 before = p->step;

	smooth(p, use_ppm);
	while (p->use_ppm > limit_ppm && p->step < top)
		lengthen(p);
	if (p->step != before)
		return TC_PACE_LONGER;
	if (p->hold) {
		p->hold--;
		return TC_PACE_KEEP;
	}
	if (p->next_hold > TC_PACER_HOLD_MIN)
		p->next_hold--;
	if (!p->step || p->use_ppm > limit_ppm - limit_ppm / 6)
		return TC_PACE_KEEP;
	shorten(p);
	return TC_PACE_SHORTER;
}

enum tc_pace tc_pacer_flood(struct tc_pacer *p, u32 top)
{
	u32 before = p->step, i;

	for (i = 0; i < TC_PACER_FLOOD_STEPS && p->step < top; i++)
		lengthen(p);
	p->hold = p->next_hold;
	p->next_hold = p->next_hold * 2 < TC_PACER_HOLD_MAX ? p->next_hold * 2 : TC_PACER_HOLD_MAX;
	return p->step == before ? TC_PACE_KEEP : TC_PACE_LONGER;
}

u32 tc_pacer_share(u32 limit_ppm, u32 other_ppm)
{
	return other_ppm < limit_ppm / 2 ? limit_ppm - other_ppm : limit_ppm - limit_ppm / 2;
}
