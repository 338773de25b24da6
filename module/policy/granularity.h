/* SPDX-License-Identifier: GPL-2.0 */
/*
 * To which size a huge page is worth splitting, and which of its pieces are hot.
 * Knows 512 counts, and where they come from.
 * Does not know folios, what the kernel can do, nor prices (price.h).
 */
#ifndef TC_POLICY_GRANULARITY_H
#define TC_POLICY_GRANULARITY_H

#include "bits.h"
#include "entropy.h"

/* Hot sub-pages cover so much of all samples (TierBPF: 80 %), in 1/10000. */
#define TC_COVERAGE_BP 8000U

/* A piece of which so many sub-pages are hot is hot (TierBPF: 75 %), in 1/10000. */
#define TC_DENSITY_BP 7500U

/* Order of the smallest pieces: 64 KiB. A huge page has at most 32 of them. */
#define TC_PIECE_ORDER_MIN 4
#define TC_PIECES_MAX (TC_BLOCK_PAGES >> TC_PIECE_ORDER_MIN)

/*
 * A profile of fewer samples says nothing of a huge page: a piece of 64 KiB that is to be dense needs samples on 12 sub-pages,
 * and chance must not make one.
 */
#define TC_BLOCK_SAMPLES_MIN 50U

/* A process's histogram says something of each of its huge pages from so many samples on. */
#define TC_PROCESS_SAMPLES_MIN 1000U

/**
 * enum tc_granularity_source - which profile decided
 * @TC_PROFILE_NONE: none has enough samples
 * @TC_PROFILE_BLOCK: the huge page's own
 * @TC_PROFILE_PROCESS: that of all huge pages of the process
 */
enum tc_granularity_source {
	TC_PROFILE_NONE,
	TC_PROFILE_BLOCK,
	TC_PROFILE_PROCESS,
	TC_NR_PROFILES
};

#define TC_PROFILE_NAMES { "none", "block", "process" }

/**
 * enum tc_granularity_why - what the profile says
 * @TC_GRANULARITY_FEW: too few samples: leave it whole
 * @TC_GRANULARITY_FLAT: evenly used: leave it whole
 * @TC_GRANULARITY_SPARSE: no piece of any size is dense: leave it whole (the paper is silent)
 * @TC_GRANULARITY_DENSE: all of it is: leave it whole
 * @TC_GRANULARITY_SPLIT: into pieces of @order
 */
enum tc_granularity_why {
	TC_GRANULARITY_FEW,
	TC_GRANULARITY_FLAT,
	TC_GRANULARITY_SPARSE,
	TC_GRANULARITY_DENSE,
	TC_GRANULARITY_SPLIT,
	TC_NR_GRANULARITY_WHYS
};

#define TC_GRANULARITY_NAMES { "few", "flat", "sparse", "dense", "split" }

/**
 * struct tc_granularity - what a profile says of a huge page
 * @why: the reason
 * @source: the profile
 * @order: order of the pieces; TC_BLOCK_ORDER: leave it whole
 * @evenness: of the profile
 * @threshold: lowest count of a hot sub-page
 * @hot: sub-pages that are hot
 * @nr_hot: how many
 */
struct tc_granularity {
	enum tc_granularity_why why;
	enum tc_granularity_source source;
	unsigned int order;
	struct tc_evenness evenness;
	u32 threshold;
	u64 hot[TC_BLOCK_WORDS];
	unsigned int nr_hot;
};

/**
 * struct tc_piece - a piece of a huge page
 * @page: its first sub-page
 * @hot: hot sub-pages in it
 */
struct tc_piece {
	u16 page;
	u16 hot;
};

/**
 * tc_granularity_decide - to which size?
 * @block: 512 counts of the huge page itself, in 1/16 sample
 * @process: 512 counts of its process, in samples; NULL: not known
 * @g: filled
 *
 * The block's own profile decides when it has TC_BLOCK_SAMPLES_MIN samples, else the process's, when that has
 * TC_PROCESS_SAMPLES_MIN. A flat one leaves the huge page whole. Else hot are the fewest sub-pages that cover
 * TC_COVERAGE_BP of all samples, and those with as many as the last of them; the order is the largest of 9, 8, .. 4 that has
 * an aligned piece of which TC_DENSITY_BP are hot.
 *
 * Source: TierBPF, granularity filter; the bias rule is tc_is_flat()'s.
 *
 * Context: Any.
 */
void tc_granularity_decide(const u32 *block, const u32 *process, struct tc_granularity *g);

/**
 * tc_granularity_pieces - which pieces move
 * @g: what was decided
 * @order: order of the pieces, TC_PIECE_ORDER_MIN .. TC_BLOCK_ORDER; it need not be @g->order
 * @trigger: sub-page whose access began this
 * @piece: room for TC_PIECES_MAX, filled: the dense ones, densest first, and that of @trigger, wherever its density puts it
 *
 * Source: TierBPF, hot sub-folios and the faulting one.
 *
 * Context: Any.
 * Return: how many.
 */
unsigned int tc_granularity_pieces(const struct tc_granularity *g, unsigned int order,
				   unsigned int trigger, struct tc_piece *piece);

#endif /* TC_POLICY_GRANULARITY_H */
