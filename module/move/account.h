/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What became of the folios that were tried, per node and direction. Knows sums; a batch is
 * entered whole, so that every reading adds up. Does not know how an outcome comes about.
 */
#ifndef TC_MOVE_ACCOUNT_H
#define TC_MOVE_ACCOUNT_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include <thermocline/outcomes.h>

/**
 * struct tc_tally - folios tried and what became of them
 * @tried: folios
 * @outcome: of these, by outcome; the sum over all equals @tried
 * @moved_pages: 4 KiB pages of the folios moved
 * @freed_pages: 4 KiB pages of the folios whose owner freed them during the move; the kernel's
 *               pgmigrate_success counts these as moved
 * @mismatches: batches in which the sums did not close, or the kernel counted other pages
 */
struct tc_tally {
	u64 tried;
	u64 outcome[TC_NR_OUTCOMES];
	u64 moved_pages;
	u64 freed_pages;
	u64 mismatches;
};

/* A tally that is written by one worker and read by anyone. */
struct tc_account {
	spinlock_t lock;
	struct tc_tally tally;
};

static inline void tc_account_init(struct tc_account *account)
{
	spin_lock_init(&account->lock);
}

/**
 * tc_account_add() - enter a batch
 * @account: where
 * @batch: the batch; a sum that does not close is counted as a mismatch
 *
 * Context: process context; takes the account's lock.
 */
void tc_account_add(struct tc_account *account, struct tc_tally *batch);

/**
 * tc_account_read() - add an account to a tally
 * @account: the account
 * @sum: what it is added to
 *
 * Context: process context; takes the account's lock.
 */
void tc_account_read(struct tc_account *account, struct tc_tally *sum);

#endif /* TC_MOVE_ACCOUNT_H */
