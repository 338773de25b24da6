// SPDX-License-Identifier: GPL-2.0
/*
 * The filters of filter.h. When in doubt a folio is not moved, and the reason is counted.
 */
#include <linux/memremap.h>
#include <linux/mm.h>
#include <linux/page-flags.h>

#include "filter.h"

/*
 * References that the page tables, the page cache, the swap cache and private data hold. The
 * kernel's folio_expected_ref_count() says the same, but not every 6.12 has it.
 */
static int tc_expected_references(struct folio *folio)
{
	int references = folio_mapcount(folio);

	if (folio_test_swapcache(folio))
		references += folio_nr_pages(folio);
	if (!folio_test_anon(folio)) {
		references += folio->mapping ? folio_nr_pages(folio) : 0;
		references += folio_test_private(folio);
	}
	return references;
}

/* Does somebody beside these and the caller hold one: a pin, a driver, another CPU? */
static bool tc_referenced(struct folio *folio)
{
	return folio_ref_count(folio) > tc_expected_references(folio) + 1;
}

static bool tc_poisoned(struct folio *folio)
{
	return folio_test_hwpoison(folio) ||
	       (folio_test_large(folio) && folio_test_has_hwpoisoned(folio));
}

static bool tc_partially_mapped(struct folio *folio)
{
	return folio_test_large(folio) && folio_test_partially_mapped(folio);
}

bool tc_movable(struct folio *folio, enum tc_outcome *why)
{
	if (folio_test_hugetlb(folio))
		*why = TC_OUTCOME_HUGETLB;
	else if (folio_is_zone_device(folio))
		*why = TC_OUTCOME_DEVICE;
	else if (tc_poisoned(folio))
		*why = TC_OUTCOME_HWPOISON;
	else if (!folio_test_lru(folio))
		*why = TC_OUTCOME_ISOLATED;
	else if (folio_test_mlocked(folio))
		*why = TC_OUTCOME_MLOCKED;
	else if (folio_test_unevictable(folio))
		*why = TC_OUTCOME_UNEVICTABLE;
	else if (folio_test_ksm(folio))
		*why = TC_OUTCOME_KSM;
	else if (folio_test_writeback(folio))
		*why = TC_OUTCOME_WRITEBACK;
	else if (tc_partially_mapped(folio))
		*why = TC_OUTCOME_PARTIAL;
	else if (folio_maybe_dma_pinned(folio))
		*why = TC_OUTCOME_PINNED;
	else if (tc_referenced(folio))
		*why = TC_OUTCOME_REFERENCED;
	else
		return true;
	return false;
}
