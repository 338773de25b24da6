/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does a split pay for what it costs?
 * Knows accesses, latencies and costs in ns.
 * Does not know pages, nor where the figures come from.
 */
#ifndef TC_POLICY_PRICE_H
#define TC_POLICY_PRICE_H

#include "types.h"

/**
 * struct tc_price_input - all that a price depends on
 * @hot_per_s: accesses per second to the pieces that would move
 * @all_per_s: accesses per second to the whole huge page
 * @gain_ns: what an access gains in fast memory; 0: nothing
 * @residence_s: time for which the pieces are expected to stay there
 * @pages: 4 KiB pages that would be copied
 * @copy_ns: cost of copying one, all included
 * @split_ns: cost of the split
 * @tlb_miss_bp: of accesses to small pages, so many in 1/10000 need a page walk that a huge page's do not
 * @walk_ns: cost of a page walk
 *
 * Rates are cut at 10^9 a second, times at 10^6 s, shares at 10000.
 */
struct tc_price_input {
	u64 hot_per_s;
	u64 all_per_s;
	u32 gain_ns;
	u32 residence_s;
	u32 pages;
	u32 copy_ns;
	u32 split_ns;
	u32 tlb_miss_bp;
	u32 walk_ns;
};

/**
 * struct tc_price - what a split is worth
 * @benefit_ns: time that accesses save over the residence
 * @move_ns: cost of the split and of the copies
 * @tlb_ns: cost of page walks over the residence
 */
struct tc_price {
	u64 benefit_ns;
	u64 move_ns;
	u64 tlb_ns;
};

/**
 * tc_price_split - price a split
 * @in: the figures
 * @price: filled
 *
 *   benefit = hot_per_s * residence_s * gain_ns
 *   cost = split_ns + pages * copy_ns + all_per_s * residence_s * tlb_miss_bp / 10000 * walk_ns
 *
 * After a split, all of the huge page is mapped by small entries, so every access to it may need a walk, not only
 * those that move. Sums that would overflow stop at 2^64 - 1.
 *
 * Source: this project's; TierBPF has no price.
 *
 * Context: Any.
 * Return: true when the benefit is above the cost.
 */
bool tc_price_split(const struct tc_price_input *in, struct tc_price *price);

#endif /* TC_POLICY_PRICE_H */
