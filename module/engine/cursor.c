// SPDX-License-Identifier: GPL-2.0
/*
 * The demotion cursor: walks over a fast node, page frame by page frame, while pages should leave
 * it. Sees every page, also those that were never sampled. Runs in ksampled and moves nothing.
 */
#include <linux/jiffies.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/sched/clock.h>

#include "../track/folio.h"
#include "../track/sampler.h"
#include "../track/young.h"
#include "engine.h"
#include "gate.h"
#include "headroom.h"
#include "touch.h"

/* Time that one round may take, looked at every so many steps. */
#define TC_CURSOR_NS NSEC_PER_MSEC
#define TC_CURSOR_STEPS 32

/*
 * A pass must give pages the chance to be sampled: so many adaptations (a fifth of a cooling
 * interval, for which a page gets 0.4 samples on average on a small machine), or, where few samples
 * come, this long.
 */
#define TC_PASS_ADAPTATIONS 4
#define TC_PASS_MIN (30 * HZ)

/* Folios of this node that have been moved, or advised to be. A racy look is good enough here. */
static u64 tc_moved(const struct tc_node *node)
{
	const u64 *outcome = node->account.tally.outcome;

	return READ_ONCE(outcome[TC_OUTCOME_MOVED]) + READ_ONCE(outcome[TC_OUTCOME_ADVISED]);
}

/*
 * May a new pass begin? Otherwise a page would be seen twice within one breath and look unused.
 * Time alone does not make a page cold: without samples every page would. When the last pass found
 * nothing and there is head-room, there is no hurry: a cooling may make something cold.
 */
static bool tc_pass_due(const struct tc_cursor *cursor, bool urgent)
{
	if (!cursor->pass)
		return true;
	if (cursor->barren && !urgent)
		return tc_engine.coolings > cursor->coolings;
	if (tc_engine.adaptations - cursor->adaptations >= TC_PASS_ADAPTATIONS)
		return true;
	return time_after(jiffies, cursor->since + TC_PASS_MIN) &&
	       tc_engine.counts.accounted > cursor->samples;
}

/* What the pass that ends has found is what the next one goes by. */
static void tc_pass_turn_ranks(struct tc_cursor *cursor, bool moved)
{
	cursor->found = cursor->seen;
	/* That new pages are unused was counted on before, and nothing came of it. */
	cursor->count_fresh = cursor->pass <= 1 || moved;
	cursor->seen =
		(struct tc_recency){ .step = tc_engine.map.heat.step, .known = tc_touch_decides() };
}

static void tc_pass_begin(struct tc_node *node)
{
	struct tc_cursor *cursor = &node->cursor;

	cursor->barren = cursor->pass && tc_moved(node) == cursor->moved_before &&
			 cursor->fresh < cursor->scanned / 8;
	tc_pass_turn_ranks(cursor, tc_moved(node) != cursor->moved_before);
	cursor->pass++;
	cursor->next = NODE_DATA(node->nid)->node_start_pfn;
	cursor->since = jiffies;
	cursor->adaptations = tc_engine.adaptations;
	cursor->coolings = tc_engine.coolings;
	cursor->samples = tc_engine.counts.accounted;
	cursor->moved_before = tc_moved(node);
	cursor->scanned = 0;
	cursor->fresh = 0;
	cursor->unevictable = 0;
}

/**
 * struct tc_demotions - what one run of a cursor looks for
 * @need: 4 KiB pages that should leave the node for what is in this bin or above; at TC_BINS those for
 *	the head-room alone
 * @queued: 4 KiB pages that are queued for that
 * @beyond: of these, for promotions and not for the head-room
 */
struct tc_demotions {
	unsigned long need[TC_BINS + 1];
	unsigned long queued;
	unsigned long beyond;
};

static void tc_demotions_begin(struct tc_demotions *demotions, const struct tc_node *node,
			       const struct tc_config *config)
{
	unsigned long headroom;

	tc_demotion_needs(node, config, demotions->need);
	headroom = demotions->need[TC_BINS];
	demotions->queued = tc_queue_pages(&node->queue);
	demotions->beyond = demotions->queued - min(demotions->queued, headroom);
}

/*
 * Is this folio, which a pass has seen before, cold enough to leave? For the head-room, what is cold; for
 * promotions, what is colder by a margin than enough of those that wait, be it warm.
 */
static bool tc_demotable(const struct tc_cursor *cursor, const struct tc_demotions *demotions,
			 unsigned int bin, unsigned int order)
{
	unsigned int above = min(bin + tc_gate_margin_now(bin, order), TC_BINS);
	enum tc_temperature temperature = tc_temperature(bin);

	if (temperature == TC_HOT)
		return false;
	if (temperature == TC_COLD || cursor->take_warm)
		return demotions->queued < demotions->need[bin ? above : 0];
	return demotions->beyond < demotions->need[above] - demotions->need[TC_BINS];
}

/*
 * Samples do not see every page that is used: one without any heat has to be found unused as well. Its
 * accessed bits are cleared by the look of the pass before, so that they tell of the time since. In
 * doubt it stays for this pass. A source that sees mapped memory only knows nothing of page cache that is
 * read by system calls: what the kernel found read again stays too. When all that is left is warm or in use, and head-room is needed,
 * heat alone decides: something has to leave.
 */
static bool tc_cursor_unused(struct tc_cursor *cursor, struct folio *folio)
{
	enum tc_young answer = tc_young_look(folio, TC_YOUNG_FOLIO);

	cursor->looks++;
	switch (answer) {
	case TC_YOUNG_YES:
		cursor->young++;
		return cursor->take_used;
	case TC_YOUNG_UNSURE:
		cursor->unsure++;
		return cursor->take_used;
	case TC_YOUNG_UNSEEN:
		return !tc_sampler_does() || !tc_folio_read_again(folio) || cursor->take_used;
	default:
		return true;
	}
}

/*
 * The same by recency. Where no touch counts any more, the accessed bits are asked too, in each pass, so that they tell
 * of the time since the one before.
 */
static bool tc_demotable_by_touch(struct tc_cursor *cursor, struct folio *folio, unsigned int rank)
{
	if (rank < TC_RANK_IN_USE && !tc_cursor_unused(cursor, folio))
		rank = TC_RANK_IN_USE;
	if (rank <= cursor->take_rank)
		return true;
	cursor->seen.pages[rank] += folio_nr_pages(folio);
	return false;
}

static bool tc_cursor_wants(struct tc_cursor *cursor, const struct tc_demotions *demotions,
			    struct folio *folio, unsigned int bin, unsigned int left)
{
	if (tc_touch_decides())
		return tc_demotable_by_touch(cursor, folio, tc_rank(left, bin));
	return tc_demotable(cursor, demotions, bin, folio_order(folio)) &&
	       (bin || tc_cursor_unused(cursor, folio));
}

/* Queues the folio if it should leave. */
static void tc_cursor_folio(struct tc_node *node, struct folio *folio,
			    struct tc_demotions *demotions)
{
	unsigned long pfn = folio_pfn(folio);
	unsigned int head = pfn & (TC_BLOCK_PAGES - 1), order = folio_order(folio), bin, left;
	struct tc_cursor *cursor = &node->cursor;
	struct tc_block *block;

	if (!folio_test_lru(folio) || order > TC_BLOCK_ORDER)
		return;
	if (folio_test_unevictable(folio) || folio_test_mlocked(folio)) {
		cursor->unevictable++;
		return;
	}
	block = tc_heatmap_scan(&tc_engine.map, pfn);
	if (!block)
		return;
	cursor->scanned++;
	if (!tc_block_see(block, &tc_engine.map.heat, head, order, tc_folio_owner(folio))) {
		cursor->fresh++;
		cursor->seen.fresh += folio_nr_pages(folio);
		if (order == TC_BLOCK_ORDER)
			tc_heatmap_rebind(&tc_engine.map, block, folio);
		tc_young_look(folio, TC_YOUNG_FOLIO);
		return;
	}
	bin = tc_block_bin(block, &tc_engine.map.heat, head);
	left = tc_touch_left(&block->touch, tc_engine.map.heat.step, head, order);
	if (tc_block_queued(block, head) || tc_block_refused(block, head) ||
	    !tc_cursor_wants(cursor, demotions, folio, bin, left))
		return;
	if (!tc_queue_add(&node->queue, folio, bin, left, tc_engine.map.heat.epoch))
		return;
	tc_block_set_queued(block, head);
	demotions->queued += 1UL << order;
	if (tc_temperature(bin) == TC_WARM && !cursor->take_warm)
		demotions->beyond += 1UL << order;
}

/* Looks at the folio of @pfn; returns the page frame behind it. */
static unsigned long tc_cursor_step(struct tc_node *node, unsigned long pfn,
				    struct tc_demotions *demotions)
{
	struct page *page = tc_offline_going(pfn) ? NULL : pfn_to_online_page(pfn);
	unsigned long next = pfn + 1;
	struct folio *folio;

	if (!page)
		return ALIGN(next, PAGES_PER_SUBSECTION);
	/* Free and kernel pages are the many: do not touch their reference counts. */
	if (PageBuddy(page))
		return tc_behind_free(page, pfn);
	if (!PageLRU(page) || page_to_nid(page) != node->nid)
		return next;
	folio = tc_folio_get(pfn);
	if (!folio)
		return next;
	tc_cursor_folio(node, folio, demotions);
	next = folio_pfn(folio) + folio_nr_pages(folio);
	folio_put(folio);
	return max(next, pfn + 1);
}

/* Walks until enough is queued, the queue is full, the node ends or the time is over. */
static void tc_cursor_walk(struct tc_node *node, struct tc_demotions *demotions)
{
	unsigned long pfn = node->cursor.next, end = pgdat_end_pfn(NODE_DATA(node->nid));
	u64 deadline = local_clock() + TC_CURSOR_NS;
	unsigned int steps = 0;

	while (pfn < end && demotions->queued < demotions->need[0] &&
	       !tc_queue_full(&node->queue)) {
		pfn = tc_cursor_step(node, pfn, demotions);
		if (!(++steps % TC_CURSOR_STEPS) && local_clock() > deadline)
			break;
	}
	node->cursor.next = pfn < end ? pfn : 0;
}

/* Up to which rank folios leave, for as many pages as lack now. */
static void tc_cursor_take_ranks(struct tc_cursor *cursor, const struct tc_demotions *demotions)
{
	u64 lack = demotions->need[0] - demotions->queued;

	cursor->take_rank = tc_recency_limit(&cursor->found, tc_engine.map.heat.step, lack,
					     cursor->count_fresh);
	/* What is in use has a rank of its own. */
	cursor->take_used = false;
}

void tc_cursor_forget_ranks(struct tc_node *node)
{
	struct tc_cursor *cursor = &node->cursor;

	cursor->next = 0;
	cursor->seen = (struct tc_recency){};
	cursor->found = (struct tc_recency){};
}

bool tc_cursor_run(struct tc_node *node, const struct tc_config *config)
{
	struct tc_demotions demotions;
	struct tc_cursor *cursor = &node->cursor;
	bool urgent;

	tc_demotions_begin(&demotions, node, config);
	urgent = demotions.need[TC_BINS] > demotions.queued;
	/* Warm folios leave for head-room, when nothing is cold or when memory is wanted again and again. */
	cursor->take_used = urgent && cursor->barren;
	cursor->take_warm = cursor->take_used || (urgent && node->pressure.reserve);
	if (demotions.queued >= demotions.need[0] || !tc_engine.adaptations)
		return false;
	if (!cursor->next) {
		if (!tc_pass_due(cursor, urgent))
			return false;
		tc_pass_begin(node);
	}
	if (tc_touch_decides())
		tc_cursor_take_ranks(cursor, &demotions);
	tc_cursor_walk(node, &demotions);
	if (tc_queue_pages(&node->queue))
		tc_node_kick(node);
	return true;
}
