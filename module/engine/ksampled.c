// SPDX-License-Identifier: GPL-2.0
/*
 * ksampled: the one thread that writes the heat map. Takes samples out of the rings, adapts the
 * thresholds, cools, and looks for what should be promoted or demoted. Moves nothing itself.
 */
#include <linux/freezer.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/mm.h>

#include "../track/folio.h"
#include "../track/sampler.h"
#include "engine.h"
#include "headroom.h"

/* Sleep between two rounds: short while the rings fill, long while they do not. */
#define TC_SLEEP_MIN 1
#define TC_SLEEP_MAX msecs_to_jiffies(100)

/* Heat map blocks that one round of a sweep visits. */
#define TC_SWEEP_BLOCKS 64

/* Results of moves that one round takes in, at most. */
#define TC_RESULTS_ROUND 8192

static void tc_want_promotion(struct tc_node *node, struct tc_block *block, struct folio *folio)
{
	unsigned int head = folio_pfn(folio) & (TC_BLOCK_PAGES - 1);

	if (tc_block_queued(block, head) ||
	    !tc_queue_add(&node->queue, folio_pfn(folio), folio_order(folio)))
		return;
	tc_block_set_queued(block, head);
	tc_node_kick(node);
}

static void tc_account_sample(struct tc_node *node, struct folio *folio, unsigned long pfn,
			      enum tc_mode mode)
{
	unsigned int head = folio_pfn(folio) & (TC_BLOCK_PAGES - 1);
	unsigned int page = pfn & (TC_BLOCK_PAGES - 1);
	u8 owner = tc_owner_at(tc_folio_owner(folio), page - head);
	struct tc_engine *engine = &tc_engine;
	struct tc_block *block;
	unsigned int bin;

	block = tc_heatmap_block(&engine->map, pfn);
	if (!block) {
		engine->counts.no_block++;
		return;
	}
	engine->counts.accounted++;
	node->samples++;
	engine->hit_all++;
	engine->hit_fast += node->fast;
	bin = tc_block_sample(block, &engine->map.heat, page, head, folio_order(folio), owner);
	if (mode == TC_MODE_TIER && !node->fast && engine->adaptations &&
	    bin >= engine->thresholds.hot)
		tc_want_promotion(node, block, folio);
}

/* Only what can be on an LRU list and leave it has heat: the rest could not be moved anyway. */
static bool tc_trackable(struct folio *folio)
{
	return folio_test_lru(folio) && !folio_test_unevictable(folio) &&
	       folio_order(folio) <= TC_BLOCK_ORDER;
}

static void tc_process_sample(const struct tc_sample *sample, enum tc_mode mode)
{
	struct tc_sample_counts *counts = &tc_engine.counts;
	struct folio *folio = tc_folio_get(sample->pfn);
	struct tc_node *node;

	counts->processed++;
	if (!folio) {
		counts->gone++;
		return;
	}
	node = tc_node(folio_nid(folio));
	if (!tc_trackable(folio))
		counts->untracked++;
	else if (!node)
		counts->other_node++;
	else
		tc_account_sample(node, folio, sample->pfn, mode);
	folio_put(folio);
}

/* Returns how full the fullest ring was, in slots. */
static unsigned long tc_drain_rings(enum tc_mode mode)
{
	unsigned long fullest = 0, taken;
	struct tc_sample sample;
	struct tc_ring *ring;
	int cpu;

	for_each_possible_cpu(cpu) {
		ring = &tc_sampler_cpu(cpu)->ring;
		if (!READ_ONCE(ring->slots))
			continue;
		for (taken = 0; taken <= ring->mask && tc_ring_pop(ring, &sample); taken++)
			tc_process_sample(&sample, mode);
		fullest = max(fullest, taken);
		cond_resched();
	}
	return fullest;
}

/* The heat of a folio that moved goes with it. */
static void tc_process_result(const struct tc_result *result)
{
	struct tc_heatmap *map = &tc_engine.map;
	struct tc_block *from = tc_heatmap_find(map, result->from), *to;

	if (!from)
		return;
	if (!result->to) {
		tc_block_clear_queued(from, result->from & (TC_BLOCK_PAGES - 1));
		return;
	}
	to = tc_heatmap_block(map, result->to);
	if (to)
		tc_block_carry(from, result->from & (TC_BLOCK_PAGES - 1), to,
			       result->to & (TC_BLOCK_PAGES - 1), result->order, &map->heat);
	else
		tc_block_drop(from, &map->heat, result->from & (TC_BLOCK_PAGES - 1),
			      1U << result->order);
}

static void tc_drain_results(void)
{
	struct tc_result result;
	int budget = TC_RESULTS_ROUND;

	while (budget-- && kfifo_get(&tc_engine.results, &result))
		tc_process_result(&result);
}

static void tc_adapt(const struct tc_config *config)
{
	struct tc_engine *engine = &tc_engine;

	tc_intervals_scale(tc_covered_pages(), config->adaptation_samples, config->cooling_samples,
			   &engine->intervals);
	engine->budget = tc_fast_budget(config);
	tc_thresholds_compute(&engine->map.heat.hist, engine->budget, &engine->thresholds);
	engine->hit_fast /= 2;
	engine->hit_all /= 2;
	engine->adaptations++;
	engine->next_adaptation = engine->counts.accounted + engine->intervals.adaptation;
}

static void tc_cool(void)
{
	struct tc_engine *engine = &tc_engine;

	tc_heatmap_cool(&engine->map);
	engine->coolings++;
	engine->next_cooling = engine->counts.accounted + engine->intervals.cooling;
}

static void tc_classify_memory(const struct tc_config *config)
{
	struct tc_engine *engine = &tc_engine;

	/* A parameter that shortens an interval holds at once, not after the old one. */
	if (engine->counts.accounted >= engine->next_cooling ||
	    (config->cooling_samples &&
	     engine->next_cooling - engine->counts.accounted > config->cooling_samples))
		tc_cool();
	if (engine->counts.accounted >= engine->next_adaptation ||
	    (config->adaptation_samples &&
	     engine->next_adaptation - engine->counts.accounted > config->adaptation_samples))
		tc_adapt(config);
	tc_heatmap_sweep(&engine->map, TC_SWEEP_BLOCKS);
}

static void tc_find_demotions(const struct tc_config *config)
{
	struct tc_node *node;

	tc_for_each_node(node)
		if (node->fast && node->target != NUMA_NO_NODE)
			tc_cursor_run(node, config);
}

static unsigned long tc_ksampled_round(const struct tc_config *config, unsigned long sleep)
{
	enum tc_mode mode = tc_engine_mode(config, NULL);
	unsigned long fullest;

	if (mode == TC_MODE_OFF)
		return MAX_SCHEDULE_TIMEOUT;
	fullest = tc_drain_rings(mode);
	tc_drain_results();
	tc_classify_memory(config);
	if (mode == TC_MODE_TIER)
		tc_find_demotions(config);

	sleep = min(sleep, TC_SLEEP_MAX);
	if (fullest > config->ring_slots / 4)
		return max(sleep / 2, 1UL * TC_SLEEP_MIN);
	if (fullest < config->ring_slots / 16)
		return min(sleep * 2, TC_SLEEP_MAX);
	return sleep;
}

static void tc_ksampled_begin(void)
{
	struct tc_config config;

	tc_config_read(&config);
	tc_intervals_scale(tc_covered_pages(), config.adaptation_samples, config.cooling_samples,
			   &tc_engine.intervals);
	tc_engine.next_adaptation = tc_engine.intervals.adaptation;
	tc_engine.next_cooling = tc_engine.intervals.cooling;
}

int tc_ksampled(void *unused)
{
	unsigned long sleep = TC_SLEEP_MIN;
	struct tc_config config;

	set_freezable();
	tc_ksampled_begin();
	while (!kthread_should_stop()) {
		WRITE_ONCE(tc_engine.kicked, false);
		tc_config_read(&config);
		sleep = tc_ksampled_round(&config, sleep);
		wait_event_freezable_timeout(tc_engine.wait,
					     READ_ONCE(tc_engine.kicked) || kthread_should_stop(),
					     sleep);
	}
	return 0;
}
