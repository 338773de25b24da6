/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Moves a batch of folios to another node: take, filter, isolate, migrate, give back, account.
 * Knows the kernel's contract for migration. Does not know why a folio is moved.
 */
#ifndef TC_MOVE_MOVER_H
#define TC_MOVE_MOVER_H

#include <linux/list.h>
#include <linux/types.h>

#include "account.h"
#include "wishes.h"

/* What migrate_pages() handles in one go; no folio is larger. */
#define TC_BATCH_PAGES 512

/**
 * struct tc_move - one folio of a batch that moved
 * @from: page frame of its first page before
 * @to: page frame of its first page now
 * @order: its order
 * @owner: owner tag of its first page
 */
struct tc_move {
	unsigned long from;
	unsigned long to;
	u8 order;
	u8 owner;
};

/**
 * struct tc_candidate - a folio that should leave its node, as it was when that was found
 * @pfn: page frame of its first page
 * @order: its order
 * @owner: owner tag of its first page; 0: whosever it is (self-test)
 * @bin: its bin
 * @left: steps that its last touch still counted (tc_touch_left())
 * @level: @bin plus the epoch of the heat map: two levels can be compared whenever they are of
 */
struct tc_candidate {
	unsigned long pfn;
	u8 order;
	u8 owner;
	u8 bin;
	u8 left;
	u32 level;
};

/**
 * struct tc_mover - a batch and the room to do it in; one per worker, reused
 * @folios: isolated folios
 * @target: node they go to
 * @dry_run: decide and count, take nothing
 * @own: the folios are the module's own (self-test): nobody to ask
 * @pages: 4 KiB pages that were taken, or in a dry run would have been
 * @isolated: folios in @folios; @isolated_pages: 4 KiB pages of them
 * @moves: target folios that the kernel asked for; after tc_mover_finish(), the folios moved
 * @nr_moves: entries of @moves
 * @no_memory: the target node had no memory for one; @failed_order: of this order
 * @memo: what owners said that were asked in this batch
 * @tally: what became of all that was tried
 */
struct tc_mover {
	struct list_head folios;
	int target;
	bool dry_run;
	bool own;
	unsigned int pages;
	unsigned int isolated;
	unsigned int isolated_pages;
	unsigned int nr_moves;
	bool no_memory;
	unsigned int failed_order;
	struct tc_wishes_memo memo;
	struct tc_tally tally;
	struct tc_move moves[TC_BATCH_PAGES];
};

/**
 * tc_mover_begin() - begin an empty batch
 * @mover: the worker's mover
 * @target: node to move to, with memory
 * @dry_run: only decide; what would be moved is counted as advised
 */
void tc_mover_begin(struct tc_mover *mover, int target, bool dry_run);

/**
 * tc_mover_refuse() - count a candidate that is not tried further
 * @mover: the batch
 * @candidate: the candidate
 * @source: node it was to leave
 * @why: the reason
 */
void tc_mover_refuse(struct tc_mover *mover, const struct tc_candidate *candidate, int source,
		     enum tc_outcome why);

/* Will this reason still hold in a while? Then trying again soon is work for nothing. */
bool tc_outcome_lasts(enum tc_outcome why);

/**
 * tc_mover_take() - add a folio to the batch, if it may be moved
 * @mover: a batch with room for the folio (TC_BATCH_PAGES in all)
 * @candidate: the folio
 * @source: node it is to leave
 * @lasting: set when the folio is not taken
 *
 * Whatever happened to the page since it became a candidate is noticed, and counted as the reason:
 * also that it was freed and is another owner's now (at an error of 1/255).
 *
 * Context: process context, between tc_offline_enter() and tc_offline_leave(); takes the locks of
 * tc_wishes_allow() and the LRU lock for a moment.
 *
 * Return: true when it was taken; false when not, then @lasting says whether the reason will still
 * hold in a while.
 */
bool tc_mover_take(struct tc_mover *mover, const struct tc_candidate *candidate, int source,
		   bool *lasting);

/**
 * tc_mover_finish() - move the batch and enter it in the account
 * @mover: the batch
 * @account: account of the worker's direction
 *
 * What could not be moved is back on the LRU when this returns. @mover->moves then lists what was.
 *
 * Context: process context, sleeps.
 */
void tc_mover_finish(struct tc_mover *mover, struct tc_account *account);

#endif /* TC_MOVE_MOVER_H */
