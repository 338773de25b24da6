// SPDX-License-Identifier: GPL-2.0
/*
 * The hotness of a folio, its exponential bin, and the histogram of bins.
 * Knows sums of counts, folio orders and numbers of pages.
 * Does not know which folio is accounted where (block.c) nor what is hot (thresholds.c).
 */
#include "histogram.h"

#define TOP_BIN (TC_BINS - 1)

unsigned int tc_bin_cooled(unsigned int bin, u32 coolings)
{
	return bin > coolings ? bin - coolings : 0;
}

void tc_histogram_shift(struct tc_histogram *h)
{
	unsigned int bin;

	h->pages[0] += h->pages[1];
	for (bin = 1; bin < TOP_BIN; bin++)
		h->pages[bin] = h->pages[bin + 1];
	h->pages[TOP_BIN] = 0;
}

u64 tc_histogram_total(const struct tc_histogram *h)
{
	u64 total = 0;
	unsigned int bin;

	for (bin = 0; bin < TC_BINS; bin++)
		total += h->pages[bin];
	return total;
}
