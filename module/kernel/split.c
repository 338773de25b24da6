// SPDX-License-Identifier: GPL-2.0
/*
 * The function of split.h, over the kernel's uniform split.
 */
#include <linux/mm.h>
#include <linux/page-flags.h>

#include "split.h"
#include "symbols.h"

bool tc_split_available(void)
{
	return tc_symbol_found(TC_SYMBOL___split_huge_page_to_list_to_order);
}

bool tc_split_possible(const struct folio *folio, unsigned int order)
{
	if (order >= folio_order(folio) || folio_test_swapcache(folio))
		return false;
	if (folio_test_anon(folio))
		return order != 1;
	/* Swap-backed and not anonymous: tmpfs and shared memory. 7.x could do any order. */
	return folio_test_swapbacked(folio) && folio->mapping && !order;
}

int tc_split_folio(struct folio *folio, unsigned int order)
{
	return static_call(tc___split_huge_page_to_list_to_order)(&folio->page, NULL, order);
}
