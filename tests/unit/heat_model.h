/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a block of the heat map must be, computed the slow and plain way.
 * Knows each page's count, tag, mark and folio, and the bin in which each folio is accounted.
 * Does not know bitmaps, lag or incremental sums: counts halve at the cooling itself, sums are added
 * up anew, and the only delayed thing is when a folio's accounted bin is brought up to its counts.
 */
#ifndef TC_HEAT_MODEL_H
#define TC_HEAT_MODEL_H

#include "types.h"

/**
 * struct model_folio - a folio that is accounted in the histogram
 * @head: index of its first page
 * @order: its order
 * @bin: bin in which it is accounted
 */
struct model_folio {
	unsigned int head;
	unsigned int order;
	unsigned int bin;
};

/**
 * struct model_block - one block
 * @count: heat of each page in 1/16 sample, all coolings applied
 * @owner: tag of each page
 * @queued: mark of each page
 * @refused: other mark of each page
 * @left: steps that the mark of each page's touch has to live
 * @folio: the accounted folios, each at the index of its first page
 * @base: the bin in which each page that a folio covers is accounted as a base page
 * @covered: for each page that a folio covers, 1 + index of the folio's first page, else 0
 */
struct model_block {
	u32 count[TC_BLOCK_PAGES];
	u8 owner[TC_BLOCK_PAGES];
	bool queued[TC_BLOCK_PAGES];
	bool refused[TC_BLOCK_PAGES];
	unsigned int left[TC_BLOCK_PAGES];
	struct model_folio folio[TC_BLOCK_PAGES];
	unsigned int base[TC_BLOCK_PAGES];
	unsigned int covered[TC_BLOCK_PAGES];
};

/* Bin of a folio of @order with counts that add up to @sum, by the definition. */
unsigned int model_bin(u64 sum, unsigned int order);

/* Tag of page @i of a folio whose first page has @head_tag: 255 is followed by 1. */
u8 model_tag(u8 head_tag, unsigned int i);

u64 model_sum(const struct model_block *m, unsigned int head, unsigned int order);

/* The folio that covers @page, or NULL. */
struct model_folio *model_find(struct model_block *m, unsigned int page);

/* One cooling, as each block sees it. */
void model_shift(struct model_block *m);

/* The clock of the touches goes on by one step. */
void model_step(struct model_block *m, unsigned int blocks);

/* The operations of block.h; each but the last leaves every folio of the block in its own bin. */
void model_touch(struct model_block *m);
void model_sample(struct model_block *m, unsigned int page, unsigned int head, unsigned int order,
		  u8 owner);
void model_rebin(struct model_block *m, unsigned int head, unsigned int order);
void model_warm(struct model_block *m, unsigned int head, unsigned int order, u32 heat);
void model_drop(struct model_block *m, unsigned int first, unsigned int end);
void model_carry(struct model_block *src, unsigned int src_head, struct model_block *dst,
		 unsigned int dst_head, unsigned int order);
bool model_see(struct model_block *m, unsigned int head, unsigned int order, u8 owner);
void model_verify(struct model_block *m, unsigned int head, unsigned int order, u8 owner);

#endif /* TC_HEAT_MODEL_H */
