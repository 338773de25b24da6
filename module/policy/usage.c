// SPDX-License-Identifier: GPL-2.0
/*
 * The use of single pages, and what many of them add up to.
 * Knows owner tags, ticks and numbers of samples.
 * Does not know what type a page has, whose it is, nor how it is found.
 */
#include "usage.h"

#define SAMPLES_MAX 65535U

unsigned int tc_use_shift(u64 pages)
{
	unsigned int shift = TC_USE_SHIFT_MIN;

	while (shift < TC_USE_SHIFT_MAX && pages >> shift > TC_USE_PAGES)
		shift++;
	return shift;
}

enum tc_span tc_span(u32 ticks)
{
	if (ticks < TC_USE_TICKS)
		return TC_SPAN_1;
	if (ticks < 2 * TC_USE_TICKS)
		return TC_SPAN_2;
	if (ticks < 5 * TC_USE_TICKS)
		return TC_SPAN_5;
	return ticks < 10 * TC_USE_TICKS ? TC_SPAN_10 : TC_SPAN_LONGER;
}

static void take_over(struct tc_use *use, u8 owner, u32 tick)
{
	if (use->owner != owner)
		*use = (struct tc_use){ .tick = tick, .owner = owner };
}

enum tc_span tc_use_sample(struct tc_use *use, u8 owner, u32 tick)
{
	enum tc_span again = TC_NR_SPANS;

	take_over(use, owner, tick);
	if (use->accessed && use->tick != tick)
		again = tc_span(tick - use->tick);
	use->tick = tick;
	use->accessed = true;
	use->samples += use->samples < SAMPLES_MAX;
	return again;
}

void tc_use_count(struct tc_use *use, u8 owner, u32 tick, struct tc_use_tally *tally)
{
	enum tc_span age;
	unsigned int bin;

	take_over(use, owner, tick);
	age = tc_span(tick - use->tick);
	if (use->accessed)
		tally->accessed[age]++;
	else if (age == TC_SPAN_LONGER)
		tally->untouched++;
	else
		tally->fresh++;
	if (!use->samples)
		return;
	bin = 31 - __builtin_clz(use->samples);
	tally->sampled[bin]++;
	tally->samples[bin] += use->samples;
}

void tc_use_tally_add(struct tc_use_tally *to, const struct tc_use_tally *from)
{
	unsigned int i;

	for (i = 0; i < TC_NR_SPANS; i++)
		to->accessed[i] += from->accessed[i];
	to->untouched += from->untouched;
	to->fresh += from->fresh;
	for (i = 0; i < TC_USE_BINS; i++) {
		to->sampled[i] += from->sampled[i];
		to->samples[i] += from->samples[i];
	}
}

u64 tc_use_pages(const struct tc_use_tally *tally)
{
	u64 pages = (u64)tally->untouched + tally->fresh;
	unsigned int i;

	for (i = 0; i < TC_NR_SPANS; i++)
		pages += tally->accessed[i];
	return pages;
}

u64 tc_use_samples(const struct tc_use_tally *tally, u64 *pages)
{
	u64 samples = 0;
	unsigned int i;

	*pages = 0;
	for (i = 0; i < TC_USE_BINS; i++) {
		*pages += tally->sampled[i];
		samples += tally->samples[i];
	}
	return samples;
}

u64 tc_use_needed(const struct tc_use_tally *tally, u32 share_bp)
{
	u64 pages, needed = 0, left = (tc_use_samples(tally, &pages) * share_bp + 9999) / 10000;
	int bin;

	/* Below 2^16 pages of 2^24 have below 2^16 samples: nothing overflows. */
	for (bin = TC_USE_BINS - 1; bin >= 0 && left; bin--) {
		u64 here = tc_min_u64(left, tally->samples[bin]);

		if (here)
			needed += (here * tally->sampled[bin] + tally->samples[bin] - 1) /
				  tally->samples[bin];
		left -= here;
	}
	return needed;
}
