/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hotness of a folio, its exponential bin, and the histogram of bins.
 * Knows sums of counts, folio orders and numbers of pages.
 * Does not know which folio is accounted where (block.c) nor what is hot (thresholds.c).
 */
#ifndef TC_POLICY_HISTOGRAM_H
#define TC_POLICY_HISTOGRAM_H

#include "types.h"

/**
 * struct tc_histogram - how much memory has which hotness
 * @pages: 4 KiB pages whose folio is in this bin, by bin; a folio of order k weighs 2^k
 *
 * Written by one thread. A reader that tolerates a figure from between two steps needs no lock.
 *
 * Source: MEMTIS (SOSP 2023), histogram-based classification: 16 exponential bins.
 */
struct tc_histogram {
	u64 pages[TC_BINS];
};

/**
 * tc_hotness - access density of a folio, comparable over all folio sizes
 * @sum: sum of the counts of the folio's pages, in 1/16 sample (TC_SAMPLE_UNIT is one sample)
 * @order: order of the folio; above TC_BLOCK_ORDER it is treated as TC_BLOCK_ORDER
 *
 * H = 2^(9 - order) * sum. Equal density gives equal hotness: it is the paper's factor of 512 for
 * base pages and 1 for huge pages, carried to the sizes between them.
 *
 * Source: MEMTIS (SOSP 2023), hotness factor of base and huge pages.
 *
 * Context: Any.
 * Return: H in 1/16 sample, at most TC_U64_MAX.
 */
static inline u64 tc_hotness(u64 sum, unsigned int order)
{
	unsigned int shift = order < TC_BLOCK_ORDER ? TC_BLOCK_ORDER - order : 0;

	if (sum > TC_U64_MAX >> shift)
		return TC_U64_MAX;
	return sum << shift;
}

/**
 * tc_bin - histogram bin of a hotness
 * @hotness: H in 1/16 sample, as tc_hotness() returns it
 *
 * bin = floor(log2(H + 1)) of the real-valued H, at most TC_BINS - 1. Exact for every input. Bin 0
 * holds what has less than one sample in 2 MiB; bin 15 is open at the top.
 *
 * Source: MEMTIS (SOSP 2023), exponential bins; H + 1 so that an untouched folio is in bin 0.
 *
 * Context: Any.
 * Return: 0 .. TC_BINS - 1.
 */
static inline unsigned int tc_bin(u64 hotness)
{
	u64 top = ((u64)TC_SAMPLE_UNIT << (TC_BINS - 1)) - TC_SAMPLE_UNIT;

	if (hotness >= top)
		return TC_BINS - 1;
	/* log2(H / 16 + 1) = log2(H + 16) - 4, and the floor of a logarithm is the highest bit. */
	return 63 - __builtin_clzll(hotness + TC_SAMPLE_UNIT) - TC_SAMPLE_SHIFT;
}

/**
 * tc_base_bin - histogram bin of a page, as if it were a folio of its own
 * @count: the page's count in 1/16 sample
 *
 * Source: MEMTIS (SOSP 2023), base page histogram: every page is taken as a base page.
 *
 * Context: Any.
 * Return: 0 .. TC_BINS - 1.
 */
static inline unsigned int tc_base_bin(u32 count)
{
	return tc_bin(tc_hotness(count, 0));
}

/**
 * tc_bin_cooled - where coolings have moved a bin
 * @bin: the bin at the time
 * @coolings: number of tc_histogram_shift() since
 *
 * Context: Any.
 * Return: max(bin - coolings, 0).
 */
unsigned int tc_bin_cooled(unsigned int bin, u32 coolings);

/**
 * tc_histogram_add - account a folio
 * @h: the histogram
 * @bin: the folio's bin, below TC_BINS
 * @pages: the folio's size in 4 KiB pages
 *
 * Context: The thread that writes the histogram.
 */
static inline void tc_histogram_add(struct tc_histogram *h, unsigned int bin, u64 pages)
{
	h->pages[bin] += pages;
}

/**
 * tc_histogram_sub - take a folio out again
 * @h: the histogram
 * @bin: the bin in which the folio is accounted now, below TC_BINS
 * @pages: the folio's size in 4 KiB pages
 *
 * Context: The thread that writes the histogram.
 */
static inline void tc_histogram_sub(struct tc_histogram *h, unsigned int bin, u64 pages)
{
	h->pages[bin] -= pages;
}

/**
 * tc_histogram_shift - cooling: all counts are about to halve
 * @h: the histogram
 *
 * Every bin moves down by one, bin 0 keeps its own and receives bin 1, the top bin becomes empty.
 * That is where halved counts belong except for rounding, for bin 0 (H + 1, not H) and for the
 * open top bin, so each folio is accounted anew when its counts are really halved: tc_block_cool().
 *
 * Source: MEMTIS (SOSP 2023), cooling.
 *
 * Context: The thread that writes the histogram.
 */
void tc_histogram_shift(struct tc_histogram *h);

/**
 * tc_histogram_total - memory accounted in all bins
 * @h: the histogram
 *
 * Context: Any.
 * Return: number of 4 KiB pages.
 */
u64 tc_histogram_total(const struct tc_histogram *h);

#endif /* TC_POLICY_HISTOGRAM_H */
