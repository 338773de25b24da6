/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Splits one huge page, if it may be: take, filter, ask, split, account. Knows what a split must
 * leave unchanged. Does not know why it is split.
 */
#ifndef TC_MOVE_SPLIT_H
#define TC_MOVE_SPLIT_H

#include <linux/types.h>

#include "account.h"
#include "wishes.h"

/**
 * struct tc_split_request - a huge page that should be split, as it was when that was found
 * @pfn: page frame of its first page
 * @owner: owner tag of its first page
 * @order: order of the pieces
 * @promote: asked for by promotion (engine/granularity.h), not for its skew
 * @pieces: pieces that matter, a bit for each 64 KiB, set for the first of each; where the kernel can, the rest
 *	stays as large as it is then; 0: all of it shall be pieces
 */
struct tc_split_request {
	unsigned long pfn;
	u8 owner;
	u8 order;
	bool promote;
	u32 pieces;
};

/**
 * struct tc_splitter - a batch of splits
 * @dry_run: decide and count, split nothing
 * @memo: what owners said that were asked in this batch
 * @tally: what became of those that were tried; TC_OUTCOME_MOVED is split here
 * @zero_pages: pages that held only zeroes and that the kernel freed
 */
struct tc_splitter {
	bool dry_run;
	struct tc_wishes_memo memo;
	struct tc_tally tally;
	u64 zero_pages;
};

/**
 * tc_split_try() - split a huge page
 * @splitter: the batch
 * @request: the huge page
 * @lasting: set when it was not split: the reason will still hold in a while
 *
 * It is refused for the reasons for which a move is, but for memory policies and cpusets: its pieces
 * stay where they are. The reasons are counted, as in moves.
 *
 * A page of zeroes is counted as freed when nobody refers to it right after the split. One that was
 * given to somebody else by then is missed, and one that its owner freed in that moment is counted.
 *
 * Context: process context, sleeps, between tc_offline_enter() and tc_offline_leave(); takes the
 * folio lock and the locks of tc_wishes_allow(), each by trylock, and the kernel's own for a split.
 *
 * Return: true when it was split.
 */
bool tc_split_try(struct tc_splitter *splitter, const struct tc_split_request *request,
		  bool *lasting);

#endif /* TC_MOVE_SPLIT_H */
