// SPDX-License-Identifier: GPL-2.0
/*
 * What a block of the heat map must be, computed the slow and plain way.
 * Knows each page's count, tag, mark and folio, and the bin in which each folio is accounted.
 * Does not know the code under test.
 */
#include "heat_model.h"

#include <stddef.h>
#include <string.h>

unsigned int model_bin(u64 sum, unsigned int order)
{
	u64 sixteenths = (sum << (9 - order)) + 16;
	unsigned int bin = 0;

	while (bin < 15 && sixteenths >= 32) {
		sixteenths /= 2;
		bin++;
	}
	return bin;
}

u8 model_tag(u8 head_tag, unsigned int i)
{
	unsigned int tag = head_tag + i;

	while (tag > 255)
		tag -= 255;
	return head_tag ? tag : 0;
}

u64 model_sum(const struct model_block *m, unsigned int head, unsigned int order)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < 1U << order; i++)
		sum += m->count[head + i];
	return sum;
}

struct model_folio *model_find(struct model_block *m, unsigned int page)
{
	return m->covered[page] ? &m->folio[m->covered[page] - 1] : NULL;
}

void model_shift(struct model_block *m)
{
	unsigned int i;

	for (i = 0; i < TC_BLOCK_PAGES; i++) {
		m->count[i] /= 2;
		if (m->covered[i] == i + 1 && m->folio[i].bin)
			m->folio[i].bin--;
		if (m->covered[i] && m->base[i])
			m->base[i]--;
	}
}

void model_touch(struct model_block *m)
{
	unsigned int i;

	for (i = 0; i < TC_BLOCK_PAGES; i++) {
		struct model_folio *f = &m->folio[i];

		if (m->covered[i] == i + 1)
			f->bin = model_bin(model_sum(m, i, f->order), f->order);
		if (m->covered[i])
			m->base[i] = model_bin(m->count[i], 0);
	}
}

static void add_folio(struct model_block *m, unsigned int head, unsigned int order)
{
	unsigned int i;

	for (i = 0; i < 1U << order; i++) {
		m->covered[head + i] = head + 1;
		m->base[head + i] = model_bin(m->count[head + i], 0);
	}
	m->folio[head].head = head;
	m->folio[head].order = order;
	m->folio[head].bin = model_bin(model_sum(m, head, order), order);
}

/* Keeps of [head, head + 2^order) what lies outside [first, end), halving it until it fits. */
static void keep_outside(struct model_block *m, unsigned int head, unsigned int order,
			 unsigned int first, unsigned int end)
{
	unsigned int next = head + (1U << order);

	if (next <= first || head >= end) {
		add_folio(m, head, order);
	} else if (head < first || next > end) {
		keep_outside(m, head, order - 1, first, end);
		keep_outside(m, head + (1U << (order - 1)), order - 1, first, end);
	}
}

/* Takes the folios of [first, end) out; what is outside of it stays as pieces. */
static void take_out(struct model_block *m, unsigned int first, unsigned int end)
{
	unsigned int page;

	for (page = first; page < end; page++) {
		struct model_folio *f = model_find(m, page);
		struct model_folio old;
		unsigned int i;

		if (!f)
			continue;
		old = *f;
		for (i = 0; i < 1U << old.order; i++)
			m->covered[old.head + i] = 0;
		keep_outside(m, old.head, old.order, first, end);
	}
}

static void forget(struct model_block *m, unsigned int page, u8 tag)
{
	m->count[page] = 0;
	m->owner[page] = tag;
	m->queued[page] = false;
	m->refused[page] = false;
	m->left[page] = 0;
}

void model_step(struct model_block *m, unsigned int blocks)
{
	unsigned int i, page;

	for (i = 0; i < blocks; i++)
		for (page = 0; page < TC_BLOCK_PAGES; page++)
			m[i].left[page] -= m[i].left[page] > 0;
}

void model_rebin(struct model_block *m, unsigned int head, unsigned int order)
{
	model_touch(m);
	take_out(m, head, head + (1U << order));
	add_folio(m, head, order);
}

/* Hands the heat out one by one, to the pages in turn. */
void model_warm(struct model_block *m, unsigned int head, unsigned int order, u32 heat)
{
	unsigned int i = 0, nr = 1U << order;

	for (; heat--; i = (i + 1) % nr)
		if (m->count[head + i] < 65535)
			m->count[head + i]++;
	model_rebin(m, head, order);
}

void model_drop(struct model_block *m, unsigned int first, unsigned int end)
{
	unsigned int page;

	model_touch(m);
	take_out(m, first, end);
	for (page = first; page < end; page++)
		forget(m, page, 0);
}

bool model_see(struct model_block *m, unsigned int head, unsigned int order, u8 owner)
{
	bool seen = m->owner[head] == owner && owner;
	bool stale = false;
	unsigned int i;

	for (i = 0; i < 1U << order && owner; i++)
		stale |= m->owner[head + i] != model_tag(owner, i);
	if (!stale)
		return seen;

	model_touch(m);
	take_out(m, head, head + (1U << order));
	for (i = 0; i < 1U << order; i++)
		if (m->owner[head + i] != model_tag(owner, i))
			forget(m, head + i, model_tag(owner, i));
	if (model_sum(m, head, order))
		add_folio(m, head, order);
	return seen;
}

void model_sample(struct model_block *m, unsigned int page, unsigned int head, unsigned int order,
		  u8 owner)
{
	struct model_folio *f = model_find(m, page);
	bool as_binned = f && f->head == head && f->order == order;
	int head_tag = owner - (int)(page - head);

	while (head_tag < 1)
		head_tag += 255;
	model_touch(m);
	if (owner && (!as_binned || m->owner[page] != owner))
		model_see(m, head, order, head_tag);
	m->count[page] += 16;
	if (m->count[page] > 65535)
		m->count[page] = 65535;
	model_rebin(m, head, order);
}

void model_verify(struct model_block *m, unsigned int head, unsigned int order, u8 owner)
{
	bool binned = false;
	unsigned int i;

	model_see(m, head, order, owner);
	for (i = 0; i < 1U << order; i++)
		binned |= model_find(m, head + i) != NULL;
	if (binned)
		model_rebin(m, head, order);
}

void model_carry(struct model_block *src, unsigned int src_head, struct model_block *dst,
		 unsigned int dst_head, unsigned int order)
{
	unsigned int i, nr = 1U << order;
	bool binned = false;

	if (src == dst && src_head == dst_head)
		return;

	model_touch(src);
	model_drop(dst, dst_head, dst_head + nr);
	for (i = 0; i < nr; i++)
		binned |= model_find(src, src_head + i) != NULL;
	memcpy(&dst->count[dst_head], &src->count[src_head], nr * sizeof(dst->count[0]));
	memcpy(&dst->owner[dst_head], &src->owner[src_head], nr * sizeof(dst->owner[0]));
	memcpy(&dst->left[dst_head], &src->left[src_head], nr * sizeof(dst->left[0]));
	if (binned)
		model_rebin(dst, dst_head, order);
	model_drop(src, src_head, src_head + nr);
}
