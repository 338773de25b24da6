// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of split.h, over the kernel's uniform split and that of 7.x around a page.
 */
#include <linux/mm.h>
#include <linux/page-flags.h>
#include <linux/pagemap.h>

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
	/* Swap-backed and not anonymous: tmpfs and shared memory. */
	if (!folio_test_swapbacked(folio) || !folio->mapping)
		return false;
	return !order ||
	       (tc_split_paths_available() && mapping_large_folio_support(folio->mapping));
}

bool tc_split_plausible(const struct folio *folio, unsigned int order)
{
	if (folio_test_anon(folio))
		return order != 1 && !folio_test_swapcache(folio);
	return folio_test_swapbacked(folio) && (!order || tc_split_paths_available());
}

bool tc_split_paths_available(void)
{
	return tc_symbol_found(TC_SYMBOL_folio_split);
}

int tc_split_path(struct folio *folio, unsigned int order, struct page *piece)
{
	return static_call(tc_folio_split)(folio, order, piece, NULL);
}

int tc_split_folio(struct folio *folio, unsigned int order)
{
	return static_call(tc___split_huge_page_to_list_to_order)(&folio->page, NULL, order);
}
