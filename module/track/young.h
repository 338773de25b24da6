/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Was a folio accessed since the last look? Reads and clears the accessed bits of its mappings.
 * Knows page tables. Does not know who asks, nor what follows.
 */
#ifndef TC_TRACK_YOUNG_H
#define TC_TRACK_YOUNG_H

#include <linux/mm_types.h>
#include <linux/types.h>

#include "../kernel/symbols.h"

/* Mappings that are looked at; a folio with more is not judged. */
#define TC_YOUNG_MAPPINGS 64

/* Instead of a page frame: all of the folio's. */
#define TC_YOUNG_FOLIO (~0UL)

/**
 * enum tc_young - answer of a look
 * @TC_YOUNG_NO: no mapping was accessed since the last look, by whomever
 * @TC_YOUNG_YES: one was
 * @TC_YOUNG_UNSURE: a lock was not free, so not every mapping was seen
 * @TC_YOUNG_UNSEEN: there is nothing to look at: nobody maps it, KSM merged it, too many map it, or
 *	a KVM guest or a device may use it unseen. The mover has reasons of its own for all but the first
 */
enum tc_young { TC_YOUNG_NO, TC_YOUNG_YES, TC_YOUNG_UNSURE, TC_YOUNG_UNSEEN };

/* Can this kernel be asked? Without, every look is TC_YOUNG_UNSEEN. */
static inline bool tc_young_available(void)
{
	return tc_symbol_found(TC_SYMBOL_page_vma_mapped_walk);
}

/**
 * tc_young_look() - was it accessed since the last look? Clears the bits
 * @folio: folio on the LRU; the caller holds a reference, not its lock
 * @pfn: the page frame of it that is asked for, or TC_YOUNG_FOLIO. Where one entry of a page table
 *	maps more than a page, its bit stands for all of them
 *
 * folio_referenced() is not used: under MGLRU it clears the bits of neighbours too, and it wants a
 * folio that is isolated.
 *
 * What others know of accesses: the folio is marked young where its bit is cleared, as idle page
 * tracking and DAMON do it, so that reclaim's folio_referenced() still counts the access and an idle
 * mark goes. MGLRU's ageing looks at page tables alone and loses it: a page may fall one generation
 * behind until its next access. Kernels without CONFIG_PAGE_IDLE_FLAG lose it everywhere.
 *
 * No TLB is flushed, as the kernel does not on x86 when it ages pages: an entry that stays in a TLB
 * hides accesses until it is replaced, so a look soon after another may miss some. An access is never
 * made up.
 *
 * A mapping of a process with an MMU notifier (a KVM guest, a device) is left as it is: its own tables
 * would have to be asked, and its memory is not moved.
 *
 * What can race: the reference keeps the folio from being freed, split or merged; its lock keeps its
 * mapping; the lock of the reverse map keeps the VMAs and their page tables; the page table lock,
 * which page_vma_mapped_walk() takes, keeps the entry. The hardware sets the bit at any time, so it is
 * cleared by an atomic operation. A page that is unmapped or mapped meanwhile is seen before or after.
 *
 * Context: process context, between tc_offline_enter() and tc_offline_leave(). Takes the folio lock
 * and the anon_vma or i_mmap lock by trylock, inside them page table locks.
 */
enum tc_young tc_young_look(struct folio *folio, unsigned long pfn);

#endif /* TC_TRACK_YOUNG_H */
