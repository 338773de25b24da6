// SPDX-License-Identifier: GPL-2.0
/*
 * In which parts of their huge pages processes access memory.
 * Knows processes by a number, sub-pages and epochs.
 * Does not know pages, nor what is done with a histogram.
 */
#include "subpage.h"

static void decay(struct tc_subpage *s, u32 epoch)
{
	u32 passed = epoch - s->epoch;
	unsigned int i;

	if (!passed)
		return;
	for (i = 0; i < TC_BLOCK_PAGES; i++)
		s->count[i] = passed > TC_SUBPAGE_EPOCHS_MAX ? 0 : s->count[i] >> passed;
	s->epoch = epoch;
}

static struct tc_subpage *find(struct tc_subpages *t, u32 tgid)
{
	u32 i;

	for (i = 0; i < t->nr; i++)
		if (t->entry[i].tgid == tgid)
			return &t->entry[i];
	return NULL;
}

/* A free entry, or that of the process that was not sampled for the longest time; NULL: there is no room at all. */
static struct tc_subpage *take(struct tc_subpages *t, u32 tgid, u32 epoch)
{
	struct tc_subpage *oldest = NULL;
	unsigned int i;

	for (i = 0; i < t->nr; i++)
		if (!oldest || t->entry[i].used < oldest->used)
			oldest = &t->entry[i];
	if (!oldest)
		return NULL;
	t->evicted += oldest->tgid != 0;
	oldest->tgid = tgid;
	oldest->epoch = epoch;
	for (i = 0; i < TC_BLOCK_PAGES; i++)
		oldest->count[i] = 0;
	return oldest;
}

void tc_subpages_sample(struct tc_subpages *t, u32 tgid, unsigned int page, u32 epoch)
{
	struct tc_subpage *s;

	if (!tgid)
		return;
	s = find(t, tgid);
	if (!s)
		s = take(t, tgid, epoch);
	if (!s)
		return;
	decay(s, epoch);
	s->used = ++t->samples;
	s->count[page % TC_BLOCK_PAGES]++;
}

const struct tc_subpage *tc_subpages_find(struct tc_subpages *t, u32 tgid, u32 epoch)
{
	struct tc_subpage *s = tgid ? find(t, tgid) : NULL;

	if (s)
		decay(s, epoch);
	return s;
}
