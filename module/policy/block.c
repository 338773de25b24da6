// SPDX-License-Identifier: GPL-2.0
/*
 * One entry of the heat map: samples, cooling, owners, and how folios are accounted.
 * Knows page indexes inside the block, folio orders, owner tags and cooling epochs.
 * Does not know PFNs, struct page, locks, queues; the walk over folios is in block-folio.c.
 */
#include "block.h"

/* Number of values of an owner tag; 0 is not one of them. */
#define OWNER_TAGS 255U

/* Counts have 16 bits: no more halvings than that make a difference. */
#define COUNT_BITS 16U

/* A folio's place in the block, made safe. */
struct span {
	unsigned int head;
	unsigned int order;
	unsigned int nr;
};

static struct span span_of(unsigned int head, unsigned int order)
{
	struct span s;

	s.order = order < TC_BLOCK_ORDER ? order : TC_BLOCK_ORDER;
	s.nr = 1U << s.order;
	s.head = head & (TC_BLOCK_PAGES - 1) & ~(s.nr - 1);
	return s;
}

/* As tc_block_sum(); most folios are one page. */
static u64 sum_of(const struct tc_block *b, unsigned int head, unsigned int order)
{
	return order ? tc_block_sum(b, head, order) : b->count[head];
}

static unsigned int bin_of(const struct tc_block *b, unsigned int head, unsigned int order)
{
	return tc_bin(tc_hotness(sum_of(b, head, order), order));
}

static void set_count(struct tc_block *b, unsigned int page, unsigned int count)
{
	tc_write_once(b->sum, b->sum - b->count[page] + count);
	tc_write_once(b->count[page], count);
}

static void forget_page(struct tc_block *b, unsigned int page, u8 owner)
{
	set_count(b, page, 0);
	b->owner[page] = owner;
	tc_block_clear_queued(b, page);
	tc_bits_clear(b->refused, page, 1);
	tc_touch_forget(&b->touch, page, 1);
}

/* Puts pages into the histogram of base pages. */
static void account_base(const struct tc_block *b, struct tc_heat *h, unsigned int first,
			 unsigned int nr)
{
	unsigned int page;

	for (page = first; page < first + nr; page++)
		tc_histogram_add(&h->base, tc_base_bin(b->count[page]), 1);
}

/* Takes them out. */
static void unaccount_base(const struct tc_block *b, struct tc_heat *h, unsigned int first,
			   unsigned int nr)
{
	unsigned int page;

	for (page = first; page < first + nr; page++)
		tc_histogram_sub(&h->base, tc_base_bin(b->count[page]), 1);
}

/* Puts a folio in; its pages are not binned. The block does not lag. */
static void account(struct tc_block *b, struct tc_heat *h, unsigned int head, unsigned int order)
{
	account_base(b, h, head, 1U << order);
	tc_bits_set(b->binned, head, 1U << order);
	tc_bits_set(b->head, head, 1);
	tc_histogram_add(&h->hist, bin_of(b, head, order), 1U << order);
}

/* Takes a binned folio out. The block does not lag. */
static void unaccount(struct tc_block *b, struct tc_heat *h, unsigned int head, unsigned int order)
{
	unaccount_base(b, h, head, 1U << order);
	tc_histogram_sub(&h->hist, bin_of(b, head, order), 1U << order);
	tc_bits_clear(b->binned, head, 1U << order);
	tc_bits_clear(b->head, head, 1);
}

/* Puts the pages [first, end) in, as the largest naturally aligned pieces. */
static void account_pieces(struct tc_block *b, struct tc_heat *h, unsigned int first,
			   unsigned int end)
{
	while (first < end) {
		unsigned int order = 0;

		while (!(first >> order & 1) && first + (2U << order) <= end)
			order++;
		account(b, h, first, order);
		first += 1U << order;
	}
}

/* Takes [first, end) out; what else belonged to the folios there is put in again as pieces. */
static void take_out(struct tc_block *b, struct tc_heat *h, unsigned int first, unsigned int end)
{
	int page;

	while ((page = tc_bits_next(b->binned, first, end)) >= 0) {
		unsigned int head, order, folio_end;

		tc_block_folio(b, page, &head, &order);
		folio_end = head + (1U << order);
		unaccount(b, h, head, order);
		if (head < first)
			account_pieces(b, h, head, first);
		if (folio_end > end)
			account_pieces(b, h, end, folio_end);
		first = folio_end;
	}
}

/* Is just this folio binned? What starts at the same page and has the same order is the same. */
static bool binned_as(const struct tc_block *b, struct span s)
{
	return tc_bit_test(b->head, s.head) && tc_block_order_at(b, s.head) == s.order;
}

static bool owned(const struct tc_block *b, struct span s, u8 head_tag)
{
	unsigned int i;

	for (i = 0; i < s.nr; i++)
		if (b->owner[s.head + i] != tc_owner_at(head_tag, i))
			return false;
	return true;
}

/* Makes every page of the folio the owner's: pages of another owner lose their heat. */
static void adopt(struct tc_block *b, struct tc_heat *h, struct span s, u8 head_tag)
{
	unsigned int i;

	if (owned(b, s, head_tag))
		return;

	tc_block_cool(b, h);
	take_out(b, h, s.head, s.head + s.nr);
	for (i = 0; i < s.nr; i++) {
		u8 tag = tc_owner_at(head_tag, i);

		if (b->owner[s.head + i] != tag)
			forget_page(b, s.head + i, tag);
	}
	if (sum_of(b, s.head, s.order))
		account(b, h, s.head, s.order);
}

void tc_block_warm(struct tc_block *b, struct tc_heat *h, unsigned int head, unsigned int order,
		   u32 heat)
{
	struct span s = span_of(head, order);
	unsigned int i;

	tc_block_cool(b, h);
	take_out(b, h, s.head, s.head + s.nr);
	for (i = 0; i < s.nr; i++) {
		u64 count = (u64)b->count[s.head + i] + heat / s.nr + (i < heat % s.nr);

		set_count(b, s.head + i, count < TC_COUNT_MAX ? count : TC_COUNT_MAX);
	}
	account(b, h, s.head, s.order);
}

void tc_heat_cool(struct tc_heat *h)
{
	tc_histogram_shift(&h->hist);
	tc_histogram_shift(&h->base);
	tc_write_once(h->epoch, h->epoch + 1);
}

u8 tc_owner_at(u8 head_tag, unsigned int i)
{
	return head_tag ? 1 + ((u64)head_tag - 1 + i) % OWNER_TAGS : 0;
}

void tc_block_init(struct tc_block *b, u32 epoch)
{
	__builtin_memset(b, 0, sizeof(*b));
	b->epoch = epoch;
}

/* Halves a folio's counts, a number of times; returns their sum. */
static u32 halve_counts(struct tc_block *b, struct tc_heat *h, unsigned int head,
			unsigned int order, u32 lag)
{
	unsigned int page, end = head + (1U << order);
	u32 times = lag < COUNT_BITS ? lag : COUNT_BITS;
	u32 sum = 0;

	for (page = head; page < end; page++) {
		unsigned int bin = tc_bin_cooled(tc_base_bin(b->count[page]), lag);
		u32 count = (u32)b->count[page] >> times;

		tc_histogram_sub(&h->base, bin, 1);
		tc_histogram_add(&h->base, tc_base_bin(count), 1);
		tc_write_once(b->count[page], count);
		sum += count;
	}
	return sum;
}

/* What is not binned has no heat, so the binned folios are all there is to cool. */
void tc_block_cool(struct tc_block *b, struct tc_heat *h)
{
	u32 lag = h->epoch - b->epoch;
	unsigned int order;
	u32 all = 0;
	int head;

	if (!lag)
		return;

	tc_block_for_each_folio(b, head, order) {
		unsigned int bin = bin_of(b, head, order);
		u32 sum = halve_counts(b, h, head, order, lag);

		tc_histogram_sub(&h->hist, tc_bin_cooled(bin, lag), 1U << order);
		tc_histogram_add(&h->hist, tc_bin(tc_hotness(sum, order)), 1U << order);
		all += sum;
	}
	tc_write_once(b->sum, all);
	tc_write_once(b->epoch, h->epoch);
}

void tc_block_rebin(struct tc_block *b, struct tc_heat *h, unsigned int head, unsigned int order)
{
	struct span s = span_of(head, order);

	tc_block_cool(b, h);
	if (binned_as(b, s))
		return;
	take_out(b, h, s.head, s.head + s.nr);
	account(b, h, s.head, s.order);
}

bool tc_block_see(struct tc_block *b, struct tc_heat *h, unsigned int head, unsigned int order,
		  u8 owner)
{
	struct span s = span_of(head, order);
	bool seen = owner && b->owner[s.head] == owner;

	if (owner)
		adopt(b, h, s, owner);
	return seen;
}

void tc_block_verify(struct tc_block *b, struct tc_heat *h, unsigned int head, unsigned int order,
		     u8 owner)
{
	struct span s = span_of(head, order);

	tc_block_see(b, h, s.head, s.order, owner);
	if (tc_bits_next(b->binned, s.head, s.head + s.nr) >= 0)
		tc_block_rebin(b, h, s.head, s.order);
}

/* Returns the new bin of the folio. */
static unsigned int add_sample(struct tc_block *b, struct tc_heat *h, struct span s,
			       unsigned int page)
{
	u64 sum = sum_of(b, s.head, s.order);
	unsigned int old_bin = tc_bin(tc_hotness(sum, s.order));
	unsigned int room = TC_COUNT_MAX - b->count[page];
	unsigned int added = room < TC_SAMPLE_UNIT ? room : TC_SAMPLE_UNIT;
	unsigned int bin = tc_bin(tc_hotness(sum + added, s.order));

	unaccount_base(b, h, page, 1);
	set_count(b, page, b->count[page] + added);
	account_base(b, h, page, 1);
	tc_histogram_sub(&h->hist, old_bin, s.nr);
	tc_histogram_add(&h->hist, bin, s.nr);
	return bin;
}

unsigned int tc_block_sample(struct tc_block *b, struct tc_heat *h, unsigned int page,
			     unsigned int head, unsigned int order, u8 owner)
{
	struct span s = span_of(head, order);
	unsigned int i = page & (s.nr - 1);
	bool same = binned_as(b, s);

	page = s.head + i;
	/* Two rounds of tags fewer the page's number: the tag of page 0 from that of page i. */
	if (owner && (b->owner[page] != owner || !same)) {
		adopt(b, h, s, tc_owner_at(owner, 3 * OWNER_TAGS - i));
		same = false;
	}
	if (same)
		tc_block_cool(b, h);
	else
		tc_block_rebin(b, h, s.head, s.order);
	return add_sample(b, h, s, page);
}

void tc_block_drop(struct tc_block *b, struct tc_heat *h, unsigned int first, unsigned int nr)
{
	unsigned int end, page;

	if (first >= TC_BLOCK_PAGES)
		return;
	end = nr < TC_BLOCK_PAGES - first ? first + nr : TC_BLOCK_PAGES;

	tc_block_cool(b, h);
	take_out(b, h, first, end);
	for (page = first; page < end; page++)
		forget_page(b, page, 0);
}

void tc_block_carry(struct tc_block *src, unsigned int src_head, struct tc_block *dst,
		    unsigned int dst_head, unsigned int order, struct tc_heat *h)
{
	struct span from = span_of(src_head, order);
	struct span to = span_of(dst_head, order);
	bool binned;
	unsigned int i;

	if (src == dst && from.head == to.head)
		return;

	tc_block_cool(src, h);
	tc_block_drop(dst, h, to.head, to.nr);
	tc_touch_age(&src->touch, h->step);
	tc_touch_age(&dst->touch, h->step);
	binned = tc_bits_next(src->binned, from.head, from.head + from.nr) >= 0;
	for (i = 0; i < from.nr; i++) {
		set_count(dst, to.head + i, src->count[from.head + i]);
		dst->owner[to.head + i] = src->owner[from.head + i];
		tc_touch_carry(&src->touch, from.head + i, &dst->touch, to.head + i);
	}
	tc_block_drop(src, h, from.head, from.nr);
	if (binned)
		account(dst, h, to.head, to.order);
}
