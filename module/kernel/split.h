/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Splitting a large folio, on every kernel of the window. Knows what the kernel can split and what
 * it does with the pieces. Decides nothing.
 */
#ifndef TC_KERNEL_SPLIT_H
#define TC_KERNEL_SPLIT_H

#include <linux/mm_types.h>
#include <linux/types.h>

/* Has this kernel the function? */
bool tc_split_available(void);

/* Can this kernel split a folio around one piece, so that the rest stays as large as can be? 6.12 cannot. */
bool tc_split_paths_available(void);

/**
 * tc_split_possible() - would the kernel split this folio into pieces of an order?
 * @folio: large folio, locked
 * @order: order of the pieces
 *
 * The kernel refuses, with a warning in some versions: order 1 of anonymous memory (its pieces have
 * no room for the list of deferred splits), any order but 0 of tmpfs and shared memory on 6.12, and later where a
 * mapping was made without large folios; and what is in the swap cache. The page cache of file systems is never asked for: splitting it may
 * mean to write its metadata, and may be refused below the file system's own block size.
 *
 * Context: any but NMI.
 */
bool tc_split_possible(const struct folio *folio, unsigned int order);

/**
 * tc_split_plausible() - as far as can be told without the lock: could it be so?
 * @folio: large folio, reference held
 * @order: order of the pieces
 *
 * The mapping of an unlocked folio may go at any time, so it is not looked at: what this allows, tc_split_possible() may refuse.
 *
 * Context: any but NMI.
 */
bool tc_split_plausible(const struct folio *folio, unsigned int order);

/**
 * tc_split_folio() - split a folio into equal pieces
 * @folio: large folio on the LRU, locked; the caller holds one reference and nobody else's is
 *	expected
 * @order: order of the pieces, for which tc_split_possible() is true
 *
 * The pieces are on the LRU beside each other. @folio is then the first of them: it is still locked,
 * and the caller's reference is one to it; the others are unlocked and have no reference but those
 * of their mappings. (The kernel leaves both with the page that it was given, here the first one.)
 *
 * Pages of anonymous memory that hold nothing but zeroes do not come back when @order is 0: the
 * kernel maps the shared zero page in their place and frees them. It does so by itself at each split
 * (RMP_USE_SHARED_ZEROPAGE in __split_huge_page() of 6.12, TTU_USE_SHARED_ZEROPAGE in __folio_split()
 * of 7.x, to try_to_map_unused_to_zeropage()), so there is no flag to pass: it was made for the
 * shrinker of underused huge pages and holds for every split. Left as they are: pages of mlocked
 * mappings, of address spaces that forbid the zero page, and those with a memory failure. The first
 * page is freed, too, when the caller puts its reference.
 *
 * Context: process context, sleeps; takes the anon_vma or i_mmap lock.
 *
 * Return: 0; -EAGAIN somebody else holds a reference; -EBUSY the folio was just changing; -ENOMEM;
 * -EOPNOTSUPP without the kernel's function. On error the folio is as it was.
 */
int tc_split_folio(struct folio *folio, unsigned int order);

/**
 * tc_split_path() - split a folio around one piece
 * @folio: as for tc_split_folio(), and tc_split_paths_available() is true
 * @order: order of the piece
 * @piece: its first page
 *
 * As folio_split() of 7.x does it: halves, of which the one with the piece is halved again, until the piece has its order. The
 * others stay as large as they are then, but for order 1 of anonymous memory. @folio, its lock and the references are as after
 * tc_split_folio().
 *
 * Context: as tc_split_folio(). Return: the same.
 */
int tc_split_path(struct folio *folio, unsigned int order, struct page *piece);

#endif /* TC_KERNEL_SPLIT_H */
