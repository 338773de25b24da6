// SPDX-License-Identifier: GPL-2.0
/*
 * The mover of mover.h, over migrate_pages(). Each folio taken off the LRU is accounted as
 * isolated by the kernel's own isolate_folio_to_list() and leaves through migrate_pages() or
 * putback_movable_pages(), which undo that.
 */
#include <linux/gfp.h>
#include <linux/migrate.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "../kernel/symbols.h"
#include "../track/folio.h"
#include "filter.h"
#include "mover.h"

/*
 * The target or nothing: no other node, no reclaim, no reserves, no message. How far the target may
 * be filled is the caller's to say, the allocator alone would go down to its min watermark.
 */
#define TC_TARGET_GFP                                                                              \
	((GFP_HIGHUSER_MOVABLE & ~__GFP_RECLAIM) | __GFP_THISNODE | __GFP_NOWARN | __GFP_NORETRY | \
	 __GFP_NOMEMALLOC)

void tc_mover_begin(struct tc_mover *mover, int target)
{
	INIT_LIST_HEAD(&mover->folios);
	mover->target = target;
	mover->isolated = 0;
	mover->isolated_pages = 0;
	mover->nr_moves = 0;
	mover->undone = 0;
	mover->no_memory = false;
	memset(&mover->tally, 0, sizeof(mover->tally));
}

void tc_mover_refuse(struct tc_mover *mover, enum tc_outcome why)
{
	mover->tally.tried++;
	mover->tally.outcome[why]++;
}

static bool tc_isolate(struct tc_mover *mover, struct folio *folio, unsigned long pfn,
		       unsigned int order, int source, enum tc_outcome *why)
{
	if (folio_pfn(folio) != pfn || folio_order(folio) != order) {
		*why = TC_OUTCOME_CHANGED;
		return false;
	}
	if (folio_nid(folio) != source) {
		*why = TC_OUTCOME_PLACED;
		return false;
	}
	if (!tc_movable(folio, why))
		return false;
	*why = TC_OUTCOME_ISOLATED;
	return static_call(tc_isolate_folio_to_list)(folio, &mover->folios);
}

void tc_mover_take(struct tc_mover *mover, unsigned long pfn, unsigned int order, int source)
{
	struct folio *folio = tc_folio_get(pfn);
	enum tc_outcome why = TC_OUTCOME_GONE;

	if (folio && tc_isolate(mover, folio, pfn, order, source, &why)) {
		mover->tally.tried++;
		mover->isolated++;
		mover->isolated_pages += 1U << order;
	} else {
		tc_mover_refuse(mover, why);
	}
	if (folio)
		folio_put(folio);
}

static struct folio *tc_target_alloc(struct folio *source, unsigned long private)
{
	struct tc_mover *mover = (struct tc_mover *)private;
	unsigned int order = folio_order(source);
	struct folio *folio = NULL;

	if (mover->nr_moves < TC_BATCH_PAGES)
		folio = __folio_alloc_node(TC_TARGET_GFP, order, mover->target);
	if (!folio) {
		mover->no_memory = true;
		return NULL;
	}
	mover->moves[mover->nr_moves++] = (struct tc_move){
		.from = folio_pfn(source),
		.to = folio_pfn(folio),
		.order = order,
	};
	return folio;
}

/* The source could not be moved after all: forget the pair. The last ones are the likely ones. */
static void tc_target_free(struct folio *folio, unsigned long private)
{
	struct tc_mover *mover = (struct tc_mover *)private;
	unsigned int i = mover->nr_moves;

	while (i--) {
		if (mover->moves[i].to == folio_pfn(folio)) {
			mover->moves[i] = mover->moves[--mover->nr_moves];
			mover->undone++;
			break;
		}
	}
	folio_put(folio);
}

/*
 * The kernel does not say per folio why one stays. Those it asked memory for and gave it back were
 * busy; when memory ran out the batch ended there, and the rest was not tried further.
 */
static void tc_account_left(struct tc_mover *mover, unsigned int left)
{
	unsigned int busy = left;

	if (mover->no_memory)
		busy = min(left, mover->undone);
	mover->tally.outcome[TC_OUTCOME_BUSY] += busy;
	mover->tally.outcome[TC_OUTCOME_NO_MEMORY] += left - busy;
}

/*
 * A folio that became partially mapped after the filter is split by migrate_pages(), and its pieces
 * are moved or left on their own: they are folios tried like any other.
 */
static void tc_account_split(struct tc_mover *mover, unsigned int left)
{
	unsigned int folios = left + mover->nr_moves;

	if (folios <= mover->isolated)
		return;
	mover->tally.tried += folios - mover->isolated;
	mover->isolated = folios;
}

static void tc_account_moved(struct tc_mover *mover, unsigned int left, unsigned int left_pages,
			     unsigned int kernel_pages)
{
	struct tc_tally *tally = &mover->tally;
	unsigned int i;

	for (i = 0; i < mover->nr_moves; i++)
		tally->moved_pages += 1U << mover->moves[i].order;
	tally->outcome[TC_OUTCOME_MOVED] += mover->nr_moves;
	/* Neither moved nor left: the owner freed it, and the kernel dropped the last reference. */
	tally->outcome[TC_OUTCOME_FREED] += mover->isolated - left - mover->nr_moves;
	tally->freed_pages += mover->isolated_pages - left_pages - tally->moved_pages;
	if (tally->moved_pages + tally->freed_pages != kernel_pages)
		tally->mismatches++;
}

/*
 * MIGRATE_ASYNC waits for nothing: what is busy now is tried again when it is a candidate again.
 * The reason MR_NUMA_MISPLACED is the one for which the kernel does not split a large folio that
 * the target has no memory for.
 */
static void tc_migrate(struct tc_mover *mover)
{
	unsigned int left = 0, left_pages = 0, succeeded = 0;
	struct folio *folio;

	static_call(tc_migrate_pages)(&mover->folios, tc_target_alloc, tc_target_free,
				      (unsigned long)mover, MIGRATE_ASYNC, MR_NUMA_MISPLACED,
				      &succeeded);
	list_for_each_entry(folio, &mover->folios, lru) {
		left++;
		left_pages += folio_nr_pages(folio);
	}
	if (left)
		static_call(tc_putback_movable_pages)(&mover->folios);
	tc_account_split(mover, left);
	tc_account_left(mover, left);
	tc_account_moved(mover, left, left_pages, succeeded);
}

void tc_mover_finish(struct tc_mover *mover, struct tc_account *account)
{
	if (mover->isolated)
		tc_migrate(mover);
	tc_account_add(account, &mover->tally);
}
