/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples from accessed bits, where no hardware can sample. Knows page frames, looks (young.h) and
 * the time they take. Does not know tiers, nor what the samples are used for.
 */
#ifndef TC_TRACK_SCAN_H
#define TC_TRACK_SCAN_H

#include <linux/types.h>

/**
 * struct tc_scan_settings - what the scanner may do
 * @interval_ms: between two looks at a page; 0: chosen by what they find
 * @limit_bp: share of one CPU that it may use, in 1/10000, at least 1
 */
struct tc_scan_settings {
	u32 interval_ms;
	u32 limit_bp;
};

/* Takes effect at the next slice. Context: process context. */
void tc_scan_configure(const struct tc_scan_settings *settings);

/**
 * tc_scan_aim() - how much fast memory there is for how much memory
 * @fast_pages: pages that fast memory may hold
 * @covered_pages: pages that samples are taken from
 *
 * Context: any but NMI.
 */
void tc_scan_aim(u64 fast_pages, u64 covered_pages);

/* CPU time that the scanner has used since it was loaded. Context: any. Return: ns. */
u64 tc_scan_busy_ns(void);

/**
 * struct tc_scan_counts - what the scanner did
 * @looks: looks that count; @young: of these, found accessed: one sample each
 * @first: looks before them, which only cleared the bits
 * @unsure: looks that could not be done without waiting, or at pages that have gone; not in @looks
 * @sets: sets of pages begun
 * @members: pages of the present set
 * @step: the present set has one in so many page frames
 * @interval_ms: between two looks at each of them, now
 */
struct tc_scan_counts {
	u64 looks;
	u64 young;
	u64 first;
	u64 unsure;
	u64 sets;
	u64 members;
	u64 step;
	u32 interval_ms;
};

void tc_scan_counts(struct tc_scan_counts *counts);

#endif /* TC_TRACK_SCAN_H */
