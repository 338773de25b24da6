/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a page frame number to a folio that stays while it is looked at, and who owns it.
 * Knows the kernel's rules for taking a reference; decides nothing.
 */
#ifndef TC_TRACK_FOLIO_H
#define TC_TRACK_FOLIO_H

#include <linux/hash.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/page-flags.h>

#include "../policy/block.h"
#include "offline.h"

/**
 * tc_folio_get() - take a reference to the folio of a page frame
 * @pfn: any number, also one that no memory has
 *
 * The folio may have changed between the look and the reference, so it is looked at again
 * with the reference held. A reference keeps the folio from being freed, split or merged.
 *
 * Context: between tc_offline_enter() and tc_offline_leave(), which keep its memory; no lock.
 *
 * Return: the folio, to be given back by folio_put(); NULL when there is no online page, it
 * is free or it belongs to a folio that is just changing.
 */
static inline struct folio *tc_folio_get(unsigned long pfn)
{
	struct page *page = tc_offline_going(pfn) ? NULL : pfn_to_online_page(pfn);
	struct folio *folio;

	if (!page)
		return NULL;
	folio = page_folio(page);
	if (!folio_try_get(folio))
		return NULL;
	if (unlikely(page_folio(page) != folio)) {
		folio_put(folio);
		return NULL;
	}
	return folio;
}

/*
 * The page frame behind a free block, of which this is the first page. It may be given out meanwhile,
 * and its order be any number: then pages are passed over, which the next pass finds.
 */
static inline unsigned long tc_behind_free(const struct page *page, unsigned long pfn)
{
	unsigned long order = READ_ONCE(page->private);

	return pfn + (order <= MAX_PAGE_ORDER ? 1UL << order : 1);
}

/* Only what can be on an LRU list and leave it has heat: the rest could not be moved anyway. */
static inline bool tc_folio_trackable(const struct folio *folio)
{
	return folio_test_lru(folio) && !folio_test_unevictable(folio) &&
	       folio_order(folio) <= TC_BLOCK_ORDER;
}

/**
 * tc_folio_owner() - owner tag of a folio's first page
 * @folio: folio on the LRU, reference held
 *
 * A hash of the mapping and the place in it, so that a page which was freed and reused has
 * another tag (at an error of 1/255). The page i of the folio has tc_owner_at(tag, i): a page
 * keeps its tag when its folio is split, merged in place or migrated.
 *
 * Return: 1..255.
 */
static inline u8 tc_folio_owner(const struct folio *folio)
{
	u64 place = hash_long((unsigned long)folio->mapping, 32) + folio->index;

	return 1 + place % 255;
}

/**
 * tc_folio_region() - key of the region of 2 MiB that a page of a folio lies in
 * @folio: folio on the LRU, reference held
 * @page: number of the page in the folio
 *
 * By mapping and place, so a collapse or a copy does not change it. Return: a key, never 0.
 */
static inline u64 tc_folio_region(const struct folio *folio, unsigned int page)
{
	u64 place = (folio->index + page) >> TC_BLOCK_ORDER;

	return hash_64((unsigned long)folio->mapping ^ hash_64(place, 64), 64) | 1ULL << 63;
}

/**
 * tc_folio_read_again() - has the kernel found it used more than once since it was last aged?
 * @folio: folio, reference held
 *
 * By system calls too: MGLRU says so by PG_workingset, the two lists by PG_active. Racy.
 */
static inline bool tc_folio_read_again(const struct folio *folio)
{
	return folio_test_workingset(folio) || folio_test_active(folio);
}

#endif /* TC_TRACK_FOLIO_H */
