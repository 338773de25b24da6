/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is kept of the use of single pages, to characterize memory by its type: when a page was last
 * accessed, how often, and what many such pages add up to.
 * Knows page frame numbers, owner tags and a clock of ticks.
 * Does not know what type a page has, whose it is, nor how it is found.
 *
 * Of each stratum of 2^shift page frames in a row one frame is tracked, chosen by a hash. Every frame is
 * as likely to be the one, so what is found of tracked pages, times 2^shift, is an unbiased estimate
 * for all pages. Its standard error is at most that of independent choices: for an estimate of x pages,
 * sqrt(x * (2^shift - 1)).
 *
 * Source: Chameleon (TPP, ASPLOS 2023, section 3): temperature and re-access intervals of memory by page
 * type, from samples. The choice of pages by a hash is that of SHARDS (FAST 2015).
 */
#ifndef TC_POLICY_USAGE_H
#define TC_POLICY_USAGE_H

#include "types.h"

/* Types of pages that are told apart, and their names in tables. */
enum tc_page_type {
	TC_PAGE_ANON,
	TC_PAGE_FILE_MAPPED,
	TC_PAGE_CACHE,
	TC_PAGE_SHMEM,
	TC_NR_PAGE_TYPES
};

#define TC_PAGE_TYPE_NAMES { "anon", "file_mapped", "page_cache", "shmem" }

/* The clock: a unit of time (temperature_unit_s, by default a minute) has so many ticks. */
#define TC_USE_TICKS 64U

/* A window of samples, for the working set, is so many units long. */
#define TC_USE_WINDOW 10U

/* Pages tracked at most, as long as memory does not grow; and the smallest stratum that costs little. */
#define TC_USE_PAGES 65536U
#define TC_USE_SHIFT_MIN 8U
#define TC_USE_SHIFT_MAX 20U

/**
 * enum tc_span - classes of times, in units
 * @TC_SPAN_1: less than 1; @TC_SPAN_2: less than 2; @TC_SPAN_5: less than 5
 * @TC_SPAN_10: less than 10; @TC_SPAN_LONGER: 10 and more
 * @TC_NR_SPANS: number of classes; as an answer: there is no such time
 *
 * Source: Chameleon (TPP, ASPLOS 2023), intervals of 1, 2, 5 and 10 minutes.
 */
enum tc_span { TC_SPAN_1, TC_SPAN_2, TC_SPAN_5, TC_SPAN_10, TC_SPAN_LONGER, TC_NR_SPANS };

/**
 * struct tc_use - what is known of the use of one page
 * @tick: when it was last accessed, or, when it never was, first seen under its present owner
 * @samples: on it in the present window, up to 65535
 * @owner: tag of its owner then, 1 .. 255; 0: nothing is known
 * @accessed: an access was seen
 */
struct tc_use {
	u32 tick;
	u16 samples;
	u8 owner;
	bool accessed;
};

/* Classes of pages by their numbers of samples: powers of two. */
#define TC_USE_BINS 16

/**
 * struct tc_use_tally - what tracked pages add up to
 * @accessed: pages by the time since their last access
 * @untouched: pages that were not accessed since they were first seen: not within 10 units
 * @fresh: the same, but first seen less than 10 units ago: how cold they are is not known
 * @sampled: pages by the binary logarithm of their number of samples in the window
 * @samples: the samples on these pages
 */
struct tc_use_tally {
	u32 accessed[TC_NR_SPANS];
	u32 untouched;
	u32 fresh;
	u32 sampled[TC_USE_BINS];
	u64 samples[TC_USE_BINS];
};

/**
 * tc_use_frame - the tracked page frame of a stratum
 * @stratum: number of the stratum: page frame number >> @shift
 * @shift: binary logarithm of the size of a stratum, at most TC_USE_SHIFT_MAX
 * @seed: which choice
 *
 * Context: Any.
 * Return: its page frame number.
 */
static inline u64 tc_use_frame(u64 stratum, unsigned int shift, u64 seed)
{
	u64 hash = (stratum ^ seed) * 0x9e3779b97f4a7c15ULL;

	hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93ULL;
	return stratum << shift | (hash >> 32 & ((1U << shift) - 1));
}

/* Is this page frame the tracked one of its stratum? Context: Any. */
static inline bool tc_use_tracked(u64 pfn, unsigned int shift, u64 seed)
{
	return tc_use_frame(pfn >> shift, shift, seed) == pfn;
}

/**
 * tc_use_shift - how large strata are, by the size of memory
 * @pages: pages of memory
 *
 * Context: Any.
 * Return: the smallest binary logarithm from TC_USE_SHIFT_MIN on with at most TC_USE_PAGES strata, or
 * TC_USE_SHIFT_MAX.
 */
unsigned int tc_use_shift(u64 pages);

/**
 * tc_span - class of a time
 * @ticks: the time
 *
 * Context: Any.
 * Return: the class, below TC_NR_SPANS.
 */
enum tc_span tc_span(u32 ticks);

/**
 * tc_use_sample - an access of a page was seen
 * @use: the page
 * @owner: its owner tag, not 0
 * @tick: now
 *
 * What is known of another owner's page is forgotten. Samples of one tick are one access: together they
 * end one interval, and begin one.
 *
 * Context: The writer.
 * Return: class of the interval since the access before, or TC_NR_SPANS when none is known.
 */
enum tc_span tc_use_sample(struct tc_use *use, u8 owner, u32 tick);

/**
 * tc_use_count - a page is there: count it
 * @use: the page
 * @owner: its owner tag, not 0
 * @tick: now
 * @tally: where it is counted
 *
 * What is known of another owner's page is forgotten.
 *
 * Context: The writer.
 */
void tc_use_count(struct tc_use *use, u8 owner, u32 tick, struct tc_use_tally *tally);

/**
 * tc_use_tally_add - add one tally to another
 * @to: the sum
 * @from: what is added
 *
 * Context: The writer of @to.
 */
void tc_use_tally_add(struct tc_use_tally *to, const struct tc_use_tally *from);

/**
 * tc_use_pages - all pages of a tally
 * @tally: the tally
 *
 * Context: Any.
 * Return: tracked pages.
 */
u64 tc_use_pages(const struct tc_use_tally *tally);

/**
 * tc_use_samples - all samples of a tally
 * @tally: the tally
 * @pages: set to the number of pages that had at least one
 *
 * Context: Any.
 * Return: samples on tracked pages in the window.
 */
u64 tc_use_samples(const struct tc_use_tally *tally, u64 *pages);

/**
 * tc_use_needed - how few pages took so many of the samples?
 * @tally: the tally
 * @share_bp: share of the samples in 1/10000
 *
 * The most sampled pages come first. In the last class that is needed all pages are taken to have as
 * many samples as the mean of the class, so the answer is at most twice as many of that class's pages as
 * are needed, and never too few.
 *
 * Source: TPP (ASPLOS 2023, section 3): how small the fast tier could be.
 *
 * Context: Any.
 * Return: tracked pages; 0 when there were no samples.
 */
u64 tc_use_needed(const struct tc_use_tally *tally, u32 share_bp);

#endif /* TC_POLICY_USAGE_H */
