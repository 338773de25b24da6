/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether huge pages should be split now, how many, and into what.
 * Knows numbers of samples, hit ratios and latencies.
 * Does not know which huge pages there are (skew.h), nor how one is split.
 */
#ifndef TC_POLICY_SPLIT_H
#define TC_POLICY_SPLIT_H

#include "skew.h"

/* rHR must have risen by so much, in 1/10000, for a round of splits to have paid. */
#define TC_SPLIT_GAIN_BP 300U

/* After a round whose splits did not pay, windows to wait: twice as many each time, up to here. */
#define TC_SPLIT_WAIT_FIRST 2U
#define TC_SPLIT_WAIT_MAX 1024U

/**
 * struct tc_window - sampled accesses from one check to the next
 * @all: all of them
 * @fast: to fast memory
 * @base: to pages that were hot as base pages by then: what could have been fast, had every page
 *	been placed by itself
 *
 * All three are of the same samples, so their ratios may be compared. rHR is @fast / @all, eHR is
 * @base / @all.
 *
 * Source: MEMTIS (SOSP 2023), real and estimated base page hit ratio.
 */
struct tc_window {
	u64 all;
	u64 fast;
	u64 base;
};

/**
 * struct tc_split_pace - when splits were tried and whether they paid
 * @settle: windows until the last round is judged; 0: none waits for that
 * @wait: windows until the next round may begin
 * @backoff: @wait after the last round that did not pay; 0 after one that did
 * @before_bp: rHR before the last round, in 1/10000
 * @paid, @unpaid: rounds that did and that did not
 */
struct tc_split_pace {
	u32 settle;
	u32 wait;
	u32 backoff;
	u32 before_bp;
	u64 paid;
	u64 unpaid;
};

/* A share in 1/10000; 0 of nothing is 0. Counts are below 2^50. */
static inline u32 tc_window_bp(u64 part, u64 all)
{
	return all ? part * 10000 / all : 0;
}

/**
 * tc_window_gap_bp - eHR - rHR
 * @w: a window
 *
 * Context: Any.
 * Return: in 1/10000; 0 when eHR is not the larger one.
 */
u32 tc_window_gap_bp(const struct tc_window *w);

/**
 * tc_split_samples - length of a window
 * @pages: 4 KiB pages that can have heat
 * @adaptation: samples between two computations of the thresholds
 *
 * A quarter of the pages in samples, but never shorter than an adaptation.
 *
 * Source: MEMTIS (SOSP 2023), split decision.
 *
 * Context: Any.
 * Return: samples.
 */
u64 tc_split_samples(u64 pages, u32 adaptation);

/**
 * tc_split_due - a window is over: are splits wanted?
 * @pace: the history, zeroed at first
 * @w: the window
 * @gap_bp: least gap, in 1/10000
 *
 * A round is judged by the second window after its last split: in the first one its pieces are on
 * their way. When rHR did not rise by TC_SPLIT_GAIN_BP, splitting waits TC_SPLIT_WAIT_FIRST windows,
 * twice as long each time, and is tried again; the prototype of MEMTIS gives up for good.
 *
 * Context: The owner of @pace.
 * Return: true when a round may begin.
 */
bool tc_split_due(struct tc_split_pace *pace, const struct tc_window *w, u32 gap_bp);

/**
 * tc_split_began - huge pages were split in a round
 * @pace: the history
 * @w: the window that decided it
 *
 * Context: The owner of @pace; a new window begins now.
 */
void tc_split_began(struct tc_split_pace *pace, const struct tc_window *w);

/**
 * tc_split_count - how many huge pages to split
 * @w: the window that decided it
 * @huge: huge pages that have hot base pages
 * @fast_ns: latency of fast memory in ns, not 0
 * @slow_ns: latency of slow memory in ns
 *
 *   Ns = (0.95 eHR - rHR) * huge * (slow_ns - fast_ns) / fast_ns * 0.4
 *
 * which is the gap in samples over the samples that such a huge page had on average, and so on. In
 * steps of 1/1024 huge page and 1/1000 of latency, rounded down, but at least 1 when it is above 0.
 *
 * Source: MEMTIS (SOSP 2023), number of huge pages to split; 0.95 and 0.4 are its prototype's.
 *
 * Context: Any.
 * Return: huge pages.
 */
u64 tc_split_count(const struct tc_window *w, u64 huge, u32 fast_ns, u32 slow_ns);

/**
 * enum tc_split_policy - who says into what a huge page is split
 * @TC_SPLIT_OFF: nobody, it stays whole
 * @TC_SPLIT_MEMTIS: skew, as soon as base pages could have more accesses served by fast memory: into base pages
 * @TC_SPLIT_TIERBPF: its profile, when it is to be promoted and slow memory is pressed: see granularity.h
 * @TC_SPLIT_JOINT: the same, when it pays: see price.h
 */
enum tc_split_policy {
	TC_SPLIT_OFF,
	TC_SPLIT_MEMTIS,
	TC_SPLIT_TIERBPF,
	TC_SPLIT_JOINT,
	TC_NR_SPLIT_POLICIES
};

#define TC_SPLIT_POLICY_NAMES { "off", "memtis", "tierbpf", "joint" }

/* Is a huge page split when it is to be promoted? */
static inline bool tc_split_at_promotion(enum tc_split_policy policy)
{
	return policy == TC_SPLIT_TIERBPF || policy == TC_SPLIT_JOINT;
}

/**
 * tc_split_order - order of the pieces of a skewed huge page
 * @policy: who says
 * @p: its profile
 *
 * Policies that split at promotion leave it alone here.
 *
 * Context: Any.
 * Return: the order; TC_BLOCK_ORDER: leave it whole.
 */
unsigned int tc_split_order(enum tc_split_policy policy, const struct tc_profile *p);

#endif /* TC_POLICY_SPLIT_H */
