// SPDX-License-Identifier: GPL-2.0
/*
 * The demotion cursor: walks over a fast node, page frame by page frame, while pages should leave
 * it. Sees every page, also those that were never sampled. Runs in ksampled and moves nothing.
 */
#include <linux/jiffies.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>

#include "../track/folio.h"
#include "engine.h"
#include "headroom.h"

/* Page frames that one round looks at. */
#define TC_CURSOR_PAGES 16384

/*
 * A pass must give pages the chance to be sampled: at least one adaptation interval, or, where few
 * samples come, this long.
 */
#define TC_PASS_MIN (10 * HZ)

/* May a new pass begin? Otherwise a page would be seen twice within one breath, and look unused. */
static bool tc_pass_due(const struct tc_cursor *cursor)
{
	return !cursor->pass || tc_engine.adaptations > cursor->adaptations ||
	       time_after(jiffies, cursor->since + TC_PASS_MIN);
}

/*
 * Warm folios become candidates when a pass found nothing cold although it had seen most folios
 * before; the next pass that need not touch them ends it.
 */
static void tc_pass_begin(struct tc_node *node)
{
	struct tc_cursor *cursor = &node->cursor;

	cursor->take_warm = cursor->pass && !cursor->found && cursor->fresh < cursor->scanned / 8;
	cursor->pass++;
	cursor->next = NODE_DATA(node->nid)->node_start_pfn;
	cursor->since = jiffies;
	cursor->adaptations = tc_engine.adaptations;
	cursor->scanned = 0;
	cursor->fresh = 0;
	cursor->found = 0;
}

/* Is this folio, which a pass has seen before, cold enough to leave? */
static bool tc_demotable(const struct tc_cursor *cursor, const struct tc_block *block,
			 unsigned int head)
{
	unsigned int bin = tc_block_bin(block, &tc_engine.map.heat, head);

	switch (tc_classify(&tc_engine.thresholds, bin)) {
	case TC_COLD:
		return true;
	case TC_WARM:
		return cursor->take_warm;
	default:
		return false;
	}
}

/* Returns the pages that were queued. */
static unsigned long tc_cursor_folio(struct tc_node *node, struct folio *folio)
{
	unsigned long pfn = folio_pfn(folio);
	unsigned int head = pfn & (TC_BLOCK_PAGES - 1), order = folio_order(folio);
	struct tc_cursor *cursor = &node->cursor;
	struct tc_block *block;

	if (!folio_test_lru(folio) || order > TC_BLOCK_ORDER)
		return 0;
	if (folio_test_unevictable(folio) || folio_test_mlocked(folio)) {
		cursor->unevictable++;
		return 0;
	}
	block = tc_heatmap_scan(&tc_engine.map, pfn);
	if (!block)
		return 0;
	cursor->scanned++;
	if (!tc_block_see(block, &tc_engine.map.heat, head, order, tc_folio_owner(folio))) {
		cursor->fresh++;
		return 0;
	}
	if (tc_block_queued(block, head) || !tc_demotable(cursor, block, head) ||
	    !tc_queue_add(&node->queue, pfn, order))
		return 0;
	tc_block_set_queued(block, head);
	cursor->found++;
	return 1UL << order;
}

/* Looks at the folio of @pfn; returns the page frame behind it. */
static unsigned long tc_cursor_step(struct tc_node *node, unsigned long pfn, unsigned long *queued)
{
	struct page *page = pfn_to_online_page(pfn);
	unsigned long next = pfn + 1;
	struct folio *folio;

	if (!page)
		return ALIGN(next, PAGES_PER_SECTION);
	/* Free and kernel pages are the many: do not touch their reference counts. */
	if (!PageLRU(page))
		return next;
	folio = tc_folio_get(pfn);
	if (!folio)
		return next;
	if (folio_nid(folio) == node->nid) {
		*queued += tc_cursor_folio(node, folio);
		next = folio_pfn(folio) + folio_nr_pages(folio);
	}
	folio_put(folio);
	return max(next, pfn + 1);
}

void tc_cursor_run(struct tc_node *node, const struct tc_config *config)
{
	unsigned long end = pgdat_end_pfn(NODE_DATA(node->nid));
	struct tc_cursor *cursor = &node->cursor;
	unsigned long need = tc_demotion_need(node, config);
	unsigned long queued = atomic_long_read(&node->queue.pages);
	unsigned long before = queued, pfn, stop;

	if (queued >= need || !tc_engine.adaptations)
		return;
	if (!cursor->next) {
		if (!tc_pass_due(cursor))
			return;
		tc_pass_begin(node);
	}
	pfn = cursor->next;
	stop = min(pfn + TC_CURSOR_PAGES, end);
	while (pfn < stop && queued < need)
		pfn = tc_cursor_step(node, pfn, &queued);
	cursor->next = pfn < end ? pfn : 0;
	if (queued > before)
		tc_node_kick(node);
}
