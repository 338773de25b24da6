/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which bins are hot, warm and cold.
 * Knows a histogram and how many pages the fast tier may hold.
 * Does not know nodes, watermarks or folios.
 */
#ifndef TC_POLICY_THRESHOLDS_H
#define TC_POLICY_THRESHOLDS_H

#include "histogram.h"

/**
 * enum tc_temperature - what a bin means under the present thresholds
 * @TC_COLD: may be demoted
 * @TC_WARM: moved neither way unless space is needed
 * @TC_HOT: belongs in the fast tier
 */
enum tc_temperature {
	TC_COLD,
	TC_WARM,
	TC_HOT,
};

/**
 * struct tc_thresholds - lowest hot and lowest warm bin
 * @hot: a bin at or above this is hot; 1 .. TC_BINS - 1
 * @warm: a bin at or above this and below @hot is warm; @hot or @hot - 1
 * @hot_pages: 4 KiB pages in the hot bins; above the budget only when the top bin alone is
 */
struct tc_thresholds {
	u8 hot;
	u8 warm;
	u64 hot_pages;
};

/**
 * tc_thresholds_compute - fit the hot set to the fast tier
 * @h: the histogram of all tracked memory
 * @budget_pages: 4 KiB pages that the fast tier may hold
 * @t: the result
 *
 * From the top bin down, bins are included while their sum still fits the budget; @t->hot is the
 * lowest bin included, but never below 1, as untouched memory is never hot. When the top bin alone
 * exceeds the budget, @t->hot is the top bin, and the caller orders the folios in it by count. When
 * the sum is under 90 % of the budget, the bin below the hot ones is warm. No input overflows.
 *
 * Source: MEMTIS (SOSP 2023), Algorithm 1, whose loop condition prints "or" where "and" is meant.
 *
 * Context: Any; @h must not change meanwhile if the result is to be exact.
 */
void tc_thresholds_compute(const struct tc_histogram *h, u64 budget_pages, struct tc_thresholds *t);

/**
 * tc_classify - hot, warm or cold
 * @t: the thresholds
 * @bin: the bin of a folio
 *
 * Context: Any.
 * Return: the temperature of that bin.
 */
enum tc_temperature tc_classify(const struct tc_thresholds *t, unsigned int bin);

#endif /* TC_POLICY_THRESHOLDS_H */
