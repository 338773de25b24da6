/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Has the kernel make one huge page of a region whose pages are all hot. Knows how to find the
 * region in an address space and how to ask. Does not know why it should be whole.
 */
#ifndef TC_MOVE_COALESCE_H
#define TC_MOVE_COALESCE_H

#include <linux/types.h>

/**
 * enum tc_coalesce_outcome - what became of a region
 * @TC_COALESCE_DONE: the kernel made it one huge page
 * @TC_COALESCE_COLD: a page of it is not hot, or not there
 * @TC_COALESCE_REFUSED: it is not private memory of one process that may be looked at, or its page
 *	changed meanwhile
 * @TC_COALESCE_FAILED: the kernel would not, or had no memory for it
 */
enum tc_coalesce_outcome {
	TC_COALESCE_DONE,
	TC_COALESCE_COLD,
	TC_COALESCE_REFUSED,
	TC_COALESCE_FAILED,
	TC_NR_COALESCE_OUTCOMES
};

/**
 * struct tc_coalesce_request - a page of a region that seems to be hot throughout
 * @pfn: page frame of the first page of its folio
 * @owner: owner tag of that
 */
struct tc_coalesce_request {
	unsigned long pfn;
	u8 owner;
};

/**
 * tc_coalesce_try() - have a region made one huge page
 * @request: a page of it
 * @hot: is this page frame hot? called with a reference to the page held
 *
 * The kernel collapses by its MADV_COLLAPSE, asked for through do_madvise() with the address space of
 * another process, as DAMON does it from its thread (mm/damon/vaddr.c: damos_madvise(); there also
 * with MADV_COLLAPSE on 7.x). The functions behind it that would take less on themselves are static
 * (hpage_collapse_scan_pmd(), collapse_single_pmd()) or have another form on each kernel
 * (madvise_collapse()). It needs a reference to the address space and nothing of the caller's own:
 * the new page is charged to the address space's cgroup, the mmap_lock is taken inside. A mapping
 * whose program does not want huge pages (MADV_NOHUGEPAGE, prctl) is refused there.
 *
 * Context: process context, sleeps, for milliseconds; outside of tc_offline_enter().
 *
 * Return: what became of it.
 */
enum tc_coalesce_outcome tc_coalesce_try(const struct tc_coalesce_request *request,
					 bool (*hot)(unsigned long pfn));

#endif /* TC_MOVE_COALESCE_H */
