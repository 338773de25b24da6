/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One entry of the heat map: the heat of an aligned block of 512 pages, and how the folios in it
 * are accounted in the histogram.
 * Knows page indexes inside the block, folio orders, owner tags and cooling epochs.
 * Does not know PFNs, struct page, locks, queues, or where the block itself is kept.
 *
 * Rules for all functions here
 *
 * - One thread writes all blocks and the struct tc_heat they are accounted against. Functions that
 *   take a const block may run at the same time in other threads: counts and epoch are plain loads,
 *   so such a reader may see a folio between two steps and be off by one sample, or, while a block
 *   that lags is cooled, by as many bins as it lags.
 * - A folio is given as (head, order): the index of its first page in the block, 0 .. 511, and its
 *   order, 0 .. 9. It is aligned to its size and never crosses a block. An order above 9 is treated
 *   as 9 and a head is rounded down to its order, so that no caller can write past the block.
 * - At every instant the histogram is the sum, over all blocks, of the folios that are binned in
 *   them, and the histogram of base pages that of the pages of these folios, each by its own count.
 *   A page that is not binned has no heat.
 * - A binned folio of which only a part is concerned by an operation is taken apart: the pages that
 *   are not concerned are binned again as the largest naturally aligned pieces that cover them, as
 *   a non-uniform split (folio_split) would leave them. Counts are per page, so no heat is lost.
 */
#ifndef TC_POLICY_BLOCK_H
#define TC_POLICY_BLOCK_H

#include "bits.h"
#include "histogram.h"
#include "touch.h"

/**
 * struct tc_block - heat of 512 pages
 * @count: heat of each page in 1/16 sample, as of @epoch; stops at TC_COUNT_MAX
 * @owner: tag of who owned the page when it was last seen, 0 = not seen yet
 * @binned: pages of the folios that are accounted in the histogram
 * @head: first page of each such folio
 * @queued: on a migration queue; the caller's mark (tc_block_set_queued()), cleared with the heat
 * @refused: its last move was refused for a reason that lasts; the caller's mark, cleared with the
 *	heat
 * @touch: marks of touches; set by the caller, they go with the pages and are cleared with the heat
 * @epoch: up to which cooling @count is halved; the block lags behind when the machine's is newer
 * @sum: sum of @count
 */
struct tc_block {
	u16 count[TC_BLOCK_PAGES];
	u8 owner[TC_BLOCK_PAGES];
	u64 binned[TC_BLOCK_WORDS];
	u64 head[TC_BLOCK_WORDS];
	u64 queued[TC_BLOCK_WORDS];
	u64 refused[TC_BLOCK_WORDS];
	struct tc_touch touch;
	u32 epoch;
	u32 sum;
};

/**
 * struct tc_heat - the machine's state that blocks are accounted against
 * @hist: histogram of all binned folios of all blocks
 * @base: histogram of the pages of these folios, each as if it were a folio of its own
 * @epoch: number of coolings so far (it may wrap)
 * @step: steps so far of the clock by which marks of touches age (it may wrap)
 */
struct tc_heat {
	struct tc_histogram hist;
	struct tc_histogram base;
	u32 epoch;
	u32 step;
};

/**
 * tc_heat_cool - begin a cooling
 * @h: the machine's heat
 *
 * Shifts both histograms and advances the epoch. From here on each block lags by one more epoch until
 * tc_block_cool() halves its counts, in a sweep or at its next sample, whichever comes first.
 *
 * Source: MEMTIS (SOSP 2023), cooling.
 *
 * Context: The writer.
 */
void tc_heat_cool(struct tc_heat *h);

/**
 * tc_owner_at - owner tag of a page of a folio
 * @head_tag: tag of the folio's first page, 1 .. 255; 0 = none
 * @i: number of the page in the folio
 *
 * Neighbours have different tags, so a folio that comes back shifted is not taken for the old one.
 *
 * Context: Any.
 * Return: 1 + (head_tag - 1 + i) % 255, or 0 when @head_tag is 0.
 */
u8 tc_owner_at(u8 head_tag, unsigned int i);

/**
 * tc_block_init - an empty block
 * @b: the block, in any state
 * @epoch: the machine's epoch (struct tc_heat), so that the block does not lag
 *
 * Context: The writer; no reader can reach @b yet.
 */
void tc_block_init(struct tc_block *b, u32 epoch);

/**
 * tc_block_sample - one sample on a page
 * @b: the block
 * @h: the machine's heat
 * @page: index of the sampled page, inside the folio
 * @head: index of the folio's first page
 * @order: order of the folio as it is now
 * @owner: tag of @page; 0 = not known, then tags are neither compared nor set
 *
 * Cools the block if it lags. When the tag of @page differs, or the folio was not binned in this
 * shape, each of the folio's pages whose tag is not the one that follows from @owner loses its heat
 * and queued mark, as they were another owner's. Then bins the folio in its present shape (split
 * and collapse are noticed here), adds one sample to @page and moves the folio to its bin.
 *
 * Context: The writer.
 * Return: the folio's bin after the sample.
 */
unsigned int tc_block_sample(struct tc_block *b, struct tc_heat *h, unsigned int page,
			     unsigned int head, unsigned int order, u8 owner);

/**
 * tc_block_cool - bring a block to the machine's epoch
 * @b: the block
 * @h: the machine's heat
 *
 * Counts halve once per epoch passed and every binned folio is accounted by its new counts, even at
 * no heat. The histogram was shifted once per epoch already, so until here a folio whose old counts
 * give bin k is accounted in bin max(k - lag, 0). Does nothing when the block does not lag.
 *
 * Source: MEMTIS (SOSP 2023), cooling; made exact for rounding, bin 0 and the open top bin.
 *
 * Context: The writer.
 */
void tc_block_cool(struct tc_block *b, struct tc_heat *h);

/**
 * tc_block_rebin - these pages are one folio now
 * @b: the block
 * @h: the machine's heat
 * @head: index of the folio's first page
 * @order: order of the folio
 *
 * Whatever was binned there in another shape is taken out, the rest of a larger folio is binned as
 * smaller pieces, and the folio is binned with the heat its pages have, even if that is none. Tags
 * and queued marks stay: look at the folio with tc_block_see() first if its owner may be another.
 * Does nothing more than cooling when the folio is binned in this shape already.
 *
 * Context: The writer.
 */
void tc_block_rebin(struct tc_block *b, struct tc_heat *h, unsigned int head, unsigned int order);

/**
 * tc_block_see - a cursor passes a folio
 * @b: the block
 * @h: the machine's heat
 * @head: index of the folio's first page
 * @order: order of the folio
 * @owner: tag of the folio's first page; 0 = not known, then nothing is done
 *
 * Each page whose tag is not the one that follows from @owner loses its heat and queued mark and
 * gets that tag. If there was such a page, the folio is binned in its present shape when heat is
 * left, and not binned otherwise.
 *
 * Context: The writer.
 * Return: true if the first page had the tag @owner, that is, was seen before under this owner.
 */
bool tc_block_see(struct tc_block *b, struct tc_heat *h, unsigned int head, unsigned int order,
		  u8 owner);

/**
 * tc_block_verify - what a block says of some pages is compared with the folio they are now
 * @b: the block
 * @h: the machine's heat
 * @head: index of the folio's first page
 * @order: order of the folio
 * @owner: tag of the folio's first page
 *
 * As tc_block_see(), and what is binned there is binned in the folio's present shape.
 *
 * Context: The writer.
 */
void tc_block_verify(struct tc_block *b, struct tc_heat *h, unsigned int head, unsigned int order,
		     u8 owner);

/**
 * tc_block_order_at - order of the binned folio that starts at a page
 * @b: the block
 * @head: index of the first page of a binned folio
 *
 * A folio is as large as its alignment allows and as no page at the end of a smaller one starts
 * another or is not binned. Even from bitmaps caught in the middle of a change the result is
 * aligned, and so in the block.
 *
 * Context: Any.
 * Return: its order.
 */
static inline unsigned int tc_block_order_at(const struct tc_block *b, unsigned int head)
{
	unsigned int order = 0;

	while (order < TC_BLOCK_ORDER && !(head >> order & 1)) {
		unsigned int next = head + (1U << order);

		if (tc_bit_test(b->head, next) || !tc_bit_test(b->binned, next))
			break;
		order++;
	}
	return order;
}

/**
 * tc_block_folio - the binned folio that covers a page
 * @b: the block
 * @page: index of the page
 * @head: index of the folio's first page, set if there is one
 * @order: order of the folio, set if there is one
 *
 * Context: Any.
 * Return: false if the page is not binned.
 */
bool tc_block_folio(const struct tc_block *b, unsigned int page, unsigned int *head,
		    unsigned int *order);

/**
 * tc_block_next_folio - walk over the binned folios
 * @b: the block
 * @from: index to start at
 * @order: order of the folio found
 *
 * Context: Any.
 * Return: index of the first page of the first folio that starts at or after @from, or -1.
 */
static inline int tc_block_next_folio(const struct tc_block *b, unsigned int from,
				      unsigned int *order)
{
	int head = tc_bits_next(b->head, from, TC_BLOCK_PAGES);

	if (head >= 0)
		*order = tc_block_order_at(b, head);
	return head;
}

/**
 * tc_block_for_each_folio - every binned folio, in ascending order
 * @b: the block
 * @page: int, index of the folio's first page
 * @ord: unsigned int, order of the folio
 */
#define tc_block_for_each_folio(b, page, ord)                           \
	for ((page) = tc_block_next_folio((b), 0, &(ord)); (page) >= 0; \
	     (page) = tc_block_next_folio((b), (page) + (1U << (ord)), &(ord)))

/**
 * tc_block_bin - the bin in which a page's folio is accounted
 * @b: the block
 * @h: the machine's heat
 * @page: index of any page of the folio
 *
 * Context: Any.
 * Return: the bin, with the block's lag taken into account; 0 if the page is not binned.
 */
unsigned int tc_block_bin(const struct tc_block *b, const struct tc_heat *h, unsigned int page);

/**
 * tc_block_base_bin - the bin in which a page is accounted as a base page
 * @b: the block
 * @h: the machine's heat
 * @page: index of the page, below TC_BLOCK_PAGES
 *
 * Context: Any.
 * Return: the bin, with the block's lag taken into account; 0 if the page has no heat.
 */
static inline unsigned int tc_block_base_bin(const struct tc_block *b, const struct tc_heat *h,
					     unsigned int page)
{
	u32 lag = tc_read_once(h->epoch) - tc_read_once(b->epoch);

	return tc_bin_cooled(tc_base_bin(tc_read_once(b->count[page])), lag);
}

/**
 * tc_block_sum - heat of a folio
 * @b: the block
 * @head: index of the folio's first page
 * @order: order of the folio
 *
 * Context: Any.
 * Return: sum of the counts in 1/16 sample, as of the block's epoch.
 */
u64 tc_block_sum(const struct tc_block *b, unsigned int head, unsigned int order);

/**
 * tc_block_warm - give a folio heat that is known of it from elsewhere
 * @b: the block
 * @h: the machine's heat
 * @head: index of the folio's first page
 * @order: order of the folio
 * @heat: heat of the whole folio in 1/16 sample, spread evenly over its pages
 *
 * For a collapse: the heat of a region that was remembered by its place (struct tc_regions). Which
 * of its pages had it is not known any more. The folio is binned in this shape.
 *
 * Context: The writer.
 */
void tc_block_warm(struct tc_block *b, struct tc_heat *h, unsigned int head, unsigned int order,
		   u32 heat);

/**
 * tc_block_drop - forget pages
 * @b: the block
 * @h: the machine's heat
 * @first: index of the first page
 * @nr: number of pages, not necessarily a folio; what lies past the block is ignored
 *
 * Forgets heat, tags and marks, as when the pages were freed or went offline. Of a folio
 * that is partly covered the other pages stay binned as smaller pieces.
 *
 * Context: The writer.
 */
void tc_block_drop(struct tc_block *b, struct tc_heat *h, unsigned int first, unsigned int nr);

/**
 * tc_block_carry - heat and tags move with a migrated folio
 * @src: the block it came from
 * @src_head: index of its first page there
 * @dst: the block it is in now; may be @src
 * @dst_head: index of its first page there
 * @order: order of the folio
 * @h: the machine's heat
 *
 * What was known of the destination is dropped first. The folio is binned there if any of its pages
 * was binned at the source. The source is dropped; no queued mark is left at either place.
 *
 * Context: The writer.
 */
void tc_block_carry(struct tc_block *src, unsigned int src_head, struct tc_block *dst,
		    unsigned int dst_head, unsigned int order, struct tc_heat *h);

/**
 * tc_block_empty - may this block be freed?
 * @b: the block
 *
 * Context: Any.
 * Return: true when it has no heat, as of its epoch, and nothing queued. Tags, and folios that are binned without any
 * heat, do not count.
 */
bool tc_block_empty(const struct tc_block *b);

/**
 * tc_block_queued - is this page marked as queued?
 * @b: the block
 * @page: index of the page, below TC_BLOCK_PAGES
 *
 * Context: Any.
 * Return: the mark.
 */
static inline bool tc_block_queued(const struct tc_block *b, unsigned int page)
{
	return tc_bit_test(b->queued, page);
}

/**
 * tc_block_set_queued - mark a page as queued
 * @b: the block
 * @page: index of the page, below TC_BLOCK_PAGES
 *
 * Context: The writer.
 */
static inline void tc_block_set_queued(struct tc_block *b, unsigned int page)
{
	tc_bits_set(b->queued, page, 1);
}

/**
 * tc_block_clear_queued - the page has left its queue
 * @b: the block
 * @page: index of the page, below TC_BLOCK_PAGES
 *
 * Context: The writer.
 */
static inline void tc_block_clear_queued(struct tc_block *b, unsigned int page)
{
	tc_bits_clear(b->queued, page, 1);
}

/**
 * tc_block_refused - was this page's last move refused for a reason that lasts?
 * @b: the block
 * @page: index of the page, below TC_BLOCK_PAGES
 *
 * Context: Any.
 * Return: the mark.
 */
static inline bool tc_block_refused(const struct tc_block *b, unsigned int page)
{
	return tc_bit_test(b->refused, page);
}

/**
 * tc_block_set_refused - leave this page off the queues for a while
 * @b: the block
 * @page: index of the page, below TC_BLOCK_PAGES
 *
 * Context: The writer.
 */
static inline void tc_block_set_refused(struct tc_block *b, unsigned int page)
{
	tc_bits_set(b->refused, page, 1);
}

/**
 * tc_block_forget_refused - all pages of the block may be tried again
 * @b: the block
 *
 * Context: The writer.
 */
static inline void tc_block_forget_refused(struct tc_block *b)
{
	tc_bits_clear(b->refused, 0, TC_BLOCK_PAGES);
}

/**
 * tc_block_forget_queued - no page of the block is on a queue
 * @b: the block
 *
 * Context: The writer.
 */
static inline void tc_block_forget_queued(struct tc_block *b)
{
	tc_bits_clear(b->queued, 0, TC_BLOCK_PAGES);
}

#endif /* TC_POLICY_BLOCK_H */
