// SPDX-License-Identifier: GPL-2.0
/*
 * The sums of headroom.h, over the kernel's counters.
 */
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "../kernel/memory.h"
#include "balance.h"
#include "engine.h"
#include "gate.h"
#include "headroom.h"

/* Promotions in waiting that demotion makes room for at once: four batches. */
#define TC_WANTED_MAX 2048UL

/* Time between two looks at what is free. */
#define TC_PRESSURE_TICK (HZ / 4)

/* Nobody looked for so long: what free memory did meanwhile is neither a burst nor a fall. */
#define TC_PRESSURE_GAP (4 * HZ)

/* A batch in hand has taken from what is free, or given, what is counted at its end; one for each direction. */
#define TC_FALL_LEAST (2 * TC_BATCH_PAGES)

/* More than ever was demoted: what is free, less that, stays positive. */
#define TC_PRESSURE_BASE (1ULL << 60)

static unsigned long tc_above(unsigned long have, unsigned long keep)
{
	return have > keep ? have - keep : 0;
}

static unsigned long tc_headroom(const struct tc_node *node, const struct tc_config *config)
{
	unsigned int bp = config->demote_watermark_bp + tc_balance_reserve_bp(config);
	unsigned long share = tc_node_managed(node->nid) * bp / 10000;

	return max(share, tc_node_high_watermark(node->nid));
}

unsigned long tc_keep_free(const struct tc_node *node, const struct tc_config *config)
{
	return tc_headroom(node, config) + READ_ONCE(node->pressure.reserve);
}

/* What would be free if tiering had moved nothing to or from the node, and some constant. */
static u64 tc_untouched_free(const struct tc_node *node)
{
	u64 pages = tc_node_free(node->nid) - READ_ONCE(node->account.tally.moved_pages);
	struct tc_node *from;

	tc_for_each_known_node(from)
		if (from->target == node->nid)
			pages += READ_ONCE(from->account.tally.moved_pages);
	return pages + TC_PRESSURE_BASE;
}

static void tc_watch_node(struct tc_node *node)
{
	u64 free, most;

	if (time_before(jiffies, node->pressed_at + TC_PRESSURE_TICK))
		return;
	if (time_after(jiffies, node->pressed_at + TC_PRESSURE_GAP)) {
		node->pressure.known = false;
		node->trend = (struct tc_trend){};
	}
	node->pressed_at = jiffies;
	free = tc_untouched_free(node);
	most = (tc_node_free(node->nid) + tc_node_lru(node->nid)) / 4;
	tc_pressure_tick(&node->pressure, free, most);
	tc_trend_tick(&node->trend, free, TC_FALL_LEAST, most);
}

void tc_watch_allocations(void)
{
	struct tc_node *node;

	tc_for_each_node(node)
		if (node->fast && node->target != NUMA_NO_NODE)
			tc_watch_node(node);
}

unsigned long tc_ahead(const struct tc_node *node, const struct tc_config *config)
{
	return config->policy == TC_POLICY_TPP && config->trend ? READ_ONCE(node->trend.ahead) : 0;
}

/*
 * What demotion makes: the head-room, and what a fall of free memory would soon take of it. A reserve for bursts is for
 * this one too.
 */
static unsigned long tc_demote_to(const struct tc_node *node, const struct tc_config *config)
{
	return tc_headroom(node, config) +
	       max_t(u64, READ_ONCE(node->pressure.reserve), tc_ahead(node, config));
}

/* Free pages of a node; in mode advise as if what was advised had been done. */
static unsigned long tc_free(const struct tc_node *node, const struct tc_config *config)
{
	long pages = tc_node_free(node->nid);

	if (config->mode == TC_MODE_ADVISE)
		pages += atomic_long_read(&node->advised);
	return max(pages, 0L);
}

static bool tc_slow_has_room(int nid, const struct tc_config *config)
{
	const struct tc_node *node = tc_node(nid);

	return node && tc_free(node, config) > tc_node_high_watermark(nid);
}

/* The nearest slow node with room, NUMA_NO_NODE when all are full. */
static int tc_next_tier(const struct tc_node *from, const struct tc_config *config)
{
	int best = NUMA_NO_NODE;
	struct tc_node *node;

	tc_for_each_node(node) {
		if (node->fast || !tc_slow_has_room(node->nid, config))
			continue;
		if (best == NUMA_NO_NODE ||
		    node_distance(from->nid, node->nid) < node_distance(from->nid, best))
			best = node->nid;
	}
	return best;
}

int tc_batch_target(const struct tc_node *node, const struct tc_config *config)
{
	int target = READ_ONCE(node->target), next;

	if (!node->fast || target == NUMA_NO_NODE || tc_slow_has_room(target, config))
		return target;
	next = tc_next_tier(node, config);
	return next == NUMA_NO_NODE ? target : next;
}

/* Does demotion find what may leave, and is there a place for it? */
static bool tc_demotion_follows(const struct tc_node *node, const struct tc_config *config)
{
	return READ_ONCE(node->cursor.pass) > 1 && !READ_ONCE(node->cursor.barren) &&
	       tc_slow_has_room(tc_batch_target(node, config), config);
}

/*
 * May promotions take the head-room? Only while demotion follows: a program that is bound to the node and finds
 * nothing free ends with the kernel's OOM killer.
 */
static bool tc_may_squeeze(const struct tc_node *node, const struct tc_config *config)
{
	return config->policy == TC_POLICY_TPP && tc_demotion_follows(node, config);
}

/* What moves to a node leave free. */
static unsigned long tc_leave_free(const struct tc_node *node, const struct tc_config *config)
{
	if (!node->fast)
		return tc_node_high_watermark(node->nid);
	if (tc_may_squeeze(node, config))
		return tc_node_min_watermark(node->nid);
	return tc_keep_free(node, config);
}

unsigned long tc_room(int nid, const struct tc_config *config)
{
	struct tc_node *node = tc_node(nid);

	if (!node || (node->fast && tc_balance_stops(config)))
		return 0;
	return tc_above(tc_free(node, config), tc_leave_free(node, config));
}

/* Adds the promotions to @node that wait, by bin, of one node at most as many as it can soon make. */
static void tc_add_waiting(const struct tc_node *from, unsigned long *pages)
{
	u32 epoch = READ_ONCE(tc_engine.map.heat.epoch);
	unsigned long left = TC_WANTED_MAX, waiting;
	int bin;

	for (bin = TC_BINS - 1; bin >= 0 && left; bin--) {
		waiting = min(left, tc_queue_pages_at(&from->queue, bin, epoch) +
					    tc_queue_pages_at(&from->warm, bin, epoch));
		pages[bin] += waiting;
		left -= waiting;
	}
}

void tc_demotion_needs(const struct tc_node *node, const struct tc_config *config,
		       unsigned long *need)
{
	unsigned long left = tc_gate_left(config), keep = tc_demote_to(node, config);
	unsigned long free = tc_free(node, config), wanted = 0;
	bool squeezed = tc_may_squeeze(node, config), stopped = tc_balance_stops(config);
	struct tc_node *from;
	int bin;

	memset(need, 0, (TC_BINS + 1) * sizeof(*need));
	tc_for_each_node(from)
		/* Promotions that take head-room need no more than that it is restored; those that must not be, nothing. */
		if (!squeezed && !stopped && !from->fast && from->target == node->nid)
			tc_add_waiting(from, need);
	for (bin = TC_BINS; bin >= 0; bin--) {
		wanted += need[bin];
		need[bin] = tc_above(keep + min(wanted, left), free);
	}
}

unsigned long tc_demotion_need(const struct tc_node *node, const struct tc_config *config)
{
	unsigned long need[TC_BINS + 1];

	tc_demotion_needs(node, config, need);
	return need[0];
}

unsigned long tc_fast_budget(const struct tc_config *config)
{
	unsigned long pages = 0;
	struct tc_node *node;

	tc_for_each_node(node)
		if (node->fast)
			pages += tc_above(tc_node_free(node->nid) + tc_node_lru(node->nid),
					  tc_keep_free(node, config));
	return pages;
}

unsigned long tc_covered_pages(void)
{
	unsigned long pages = 0;
	struct tc_node *node;

	tc_for_each_node(node)
		pages += tc_node_lru(node->nid);
	return pages;
}
