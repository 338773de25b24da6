// SPDX-License-Identifier: GPL-2.0
/*
 * The accounts of account.h.
 */
#include "account.h"

static void tc_tally_add(struct tc_tally *sum, const struct tc_tally *part)
{
	int i;

	sum->tried += part->tried;
	for (i = 0; i < TC_NR_OUTCOMES; i++)
		sum->outcome[i] += part->outcome[i];
	sum->moved_pages += part->moved_pages;
	sum->freed_pages += part->freed_pages;
	sum->mismatches += part->mismatches;
}

static bool tc_tally_closes(const struct tc_tally *tally)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < TC_NR_OUTCOMES; i++)
		sum += tally->outcome[i];
	return sum == tally->tried;
}

void tc_account_add(struct tc_account *account, struct tc_tally *batch)
{
	if (!tc_tally_closes(batch))
		batch->mismatches++;
	spin_lock(&account->lock);
	tc_tally_add(&account->tally, batch);
	spin_unlock(&account->lock);
}

void tc_account_read(struct tc_account *account, struct tc_tally *sum)
{
	spin_lock(&account->lock);
	tc_tally_add(sum, &account->tally);
	spin_unlock(&account->lock);
}
