// SPDX-License-Identifier: GPL-2.0
/*
 * Which bins are hot, warm and cold.
 * Knows a histogram and how many pages the fast tier may hold.
 * Does not know nodes, watermarks or folios.
 */
#include "thresholds.h"

#define TOP_BIN (TC_BINS - 1)

/* sum < 90 % of budget, without a product that could overflow. */
static bool under_ninety_percent(u64 sum, u64 budget)
{
	return sum < budget && budget - sum > budget / 10;
}

void tc_thresholds_compute(const struct tc_histogram *h, u64 budget_pages, struct tc_thresholds *t)
{
	u64 sum = h->pages[TOP_BIN];
	unsigned int hot = TOP_BIN;

	while (hot > 1 && sum <= budget_pages && h->pages[hot - 1] <= budget_pages - sum)
		sum += h->pages[--hot];

	t->hot = hot;
	t->warm = under_ninety_percent(sum, budget_pages) ? hot - 1 : hot;
	t->hot_pages = sum;
}

enum tc_temperature tc_classify(const struct tc_thresholds *t, unsigned int bin)
{
	if (bin >= t->hot)
		return TC_HOT;
	return bin >= t->warm ? TC_WARM : TC_COLD;
}
