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
#include <thermocline/trace.h>

#include "../kernel/symbols.h"
#include "../track/folio.h"
#include "filter.h"
#include "mover.h"
#include "wishes.h"

/*
 * The target or nothing: no other node, no reclaim, no reserves, no message. How far the target may
 * be filled is the caller's to say, the allocator alone would go down to its min watermark.
 */
#define TC_TARGET_GFP                                                                              \
	((GFP_HIGHUSER_MOVABLE & ~__GFP_RECLAIM) | __GFP_THISNODE | __GFP_NOWARN | __GFP_NORETRY | \
	 __GFP_NOMEMALLOC)

void tc_mover_begin(struct tc_mover *mover, int target, bool dry_run)
{
	INIT_LIST_HEAD(&mover->folios);
	mover->target = target;
	mover->dry_run = dry_run;
	mover->own = false;
	mover->pages = 0;
	mover->isolated = 0;
	mover->isolated_pages = 0;
	mover->nr_moves = 0;
	mover->no_memory = false;
	mover->memo = (struct tc_wishes_memo){};
	memset(&mover->tally, 0, sizeof(mover->tally));
}

void tc_mover_refuse(struct tc_mover *mover, const struct tc_candidate *candidate, int source,
		     enum tc_outcome why)
{
	trace_tc_decision(candidate->pfn, candidate->order, source, mover->target, why);
	mover->tally.tried++;
	mover->tally.outcome[why]++;
}

/* Is it still what was found to be hot or cold? */
static bool tc_is_candidate(struct folio *folio, const struct tc_candidate *candidate)
{
	return folio_pfn(folio) == candidate->pfn && folio_order(folio) == candidate->order &&
	       (!candidate->owner || tc_folio_owner(folio) == candidate->owner);
}

static bool tc_isolate(struct tc_mover *mover, struct folio *folio,
		       const struct tc_candidate *candidate, int source, enum tc_outcome *why)
{
	if (!tc_is_candidate(folio, candidate)) {
		*why = TC_OUTCOME_CHANGED;
		return false;
	}
	if (folio_nid(folio) != source) {
		*why = TC_OUTCOME_PLACED;
		return false;
	}
	if (!tc_movable(folio, why))
		return false;
	if (!mover->own && !tc_wishes_allow(folio, mover->target, &mover->memo, why))
		return false;
	*why = TC_OUTCOME_ADVISED;
	if (mover->dry_run)
		return false;
	*why = TC_OUTCOME_ISOLATED;
	return static_call(tc_isolate_folio_to_list)(folio, &mover->folios);
}

bool tc_outcome_lasts(enum tc_outcome why)
{
	switch (why) {
	case TC_OUTCOME_GONE:
	case TC_OUTCOME_CHANGED:
	case TC_OUTCOME_PLACED:
	case TC_OUTCOME_WRITEBACK:
	case TC_OUTCOME_REFERENCED:
	case TC_OUTCOME_CONTENDED:
	case TC_OUTCOME_ISOLATED:
		return false;
	default:
		return true;
	}
}

bool tc_mover_take(struct tc_mover *mover, const struct tc_candidate *candidate, int source,
		   bool *lasting)
{
	struct folio *folio = tc_folio_get(candidate->pfn);
	unsigned int pages = 1U << candidate->order;
	enum tc_outcome why = TC_OUTCOME_GONE;
	bool taken;

	taken = folio && tc_isolate(mover, folio, candidate, source, &why);
	if (folio)
		folio_put(folio);
	if (taken || why == TC_OUTCOME_ADVISED)
		mover->pages += pages;
	if (!taken) {
		tc_mover_refuse(mover, candidate, source, why);
		*lasting = tc_outcome_lasts(why);
		return false;
	}
	trace_tc_decision(candidate->pfn, candidate->order, source, mover->target,
			  TC_OUTCOME_MOVED);
	mover->tally.tried++;
	mover->isolated++;
	mover->isolated_pages += pages;
	return true;
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
		mover->failed_order = order;
		return NULL;
	}
	mover->moves[mover->nr_moves++] = (struct tc_move){
		.from = folio_pfn(source),
		.to = folio_pfn(folio),
		.order = order,
		.owner = tc_folio_owner(source),
	};
	return folio;
}

/* The source could not be moved after all: forget the pair. It is likely one of the last. */
static void tc_target_free(struct folio *folio, unsigned long private)
{
	struct tc_mover *mover = (struct tc_mover *)private;
	unsigned int i = mover->nr_moves;

	while (i--) {
		if (mover->moves[i].to == folio_pfn(folio)) {
			mover->moves[i] = mover->moves[--mover->nr_moves];
			break;
		}
	}
	folio_put(folio);
}

/* Folios and their pages that are on a list. */
struct tc_left {
	unsigned int folios;
	unsigned int pages;
};

static struct tc_left tc_count_list(const struct list_head *list)
{
	struct tc_left left = {};
	struct folio *folio;

	list_for_each_entry(folio, list, lru) {
		left.folios++;
		left.pages += folio_nr_pages(folio);
	}
	return left;
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

static void tc_account_moved(struct tc_mover *mover, const struct tc_left *busy,
			     const struct tc_left *no_memory, unsigned int kernel_pages)
{
	struct tc_tally *tally = &mover->tally;
	unsigned int i;

	for (i = 0; i < mover->nr_moves; i++)
		tally->moved_pages += 1U << mover->moves[i].order;
	tally->outcome[TC_OUTCOME_BUSY] += busy->folios;
	tally->outcome[TC_OUTCOME_NO_MEMORY] += no_memory->folios;
	tally->outcome[TC_OUTCOME_MOVED] += mover->nr_moves;
	/* Neither moved nor left: the owner freed it, and the kernel dropped the last reference. */
	tally->outcome[TC_OUTCOME_FREED] +=
		mover->isolated - busy->folios - no_memory->folios - mover->nr_moves;
	tally->freed_pages +=
		mover->isolated_pages - busy->pages - no_memory->pages - tally->moved_pages;
	if (tally->moved_pages + tally->freed_pages != kernel_pages)
		tally->mismatches++;
}

/*
 * MIGRATE_ASYNC waits for nothing: what is busy now is tried again when it is a candidate again.
 * The reason MR_NUMA_MISPLACED is the one for which the kernel does not split a large folio that
 * the target has no memory for.
 */
static unsigned int tc_migrate_list(struct tc_mover *mover)
{
	unsigned int succeeded = 0;

	static_call(tc_migrate_pages)(&mover->folios, tc_target_alloc, tc_target_free,
				      (unsigned long)mover, MIGRATE_ASYNC, MR_NUMA_MISPLACED,
				      &succeeded);
	return succeeded;
}

/* Takes the folios that are as large as the one that found no memory, or larger, off the batch. */
static void tc_set_aside(struct tc_mover *mover, struct list_head *aside)
{
	struct folio *folio, *next;

	list_for_each_entry_safe(folio, next, &mover->folios, lru)
		if (folio_order(folio) >= mover->failed_order)
			list_move(&folio->lru, aside);
	mover->no_memory = false;
}

/*
 * The kernel ends a batch at the first folio that the target has no memory for. The smaller ones may
 * still find room, so they go again without it: at most once for every order.
 */
static void tc_migrate(struct tc_mover *mover)
{
	struct tc_left busy, no_memory;
	unsigned int succeeded;
	LIST_HEAD(aside);

	succeeded = tc_migrate_list(mover);
	while (mover->no_memory) {
		tc_set_aside(mover, &aside);
		if (mover->failed_order && !list_empty(&mover->folios))
			succeeded += tc_migrate_list(mover);
	}
	busy = tc_count_list(&mover->folios);
	no_memory = tc_count_list(&aside);
	list_splice(&aside, &mover->folios);
	if (!list_empty(&mover->folios))
		static_call(tc_putback_movable_pages)(&mover->folios);
	mover->no_memory = no_memory.folios;
	tc_account_split(mover, busy.folios + no_memory.folios);
	tc_account_moved(mover, &busy, &no_memory, succeeded);
}

void tc_mover_finish(struct tc_mover *mover, struct tc_account *account)
{
	if (mover->isolated)
		tc_migrate(mover);
	trace_tc_batch(mover->target, &mover->tally);
	tc_account_add(account, &mover->tally);
}
