// SPDX-License-Identifier: GPL-2.0
/*
 * The filters of filter.h. When in doubt a folio is not moved, and the reason is counted.
 */
#include <linux/memremap.h>
#include <linux/mm.h>
#include <linux/page-flags.h>

#include "filter.h"

/* References beside the page tables', the caches' and the caller's: a pin, a driver, another CPU. */
static bool tc_referenced(struct folio *folio)
{
	return folio_ref_count(folio) > folio_expected_ref_count(folio) + 1;
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
	else if (folio_contain_hwpoisoned_page(folio))
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
