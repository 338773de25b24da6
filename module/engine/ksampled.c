// SPDX-License-Identifier: GPL-2.0
/*
 * ksampled: the one thread that writes the heat map. Takes samples out of the rings, adapts the
 * thresholds, cools, and looks for what should be promoted or demoted. Moves nothing itself.
 */
#include <linux/freezer.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched/clock.h>
#include <linux/timekeeping.h>
#include <thermocline/trace.h>

#include "../track/folio.h"
#include "../track/offline.h"
#include "../track/sampler.h"
#include "../track/scan.h"
#include "admit.h"
#include "coalesce.h"
#include "engine.h"
#include "gate.h"
#include "granularity.h"
#include "headroom.h"
#include "pacer.h"
#include "split.h"
#include "takeover.h"
#include "tier.h"
#include "touch.h"
#include "usage.h"

/* Sleep between two rounds: short while the rings fill, long while they do not. */
#define TC_SLEEP_MIN 1
#define TC_SLEEP_MAX msecs_to_jiffies(100)

/* Time that one round spends on a sweep. */
#define TC_SWEEP_NS (2 * NSEC_PER_MSEC)

/* Sleep while the cursor or a sweep has more to do: a millisecond or two in every twenty. */
#define TC_SLEEP_BUSY msecs_to_jiffies(20)

/* A sweep that drops the heat of pages that are gone begins this often. */
#define TC_SCRUB_INTERVAL (30 * HZ)

/* A worker that is in one batch for longer is stuck. */
#define TC_STALL (60 * HZ)

/* See tc_granularity_takes(). */
static bool tc_granularity_wants(struct tc_node *node, struct tc_block *block, struct folio *folio,
				 const struct tc_sample *sample)
{
	return tc_granularity_takes(node, block, folio, sample->pfn & (TC_BLOCK_PAGES - 1),
				    sample->tgid);
}

/*
 * Hot folios go up. Warm ones are those of the bin that fits the budget only in part: they fill the
 * rest of it. Neither takes the place of its like, see tc_gate_margin(); and one that this sample alone
 * made hot, or warm, may have been hit by chance: it was so @before, or it waits for its next sample. What
 * an accessed bit or a fault says is no chance: there, having been warm is enough.
 */
static void tc_want_promotion(struct tc_node *node, struct tc_block *block, struct folio *folio,
			      const struct tc_sample *sample, unsigned int before, unsigned int bin)
{
	unsigned int head = folio_pfn(folio) & (TC_BLOCK_PAGES - 1);
	enum tc_temperature temperature = tc_temperature(bin);
	unsigned int least = temperature == TC_HOT && !tc_sampler_does() ?
				     tc_engine.thresholds.hot :
				     tc_engine.thresholds.warm;

	if (temperature == TC_COLD || before < least || tc_block_queued(block, head) ||
	    tc_block_refused(block, head) || tc_granularity_wants(node, block, folio, sample))
		return;
	if (tc_queue_add(temperature == TC_HOT ? &node->queue : &node->warm, folio, bin, 0,
			 tc_engine.map.heat.epoch))
		tc_block_set_queued(block, head);
}

/* By recency: no heat is asked for, and no head-room. */
static void tc_want_touched(struct tc_node *node, struct tc_block *block, struct folio *folio,
			    const struct tc_sample *sample, unsigned int bin)
{
	unsigned int head = folio_pfn(folio) & (TC_BLOCK_PAGES - 1);

	if (tc_block_queued(block, head) || tc_block_refused(block, head) ||
	    tc_granularity_wants(node, block, folio, sample))
		return;
	if (tc_queue_add(&node->queue, folio, bin, TC_TOUCH_STEPS, tc_engine.map.heat.epoch))
		tc_block_set_queued(block, head);
}

/* Enters one sample; a huge page that is new here brings the heat of its region. */
static unsigned int tc_sample_block(struct tc_block *block, struct folio *folio, unsigned int page,
				    u8 owner)
{
	unsigned int head = folio_pfn(folio) & (TC_BLOCK_PAGES - 1), order = folio_order(folio);
	bool fresh = block->owner[page] != owner;
	struct tc_heatmap *map = &tc_engine.map;
	unsigned int bin;
	u64 region;

	bin = tc_block_sample(block, &map->heat, page, head, order, owner);
	if (order < TC_BLOCK_ORDER) {
		region = tc_folio_region(folio, page - head);
		tc_coalesce_sample(folio, region,
				   tc_region_add(&map->regions, region, TC_SAMPLE_UNIT,
						 map->heat.epoch));
	} else if (fresh) {
		tc_heatmap_rebind(map, block, folio);
		bin = tc_block_bin(block, &map->heat, head);
	}
	return bin;
}

static void tc_account_sample(struct tc_node *node, struct folio *folio,
			      const struct tc_sample *sample, enum tc_mode mode)
{
	unsigned long pfn = sample->pfn;
	unsigned int head = folio_pfn(folio) & (TC_BLOCK_PAGES - 1);
	unsigned int page = pfn & (TC_BLOCK_PAGES - 1);
	u8 owner = tc_owner_at(tc_folio_owner(folio), page - head);
	struct tc_engine *engine = &tc_engine;
	struct tc_block *block;
	unsigned int before, bin;

	block = tc_heatmap_block(&engine->map, pfn);
	if (!block) {
		engine->counts.no_block++;
		return;
	}
	engine->counts.accounted++;
	node->samples++;
	tc_tier_sample(node, sample);
	tc_granularity_sample(sample, folio);
	tc_admit_sample(sample, folio);
	tc_engine_count_hit(node->fast);
	tc_usage_sample(folio, pfn, owner);
	tc_split_sample(block, page, owner, node->fast);
	before = node->fast || block->owner[page] != owner ?
			 0 :
			 tc_block_bin(block, &engine->map.heat, head);
	bin = tc_sample_block(block, folio, page, owner);
	if (tc_touch_decides()) {
		if (tc_touch_sample(block, folio, page, !node->fast) && tc_mode_decides(mode))
			tc_want_touched(node, block, folio, sample, bin);
		return;
	}
	if (tc_mode_decides(mode) && !node->fast && engine->adaptations)
		tc_want_promotion(node, block, folio, sample, before, bin);
}

static void tc_process_sample(const struct tc_sample *sample, enum tc_mode mode)
{
	struct tc_sample_counts *counts = &tc_engine.counts;
	struct folio *folio = tc_folio_get(sample->pfn);
	struct tc_node *node;

	if (!folio) {
		counts->gone++;
		return;
	}
	node = tc_node(folio_nid(folio));
	if (!tc_folio_trackable(folio))
		counts->untracked++;
	else if (!node)
		counts->other_node++;
	else
		tc_account_sample(node, folio, sample, mode);
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
		/* Pairs with the release in tc_ring_alloc(). */
		if (!smp_load_acquire(&ring->slots))
			continue;
		for (taken = 0; taken <= ring->mask && tc_ring_pop(ring, &sample); taken++)
			tc_process_sample(&sample, mode);
		fullest = max(fullest, taken);
		cond_resched();
	}
	return fullest;
}

/*
 * The heat of a folio that moved goes with it, if it is still there: the page it left may have been
 * given to somebody else, and be in use, before this is told.
 */
static void tc_carry_heat(const struct tc_result *result)
{
	unsigned int head = result->from & (TC_BLOCK_PAGES - 1);
	unsigned int to_head = result->to & (TC_BLOCK_PAGES - 1);
	struct tc_heatmap *map = &tc_engine.map;
	struct tc_block *from, *to = tc_heatmap_block(map, result->to);

	/* Making one block may have evicted the other. */
	from = tc_heatmap_find(map, result->from);
	if (!from)
		return;
	if (!to)
		tc_block_drop(from, &map->heat, head, 1U << result->order);
	else if (from->owner[head] == result->owner)
		tc_block_carry(from, head, to, to_head, result->order, &map->heat);
	else
		tc_block_drop(to, &map->heat, to_head, 1U << result->order);
}

static void tc_process_result(const struct tc_result *result)
{
	struct tc_block *from = tc_heatmap_find(&tc_engine.map, result->from);
	unsigned int head = result->from & (TC_BLOCK_PAGES - 1);

	if (result->split) {
		if (result->promote)
			tc_granularity_result(result);
		else
			tc_split_result(result);
		return;
	}
	if (result->to)
		tc_touch_moved(result);
	if (!from)
		return;
	tc_block_clear_queued(from, head);
	if (result->refused)
		tc_block_set_refused(from, head);
	if (result->to)
		tc_carry_heat(result);
}

static void tc_drain_results(void)
{
	int budget = TC_RESULTS_SIZE, posted = atomic_xchg(&tc_engine.batches_posted, 0);
	struct tc_result result;

	while (budget-- && kfifo_get(&tc_engine.results, &result)) {
		tc_process_result(&result);
		cond_resched();
	}
	/* All that was posted by then has come out: there is no more than the budget. */
	atomic_sub(posted, &tc_engine.map.moving);
}

static void tc_adapt(const struct tc_config *config)
{
	struct tc_engine *engine = &tc_engine;

	engine->budget = tc_fast_budget(config);
	tc_scan_aim(engine->budget, tc_covered_pages());
	tc_thresholds_compute(&engine->map.heat.hist, engine->budget, &engine->thresholds);
	tc_split_adapt();
	if (!config->warm)
		WRITE_ONCE(engine->thresholds.warm, engine->thresholds.hot);
	tc_engine_halve_hits();
	engine->adaptations++;
	engine->adapted_at = engine->counts.accounted;
	tc_gate_adapted(config);
	trace_tc_thresholds(engine->thresholds.hot, engine->thresholds.warm,
			    engine->thresholds.hot_pages, engine->budget);
}

static void tc_cool(void)
{
	struct tc_engine *engine = &tc_engine;

	tc_heatmap_cool(&engine->map);
	tc_granularity_cooled();
	engine->coolings++;
	engine->cooled_at = engine->counts.accounted;
	trace_tc_cooling(engine->coolings, engine->counts.accounted);
}

static void tc_classify_memory(const struct tc_config *config)
{
	struct tc_engine *engine = &tc_engine;

	tc_intervals_scale(tc_covered_pages(), config->adaptation_samples, config->cooling_samples,
			   &engine->intervals);
	if (engine->counts.accounted - engine->cooled_at >= engine->intervals.cooling)
		tc_cool();
	if (engine->counts.accounted - engine->adapted_at >= engine->intervals.adaptation)
		tc_adapt(config);
}

/*
 * Dead heat, of pages that were freed and not sampled since, leaves with a sweep that verifies: one
 * comes every half minute, and one soon after a process has gone. Coolings make it less meanwhile.
 */
static bool tc_scrub(void)
{
	struct tc_engine *engine = &tc_engine;
	unsigned long at = READ_ONCE(engine->scrub_at);

	/* After exits one at a time: many processes may come and go. */
	if (at && time_after(jiffies, at) && !tc_heatmap_verifying(&engine->map)) {
		WRITE_ONCE(engine->scrub_at, 0);
		tc_heatmap_begin_sweep(&engine->map, TC_SWEEP_VERIFY);
	}
	if (time_after(jiffies, engine->next_scrub)) {
		engine->next_scrub = jiffies + TC_SCRUB_INTERVAL;
		tc_nodes_forget_advised();
		tc_heatmap_begin_sweep(&engine->map, TC_SWEEP_VERIFY | TC_SWEEP_REFUSED);
	}
	if (xchg(&engine->results_missed, false))
		tc_heatmap_begin_sweep(&engine->map, TC_SWEEP_QUEUED);
	return tc_heatmap_sweep(&engine->map, local_clock() + TC_SWEEP_NS);
}

/* Returns true while a cursor has more to do. */
static bool tc_find_demotions(const struct tc_config *config)
{
	struct tc_node *node;
	bool busy = false;

	tc_for_each_node(node) {
		if (!node->fast || node->target == NUMA_NO_NODE)
			continue;
		busy |= tc_cursor_run(node, config);
	}
	return busy;
}

/*
 * Once a round, not at each candidate: a worker that runs at once would find ksampled's reference on
 * the folio, and move page by page.
 */
static void tc_kick_promotions(const struct tc_config *config)
{
	struct tc_node *node;

	if (!tc_gate_left(config))
		return;
	tc_for_each_node(node)
		if (!node->fast && tc_queue_pages(&node->queue) + tc_queue_pages(&node->warm) &&
		    tc_room(READ_ONCE(node->target), config))
			tc_node_kick(node);
}

/* A batch takes milliseconds. One that takes this long hangs, and more must not follow it. */
static void tc_watch_workers(void)
{
	struct tc_node *node;
	unsigned long since;

	tc_for_each_node(node) {
		since = READ_ONCE(node->busy_since);
		if (since && time_after(jiffies, since + TC_STALL))
			tc_engine_fall_back("a migration worker has been stuck in one batch");
	}
}

/* Short while the rings fill, long while they do not. */
static unsigned long tc_next_sleep(const struct tc_config *config, unsigned long fullest,
				   unsigned long sleep)
{
	if (fullest > config->ring_slots / 4)
		return max(sleep / 2, 1UL * TC_SLEEP_MIN);
	if (fullest < config->ring_slots / 16)
		return min(sleep * 2, TC_SLEEP_MAX);
	return sleep;
}

/**
 * struct tc_rounds_time - where the time of ksampled's rounds went
 * @used: what the scheduler had counted when it was last accounted
 * @all: time of the rounds since then
 * @taking: of that, for taking samples in
 */
struct tc_rounds_time {
	u64 used;
	u64 all;
	u64 taking;
};

/* Takes samples in. A round without any is upkeep. Returns how full the fullest ring was, in slots. */
static unsigned long tc_take_samples(enum tc_mode mode, struct tc_rounds_time *time)
{
	u64 begin = ktime_get_ns();
	unsigned long fullest = tc_drain_rings(mode);

	if (fullest)
		time->taking += ktime_get_ns() - begin;
	return fullest;
}

/*
 * The scheduler knows what the thread used, but not on what; the clock knows on what, but counts others
 * who ran meanwhile. So the one is divided as the other says.
 */
static void tc_account_rounds(struct tc_rounds_time *time)
{
	u64 used = READ_ONCE(current->se.sum_exec_runtime) - time->used, taking;

	if (!used || !time->all)
		return;
	/* In 1/1024: both are below 2^50 ns. */
	taking = used * div64_u64(min(time->taking, time->all) << 10, time->all) >> 10;
	tc_cpu_spent(TC_CPU_SAMPLES, taking);
	tc_cpu_spent(TC_CPU_UPKEEP, used - taking);
	*time = (struct tc_rounds_time){ .used = time->used + used };
}

/* What does not depend on how much is sampled. Returns true while there is more to do. */
static bool tc_upkeep(const struct tc_config *config, enum tc_mode mode)
{
	bool busy = tc_scrub();

	tc_watch_allocations();
	busy |= tc_split_run(config, mode);
	busy |= tc_usage_run();
	tc_coalesce_allow(mode == TC_MODE_TIER && config->coalesce && tc_engine.adaptations);
	if (tc_mode_decides(mode)) {
		tc_kick_promotions(config);
		busy |= tc_find_demotions(config);
	}
	return busy;
}

static unsigned long tc_ksampled_round(const struct tc_config *config, unsigned long sleep,
				       struct tc_rounds_time *time)
{
	enum tc_mode mode = tc_engine_mode(config, NULL);
	unsigned long fullest;
	u64 begin;
	int token;
	bool busy;

	WRITE_ONCE(tc_engine.heeds_kswapd,
		   tc_mode_decides(mode) && config->policy == TC_POLICY_TPP);
	if (mode == TC_MODE_OFF) {
		token = tc_offline_enter();
		tc_takeover_drain(mode);
		tc_offline_leave(token);
		return MAX_SCHEDULE_TIMEOUT;
	}
	tc_usage_configure(config);
	begin = ktime_get_ns();
	token = tc_offline_enter();
	tc_touch_round(config);
	tc_granularity_round(config, mode);
	fullest = tc_take_samples(mode, time);
	fullest = max(fullest, tc_takeover_drain(mode));
	tc_drain_results();
	tc_heatmap_limit(&tc_engine.map, (u64)config->heatmap_limit_kib << 10);
	tc_tier_run(config);
	tc_classify_memory(config);
	busy = tc_upkeep(config, mode);
	tc_offline_leave(token);
	tc_watch_workers();
	time->all += ktime_get_ns() - begin;

	sleep = tc_next_sleep(config, fullest, min(sleep, TC_SLEEP_MAX));
	return busy ? min(sleep, TC_SLEEP_BUSY) : sleep;
}

int tc_ksampled(void *unused)
{
	unsigned long sleep = TC_SLEEP_MIN;
	struct tc_config config;
	struct tc_rounds_time time = {};

	set_freezable();
	while (!kthread_should_stop()) {
		/* A full barrier: whoever sets it again has written what is read below. */
		smp_store_mb(tc_engine.kicked, false);
		tc_config_read(&config);
		sleep = tc_ksampled_round(&config, sleep, &time);
		tc_account_rounds(&time);
		tc_pacer_round(&config);
		wait_event_freezable_timeout(tc_engine.wait,
					     READ_ONCE(tc_engine.kicked) || kthread_should_stop(),
					     sleep);
	}
	return 0;
}
