/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which folios must not be moved, as far as the folio itself tells. Knows page flags and
 * reference counts. Does not look at mappings and does not know why a move is wanted.
 */
#ifndef TC_MOVE_FILTER_H
#define TC_MOVE_FILTER_H

#include <linux/mm_types.h>
#include <linux/types.h>
#include <thermocline/outcomes.h>

/**
 * tc_movable() - may this folio be taken off the LRU to be moved?
 * @folio: the folio; the caller holds one reference and nobody else's is expected
 * @why: set to the reason when not
 *
 * migrate_pages() itself moves locked, pinned (in vain) and partially mapped (after splitting
 * them) folios, so each of these is refused here. The look is without locks: what changes right
 * after it is caught by migrate_pages() or happens as if the move had come first.
 *
 * Context: any but NMI; takes no lock.
 *
 * Return: true if it may.
 */
bool tc_movable(struct folio *folio, enum tc_outcome *why);

#endif /* TC_MOVE_FILTER_H */
