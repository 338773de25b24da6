// SPDX-License-Identifier: GPL-2.0
/*
 * The touches of touch.h.
 */
#include <linux/ktime.h>
#include <linux/mm.h>

#include "../track/folio.h"
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
	return READ_ONCE(tc_touch_now.decides);
}

/* Marks of another time are old; what a pass has counted by another rule says nothing. */
static void tc_touch_decide(bool decides)
{
	struct tc_node *node;

	if (decides == tc_touch_now.decides)
		return;
	WRITE_ONCE(tc_touch_now.decides, decides);
	tc_for_each_node(node)
		tc_cursor_forget_ranks(node);
}

void tc_touch_round(const struct tc_config *config)
{
	struct tc_engine *engine = &tc_engine;
	u64 now = engine->counts.accounted, age;

	tc_touch_decide(config->policy == TC_POLICY_TPP);
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

bool tc_touch_sample(struct tc_block *block, struct folio *folio, unsigned int page, bool slow)
{
	unsigned int head = folio_pfn(folio) & (TC_BLOCK_PAGES - 1), order = folio_order(folio);
	struct tc_heatmap *map = &tc_engine.map;
	u32 step = map->heat.step;
	unsigned int left = tc_touch_left(&block->touch, step, head, order);
	bool again = tc_touch_again(left, order);

	tc_touch_mark(&block->touch, step, page);
	if (!slow)
		return false;
	/* What goes to and fro waits for more touches, which are counted there. */
	return tc_again_touch(&map->again, tc_again_key(folio_pfn(folio), tc_folio_owner(folio)),
			      left, again, step, tc_touch_now.two_touch ? 2 : 1) &&
	       (!tc_touch_now.two_touch || again);
}

void tc_touch_moved(const struct tc_result *result)
{
	u32 from = tc_again_key(result->from, result->owner);
	u32 to = tc_again_key(result->to, result->owner);
	struct tc_node *node = tc_node_known(result->nid);
	struct tc_heatmap *map = &tc_engine.map;

	if (node->fast)
		tc_again_down(&map->again, from, to, map->heat.step);
	else if (tc_again_up(&map->again, from, to, map->heat.step))
		WRITE_ONCE(node->pingpong, node->pingpong + 1);
}
