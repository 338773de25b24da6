/* SPDX-License-Identifier: GPL-2.0 */
/*
 * In which parts of their huge pages processes access memory: a histogram of 512 sub-pages for each of a bounded number
 * of processes, whatever their size.
 * Knows processes by a number, sub-pages and epochs.
 * Does not know pages, nor what is done with a histogram.
 */
#ifndef TC_POLICY_SUBPAGE_H
#define TC_POLICY_SUBPAGE_H

#include "types.h"

/* Histograms that are kept; the process that was not sampled for the longest time gives its own away. */
#define TC_SUBPAGE_PROCESSES 64U

/* Length of an epoch (TierBPF's prototype), and the most that are told apart: then all is forgotten. */
#define TC_SUBPAGE_EPOCH_S 10U
#define TC_SUBPAGE_EPOCHS_MAX 10U

/**
 * struct tc_subpage - histogram of one process
 * @tgid: its number; 0: free
 * @epoch: up to which @count is decayed
 * @used: number of its last sample in the table
 * @count: samples by sub-page, halved at each epoch. The paper has counters of 8 bytes; what decays every
 *	10 s stays far below 2^32
 */
struct tc_subpage {
	u32 tgid;
	u32 epoch;
	u64 used;
	u32 count[TC_BLOCK_PAGES];
};

/**
 * struct tc_subpages - histograms of processes
 * @entry: room for @nr
 * @nr: entries, at most TC_SUBPAGE_PROCESSES
 * @samples: samples so far
 * @evicted: histograms that were given away
 */
struct tc_subpages {
	struct tc_subpage *entry;
	u32 nr;
	u64 samples;
	u64 evicted;
};

/**
 * tc_subpages_sample - one sample
 * @t: the table, zeroed at first but for its room
 * @tgid: the process; 0: not known, nothing is counted
 * @page: sub-page, (virtual address >> 12) & 511 (the paper prints "% 511")
 * @epoch: epoch of now
 *
 * Source: TierBPF, global sub-page histogram; decay: a count shifts right by the epochs passed.
 *
 * Context: The owner of @t.
 */
void tc_subpages_sample(struct tc_subpages *t, u32 tgid, unsigned int page, u32 epoch);

/**
 * tc_subpages_find - histogram of a process
 * @t: the table
 * @tgid: the process
 * @epoch: epoch of now
 *
 * Context: The owner of @t.
 * Return: the histogram, decayed up to now; NULL when none is kept.
 */
const struct tc_subpage *tc_subpages_find(struct tc_subpages *t, u32 tgid, u32 epoch);

#endif /* TC_POLICY_SUBPAGE_H */
