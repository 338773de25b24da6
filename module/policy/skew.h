/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How unevenly the heat of a huge page is spread, and the most skewed of many.
 * Knows a block that is one folio of 512 pages.
 * Does not know when huge pages are split, nor into what.
 */
#ifndef TC_POLICY_SKEW_H
#define TC_POLICY_SKEW_H

#include "block.h"

/**
 * struct tc_profile - the heat inside a huge page
 * @sum: sum of the counts of its 512 pages in 1/16 sample
 * @hot: pages that are hot as base pages
 * @squares: sum of the squares of the counts, in 1/256 of a sample squared
 */
struct tc_profile {
	u32 sum;
	u32 hot;
	u64 squares;
};

/* A huge page of fewer samples than this says too little about its pages to be split. */
#define TC_SKEW_SAMPLES_MIN 8U

/* Candidates that one search keeps: 2 GiB of huge pages. */
#define TC_SKEWED_MAX 1024U

/**
 * struct tc_skewed - one candidate
 * @skew: its skew, as of tc_skew()
 * @at: where it is, the caller's number of it
 */
struct tc_skewed {
	u64 skew;
	u64 at;
};

/**
 * struct tc_skewed_list - the most skewed of those that were added
 * @nr: entries in use
 * @entry: a heap, the least skewed first
 */
struct tc_skewed_list {
	u32 nr;
	struct tc_skewed entry[TC_SKEWED_MAX];
};

/**
 * tc_block_whole - is the block one binned folio of 512 pages?
 * @b: the block
 *
 * Context: Any.
 */
bool tc_block_whole(const struct tc_block *b);

/**
 * tc_block_profile - the heat inside the huge page of a block
 * @b: the block, of which tc_block_whole() is true and that does not lag
 * @hot_bin: base pages of this bin and above are hot
 * @p: the result
 *
 * Context: The writer.
 */
void tc_block_profile(const struct tc_block *b, unsigned int hot_bin, struct tc_profile *p);

/**
 * tc_skew - how much a huge page would gain from being split
 * @p: its profile
 *
 * skew = sum of c[i]^2 / (number of hot pages)^2: high when much heat is on few pages.
 *
 * Source: MEMTIS (SOSP 2023), skewness by the utilization factor.
 *
 * Context: Any.
 * Return: the skew in 1/256 of a sample squared; 0 when it is no candidate: no page is hot, all are,
 * or it has fewer than TC_SKEW_SAMPLES_MIN samples.
 */
u64 tc_skew(const struct tc_profile *p);

/**
 * tc_skewed_add - offer a candidate
 * @list: the list
 * @skew: its skew; 0 is no candidate
 * @at: where it is
 *
 * A full list drops its least skewed one, or the new one when that is no more skewed.
 *
 * Context: The list's owner.
 */
void tc_skewed_add(struct tc_skewed_list *list, u64 skew, u64 at);

/**
 * tc_skewed_trim - keep the most skewed ones
 * @list: the list
 * @nr: how many to keep at most
 *
 * Context: The list's owner.
 */
void tc_skewed_trim(struct tc_skewed_list *list, u32 nr);

#endif /* TC_POLICY_SKEW_H */
