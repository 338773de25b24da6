// SPDX-License-Identifier: GPL-2.0
/*
 * The split of split.h, over the kernel's own.
 */
#include <linux/mm.h>
#include <linux/numa.h>
#include <linux/page_ref.h>
#include <linux/pagemap.h>
#include <thermocline/trace.h>

#include "../kernel/split.h"
#include "../policy/granularity.h"
#include "../track/folio.h"
#include "filter.h"
#include "mover.h"
#include "split.h"

/* Is it still what was found to be skewed? */
static bool tc_is_request(struct folio *folio, const struct tc_split_request *request)
{
	return folio_pfn(folio) == request->pfn && folio_order(folio) == TC_BLOCK_ORDER &&
	       tc_folio_owner(folio) == request->owner;
}

static bool tc_splittable(struct tc_splitter *splitter, struct folio *folio,
			  const struct tc_split_request *request, enum tc_outcome *why)
{
	if (!tc_is_request(folio, request)) {
		*why = TC_OUTCOME_CHANGED;
		return false;
	}
	return tc_movable(folio, why) && tc_wishes_allow(folio, NUMA_NO_NODE, &splitter->memo, why);
}

/* Pages that the split freed as they held nothing but zeroes; the caller has a reference to the first. */
static unsigned int tc_count_freed(struct folio *first)
{
	struct page *page = &first->page;
	unsigned int freed = !folio_mapped(first) && folio_test_anon(first), i;

	for (i = 1; i < TC_BLOCK_PAGES; i++)
		freed += !page_ref_count(page + i);
	return freed;
}

/* Page number of the first piece at or behind a page; TC_BLOCK_PAGES: there is none. */
static unsigned int tc_next_piece(u32 pieces, unsigned int page)
{
	if (page >= TC_BLOCK_PAGES)
		return TC_BLOCK_PAGES;
	pieces &= ~0U << (page >> TC_PIECE_ORDER_MIN);
	return pieces ? __ffs(pieces) << TC_PIECE_ORDER_MIN : TC_BLOCK_PAGES;
}

/* Around the first piece, or all of it. */
static int tc_split_first(struct folio *folio, const struct tc_split_request *request)
{
	struct page *piece;

	if (!request->pieces || !tc_split_paths_available())
		return tc_split_folio(folio, request->order);
	piece = folio_page(folio, tc_next_piece(request->pieces, 0));
	return tc_split_path(folio, request->order, piece);
}

/*
 * Splits what is left around one more piece. It may be anything by now, also somebody else's: then it is left. One that does
 * not split stays as large as it is, and is placed as such.
 */
static void tc_split_further(const struct tc_split_request *request, unsigned int page)
{
	struct folio *folio = tc_folio_get(request->pfn + page);
	unsigned int at;

	if (!folio)
		return;
	at = folio_pfn(folio) - request->pfn;
	if (at >= TC_BLOCK_PAGES || tc_folio_owner(folio) != tc_owner_at(request->owner, at) ||
	    folio_order(folio) <= request->order || !folio_trylock(folio))
		goto put;
	if (folio_order(folio) > request->order && folio_pfn(folio) == request->pfn + at &&
	    tc_split_possible(folio, request->order))
		tc_split_path(folio, request->order, folio_page(folio, page - at));
	folio_unlock(folio);
put:
	folio_put(folio);
}

static void tc_split_rest(const struct tc_split_request *request)
{
	unsigned int page = tc_next_piece(request->pieces, 0);

	if (!request->pieces || !tc_split_paths_available())
		return;
	while (page < TC_BLOCK_PAGES) {
		page = tc_next_piece(request->pieces, page + (1U << request->order));
		if (page < TC_BLOCK_PAGES)
			tc_split_further(request, page);
	}
}

/* Everything speaks for it: split the folio, which is its own first piece then. */
static enum tc_outcome tc_split_locked(struct tc_splitter *splitter, struct folio *folio,
				       const struct tc_split_request *request)
{
	unsigned int order = request->order;
	int err;

	if (!tc_split_possible(folio, order))
		return TC_OUTCOME_BUSY;
	err = tc_split_first(folio, request);
	if (err)
		return err == -ENOMEM ? TC_OUTCOME_NO_MEMORY : TC_OUTCOME_BUSY;
	if (!order)
		splitter->zero_pages += tc_count_freed(folio);
	return TC_OUTCOME_MOVED;
}

static enum tc_outcome tc_split_taken(struct tc_splitter *splitter, struct folio *folio,
				      const struct tc_split_request *request)
{
	enum tc_outcome why;

	if (!tc_splittable(splitter, folio, request, &why))
		return why;
	if (splitter->dry_run)
		return TC_OUTCOME_ADVISED;
	if (!folio_trylock(folio))
		return TC_OUTCOME_CONTENDED;
	why = tc_split_locked(splitter, folio, request);
	folio_unlock(folio);
	if (why == TC_OUTCOME_MOVED)
		tc_split_rest(request);
	return why;
}

bool tc_split_try(struct tc_splitter *splitter, const struct tc_split_request *request,
		  bool *lasting)
{
	struct folio *folio = tc_folio_get(request->pfn);
	enum tc_outcome why = TC_OUTCOME_GONE;

	if (folio) {
		why = tc_split_taken(splitter, folio, request);
		folio_put(folio);
	}
	trace_tc_split(request->pfn, TC_BLOCK_ORDER, request->order,
		       request->promote ? TC_SPLIT_PROMOTION : TC_SPLIT_SKEW, why);
	splitter->tally.tried++;
	splitter->tally.outcome[why]++;
	*lasting = why != TC_OUTCOME_MOVED && tc_outcome_lasts(why);
	return why == TC_OUTCOME_MOVED;
}
