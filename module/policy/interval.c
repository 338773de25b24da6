// SPDX-License-Identifier: GPL-2.0
/*
 * How many samples pass between two threshold computations and between two coolings.
 * Knows the amount of covered memory and the operator's two parameters.
 * Does not know time: both intervals are counted in samples.
 */
#include "interval.h"

static u32 scaled_cooling(u64 covered_pages)
{
	u32 least = TC_ADAPTATION_SAMPLES_MIN * TC_ADAPTATIONS_PER_COOLING;

	if (covered_pages >= TC_COOLING_SAMPLES / TC_COOLING_SAMPLES_PER_PAGE)
		return TC_COOLING_SAMPLES;
	if (covered_pages <= least / TC_COOLING_SAMPLES_PER_PAGE)
		return least;
	return covered_pages * TC_COOLING_SAMPLES_PER_PAGE;
}

static u32 scaled_adaptation(u32 cooling)
{
	u32 adaptation = cooling / TC_ADAPTATIONS_PER_COOLING;

	if (adaptation < TC_ADAPTATION_SAMPLES_MIN)
		adaptation = TC_ADAPTATION_SAMPLES_MIN;
	return adaptation < cooling ? adaptation : cooling;
}

void tc_intervals_scale(u64 covered_pages, u32 adaptation_param, u32 cooling_param,
			struct tc_intervals *out)
{
	out->cooling = cooling_param ? cooling_param : scaled_cooling(covered_pages);
	out->adaptation = adaptation_param ? adaptation_param : scaled_adaptation(out->cooling);
}
