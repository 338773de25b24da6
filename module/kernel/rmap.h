/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The way from a folio to all its mappings, without waiting for a lock. Knows the kernel's reverse
 * map. Does not know what is asked of a mapping.
 */
#ifndef TC_KERNEL_RMAP_H
#define TC_KERNEL_RMAP_H

#include <linux/mm_types.h>
#include <linux/types.h>

/**
 * tc_walk_mappings() - call a function for each mapping of a folio
 * @folio: folio on the LRU, locked, reference held
 * @one: given the folio, a mapping of it and the address where the folio begins there; false ends
 *	the walk. It is called by the kernel and must not sleep for long
 * @arg: passed to @one
 *
 * The lock of the reverse map is only tried: it is taken in the opposite order elsewhere.
 *
 * Context: process context. Holds the anon_vma or i_mmap lock while @one runs.
 *
 * Return: false when the lock was not free; not all mappings were seen then.
 */
bool tc_walk_mappings(struct folio *folio,
		      bool (*one)(struct folio *folio, struct vm_area_struct *vma,
				  unsigned long address, void *arg),
		      void *arg);

#endif /* TC_KERNEL_RMAP_H */
