// SPDX-License-Identifier: GPL-2.0
/*
 * The touches of touch.h.
 */
#include <linux/ktime.h>

#include "../track/sampler.h"
#include "engine.h"
#include "headroom.h"
#include "touch.h"

/* Settings of the round. */
static struct {
	bool decides;
	bool two_touch;
} tc_touch_now;

bool tc_touch_decides(void)
{
	return tc_touch_now.decides;
}

void tc_touch_round(const struct tc_config *config)
{
	struct tc_engine *engine = &tc_engine;
	u64 now = engine->counts.accounted, age;

	tc_touch_now.decides = config->policy == TC_POLICY_TPP;
	tc_touch_now.two_touch = config->two_touch;
	age = tc_touch_age_samples(tc_covered_pages(), engine->intervals.cooling,
				   !tc_sampler_does());
	if (config->tpp_active_s) {
		now = ktime_to_ms(ktime_get());
		age = (u64)config->tpp_active_s * MSEC_PER_SEC;
	}
	WRITE_ONCE(engine->touch_age, age);
	WRITE_ONCE(engine->map.heat.step, tc_touch_clock_tick(&engine->touch_clock, now, age));
}

bool tc_touch_sample(struct tc_block *block, unsigned int page, unsigned int head,
		     unsigned int order)
{
	u32 step = tc_engine.map.heat.step;
	unsigned int left = tc_touch_left(&block->touch, step, head, order);

	tc_touch_mark(&block->touch, step, page);
	return !tc_touch_now.two_touch || tc_touch_again(left, order);
}
