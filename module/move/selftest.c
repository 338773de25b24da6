// SPDX-License-Identifier: GPL-2.0
/*
 * The self-test of selftest.h, on pages that belong to nobody else.
 */
#include <linux/file.h>
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>

#include "../kernel/symbols.h"
#include "../track/offline.h"
#include "mover.h"
#include "selftest.h"

#define TC_SELFTEST_PAGES 32

/* The flags of a mapping became a type of their own in 7.x, together with this macro. */
#ifdef EMPTY_VMA_FLAGS
#define TC_NO_VMA_FLAGS EMPTY_VMA_FLAGS
#else
#define TC_NO_VMA_FLAGS 0
#endif

static u64 tc_pattern(pgoff_t index, unsigned int word)
{
	return ((u64)index << 32 | word) * 0x9e3779b97f4a7c15ULL;
}

/* A folio of the file: where its first page is, and its order; @pfn 0: the same as the one before. */
struct tc_own_folio {
	unsigned long pfn;
	unsigned int order;
};

/* Writes the pattern or compares with it. Returns 0, -EIO for a wrong word, or another error. */
static int tc_selftest_page(struct file *file, pgoff_t index, bool fill, struct tc_own_folio *own)
{
	struct folio *folio = shmem_read_folio(file->f_mapping, index);
	unsigned int word;
	int err = 0;
	u64 *words;

	if (IS_ERR(folio))
		return PTR_ERR(folio);
	words = kmap_local_folio(folio, offset_in_folio(folio, index << PAGE_SHIFT));
	for (word = 0; word < PAGE_SIZE / sizeof(*words); word++) {
		if (fill)
			words[word] = tc_pattern(index, word);
		else if (words[word] != tc_pattern(index, word))
			err = -EIO;
	}
	kunmap_local(words);
	folio_mark_dirty(folio);
	*own = (struct tc_own_folio){};
	/* A file of huge pages has one folio for many of its pages. */
	if (!index || folio->index == index)
		*own = (struct tc_own_folio){ folio_pfn(folio), folio_order(folio) };
	folio_put(folio);
	return err;
}

static int tc_selftest_pages(struct file *file, bool fill, struct tc_own_folio *own)
{
	pgoff_t index;
	int err = 0;

	for (index = 0; index < TC_SELFTEST_PAGES && !err; index++)
		err = tc_selftest_page(file, index, fill, &own[index]);
	return err;
}

/* Returns the folios moved to @node, or -EIO when the kernel and the module disagree. */
static int tc_selftest_move(struct tc_mover *mover, const struct tc_own_folio *own, int node)
{
	struct tc_account account = {};
	struct tc_candidate candidate;
	bool unused;
	int i, token;

	tc_account_init(&account);
	static_call(tc_lru_add_drain_all)();
	token = tc_offline_enter();
	tc_mover_begin(mover, node, false);
	mover->own = true;
	for (i = 0; i < TC_SELFTEST_PAGES; i++) {
		if (!own[i].pfn || pfn_to_nid(own[i].pfn) == node)
			continue;
		candidate = (struct tc_candidate){ .pfn = own[i].pfn, .order = own[i].order };
		tc_mover_take(mover, &candidate, pfn_to_nid(own[i].pfn), &unused);
	}
	tc_mover_finish(mover, &account);
	tc_offline_leave(token);

	for (i = 0; i < mover->nr_moves; i++)
		if (pfn_to_nid(mover->moves[i].to) != node)
			return -EIO;
	return account.tally.mismatches ? -EIO : mover->nr_moves;
}

static int tc_selftest_run(struct file *file, struct tc_mover *mover, struct tc_own_folio *own,
			   int to, int back)
{
	const int nodes[] = { to, back };
	int i, err, moved = 0;

	err = tc_selftest_pages(file, true, own);
	for (i = 0; i < ARRAY_SIZE(nodes) && !err; i++) {
		err = tc_selftest_move(mover, own, nodes[i]);
		if (err >= 0) {
			moved += err;
			err = tc_selftest_pages(file, false, own);
		}
	}
	if (err)
		return err;
	return moved ? 0 : -EAGAIN;
}

int tc_selftest(int to, int back, const char **why)
{
	struct tc_mover *mover = kvzalloc(sizeof(*mover), GFP_KERNEL);
	struct tc_own_folio *own = kcalloc(TC_SELFTEST_PAGES, sizeof(*own), GFP_KERNEL);
	struct file *file;
	int err = -ENOMEM;

	if (!mover || !own)
		goto out;
	file = shmem_file_setup("thermocline-selftest", TC_SELFTEST_PAGES << PAGE_SHIFT,
				TC_NO_VMA_FLAGS);
	err = PTR_ERR_OR_ZERO(file);
	if (err)
		goto out;
	err = tc_selftest_run(file, mover, own, to, back);
	fput(file);
out:
	kfree(own);
	kvfree(mover);
	if (err == -EIO)
		*why = "the self-test moved own pages and found a wrong byte, place or count";
	else if (err)
		*why = "the self-test could not move its own pages";
	return err;
}
