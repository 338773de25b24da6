// SPDX-License-Identifier: GPL-2.0
/*
 * The decision of split.h: windows of samples, the search for skewed huge pages, what follows from
 * an answer. Runs in ksampled and splits nothing itself.
 */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/sched/clock.h>

#include "../kernel/split.h"
#include "../track/folio.h"
#include "../track/sampler.h"
#include "../track/young.h"
#include "engine.h"
#include "headroom.h"
#include "split.h"
#include "touch.h"

/* Time that one round of ksampled spends on the search. */
#define TC_SEARCH_NS NSEC_PER_MSEC

/* tc_split is with one huge page for longer: it is stuck. */
#define TC_SPLIT_STALL (60 * HZ)

struct tc_split_engine tc_split_engine = {
	.base = { .hot = TC_BINS - 1, .warm = TC_BINS - 1 },
	.in_hand = __MUTEX_INITIALIZER(tc_split_engine.in_hand),
};

void tc_split_sample(const struct tc_block *block, unsigned int page, u8 owner, bool fast)
{
	struct tc_split_engine *split = &tc_split_engine;
	bool hot = tc_engine.adaptations && block->owner[page] == owner &&
		   tc_block_base_bin(block, &tc_engine.map.heat, page) >= split->base.hot;

	split->window.all++;
	split->window.fast += fast;
	split->window.base += hot;
}

void tc_split_adapt(void)
{
	tc_thresholds_compute(&tc_engine.map.heat.base, tc_engine.budget, &tc_split_engine.base);
}

/* May this huge page be split at all, as far as its folio tells without being locked? */
static bool tc_split_candidate(struct folio *folio, const struct tc_block *block, u32 alone_s)
{
	struct tc_split_engine *split = &tc_split_engine;

	if (folio_order(folio) != TC_BLOCK_ORDER || !folio_test_lru(folio) ||
	    !folio_test_swapbacked(folio) || tc_folio_owner(folio) != block->owner[0])
		return false;
	if (tc_heatmap_left_alone(&tc_engine.map, folio, alone_s)) {
		split->left_alone++;
		return false;
	}
	return true;
}

static void tc_search_block(struct tc_block *block, unsigned long pfn,
			    const struct tc_config *config)
{
	struct tc_split_engine *split = &tc_split_engine;
	struct tc_profile profile;
	struct folio *folio;
	u64 skew;

	tc_block_cool(block, &tc_engine.map.heat);
	if (!tc_block_whole(block))
		return;
	tc_block_profile(block, split->base.hot, &profile);
	split->huge += profile.hot > 0;
	skew = tc_skew(&profile);
	if (!skew || tc_heatmap_unsplittable(block) ||
	    tc_split_order(config->split, &profile) >= TC_BLOCK_ORDER)
		return;
	folio = tc_folio_get(pfn);
	if (!folio)
		return;
	if (tc_split_candidate(folio, block, config->split_alone_s))
		tc_skewed_add(&split->list, skew, pfn);
	folio_put(folio);
}

/* Returns true when the map is through. */
static bool tc_search(const struct tc_config *config)
{
	u64 deadline = local_clock() + TC_SEARCH_NS;
	struct tc_block *block;
	unsigned long *pfn = &tc_split_engine.search_pfn;

	while (local_clock() < deadline) {
		block = tc_heatmap_next(&tc_engine.map, pfn);
		if (!block)
			return true;
		tc_search_block(block, *pfn, config);
		*pfn += TC_BLOCK_PAGES;
	}
	return false;
}

/* Asks for one split, unless the huge page is no longer what the search found. */
static void tc_split_ask(unsigned long pfn, const struct tc_config *config)
{
	struct tc_block *block = tc_heatmap_find(&tc_engine.map, pfn);
	struct tc_split_engine *split = &tc_split_engine;
	struct tc_split_request request = { .pfn = pfn };
	struct folio *folio = tc_folio_get(pfn);
	struct tc_profile profile;

	if (block && folio && tc_block_whole(block) && folio_order(folio) == TC_BLOCK_ORDER) {
		tc_block_profile(block, split->base.hot, &profile);
		request.owner = block->owner[0];
		request.order = tc_split_order(config->split, &profile);
		if (kfifo_put(&split->requests, request)) {
			split->flight[split->nr_flight++] = (struct tc_split_flight){
				.pfn = pfn,
				.region = tc_folio_region(folio, 0),
			};
			atomic_inc(&split->pending);
		}
	}
	if (folio)
		folio_put(folio);
}

/* The search is through: returns true when there is something to split. */
static bool tc_split_choose(const struct tc_config *config)
{
	struct tc_split_engine *split = &tc_split_engine;
	u32 i;

	split->wanted = tc_split_count(&split->last, split->huge, config->fast_latency_ns,
				       config->slow_latency_ns);
	tc_skewed_trim(&split->list, min_t(u64, split->wanted, TC_SKEWED_MAX));
	split->nr_flight = 0;
	split->split_in_round = 0;
	for (i = 0; i < split->list.nr; i++)
		tc_split_ask(split->list.entry[i].at, config);
	if (split->nr_flight)
		wake_up(&split->wait);
	return split->nr_flight;
}

/* Returns true when the window is over and splits are wanted. */
static bool tc_split_watch(const struct tc_config *config, bool allowed)
{
	struct tc_split_engine *split = &tc_split_engine;
	bool due;

	if (split->window.all < tc_engine.intervals.adaptation ||
	    split->window.all <
		    tc_split_samples(tc_covered_pages(), tc_engine.intervals.adaptation))
		return false;
	split->last = split->window;
	split->window = (struct tc_window){};
	split->windows++;
	due = tc_split_due(&split->pace, &split->last, config->split_gap_bp);
	/* Without a sample of fast memory the hit ratio is not known, see tc_gate_adapted(). */
	return due && allowed && (split->last.fast || !tc_sampler_does());
}

/* All requests are answered. */
static void tc_split_finish(void)
{
	struct tc_split_engine *split = &tc_split_engine;

	if (split->split_in_round)
		tc_split_began(&split->pace, &split->last);
	split->window = (struct tc_window){};
	split->phase = TC_SPLIT_WATCH;
}

static void tc_watch_splitter(void)
{
	unsigned long since = READ_ONCE(tc_split_engine.busy_since);

	if (since && time_after(jiffies, since + TC_SPLIT_STALL))
		tc_engine_fall_back("the thread that splits huge pages has been stuck with one");
}

bool tc_split_run(const struct tc_config *config, enum tc_mode mode)
{
	struct tc_split_engine *split = &tc_split_engine;
	bool allowed = tc_mode_decides(mode) && config->split == TC_SPLIT_MEMTIS &&
		       tc_split_available() && tc_sampler_sees_parts();

	switch (split->phase) {
	case TC_SPLIT_WATCH:
		if (!tc_split_watch(config, allowed))
			break;
		split->huge = 0;
		split->list.nr = 0;
		split->search_pfn = 0;
		split->phase = TC_SPLIT_SEARCH;
		return true;
	case TC_SPLIT_SEARCH:
		if (!allowed)
			split->phase = TC_SPLIT_WATCH;
		else if (tc_search(config))
			split->phase = tc_split_choose(config) ? TC_SPLIT_WORK : TC_SPLIT_WATCH;
		return split->phase == TC_SPLIT_SEARCH;
	case TC_SPLIT_WORK:
		tc_watch_splitter();
		/* Pairs with the release of tc_split's last answer, which was posted before. */
		if (!atomic_read_acquire(&split->pending))
			split->phase = TC_SPLIT_LAST;
		break;
	case TC_SPLIT_LAST:
		tc_split_finish();
		break;
	}
	return false;
}

/*
 * Puts a piece on the queue that its own heat asks for. One without any waits for the demotion cursor:
 * its accessed bit is the huge page's until it is cleared here.
 */
static void tc_split_place(struct tc_node *node, struct tc_block *block, struct folio *folio)
{
	unsigned int head = folio_pfn(folio) & (TC_BLOCK_PAGES - 1);
	unsigned int bin = tc_block_bin(block, &tc_engine.map.heat, head);
	enum tc_temperature temperature = tc_temperature(bin);
	struct tc_queue *queue = &node->queue;

	if (tc_block_queued(block, head) || tc_block_refused(block, head))
		return;
	/* Where touches decide, the next one of a piece says where it belongs, or the cursor. */
	if (tc_touch_decides() || node->fast != (temperature == TC_COLD))
		return;
	if (!bin) {
		tc_young_look(folio, TC_YOUNG_FOLIO);
		return;
	}
	if (!node->fast && temperature != TC_HOT)
		queue = &node->warm;
	if (node->target != NUMA_NO_NODE &&
	    tc_queue_add(queue, folio, bin, 0, tc_engine.map.heat.epoch))
		tc_block_set_queued(block, head);
}

static void tc_split_place_pieces(struct tc_block *block, unsigned long pfn)
{
	struct folio *folio;
	struct tc_node *node = NULL;
	unsigned int order;
	int head;

	tc_block_for_each_folio(block, head, order) {
		folio = tc_folio_get(pfn + head);
		if (!folio)
			continue;
		node = tc_node(folio_nid(folio));
		if (node && folio_order(folio) == order && folio_pfn(folio) == pfn + head)
			tc_split_place(node, block, folio);
		folio_put(folio);
	}
	if (node)
		tc_node_kick(node);
}

static u64 tc_flight_region(unsigned long pfn)
{
	const struct tc_split_engine *split = &tc_split_engine;
	unsigned int i;

	for (i = 0; i < split->nr_flight; i++)
		if (split->flight[i].pfn == pfn)
			return split->flight[i].region;
	return 0;
}

void tc_split_result(const struct tc_result *result)
{
	struct tc_block *block = tc_heatmap_find(&tc_engine.map, result->from);
	struct tc_heatmap *map = &tc_engine.map;

	if (result->taken) {
		tc_split_engine.split_in_round++;
		tc_split_region_add(&map->split_regions, tc_flight_region(result->from),
				    ktime_get_seconds());
	}
	if (!block)
		return;
	if (result->refused)
		tc_heatmap_set_unsplittable(block);
	if (!result->taken)
		return;
	tc_heatmap_split(map, result->from, result->order);
	tc_split_place_pieces(block, result->from);
}
