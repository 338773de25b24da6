/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the owners of a folio want: memory policies, cpusets, KVM guests, and the operator's own
 * lists of what to leave alone. Knows mappings and tasks, and their locks. Moves nothing.
 */
#ifndef TC_MOVE_WISHES_H
#define TC_MOVE_WISHES_H

#include <linux/mm_types.h>
#include <linux/types.h>
#include <thermocline/outcomes.h>

/* Mappings that are asked, at most; a folio with more stays where it is. */
#define TC_WISHES_VMAS 64

/**
 * struct tc_wishes_memo - what the tasks of the address space asked last said
 * @mm: the address space, for comparison only; NULL: none yet
 * @target: node they were asked about
 * @policy: their memory policies allow it, @cpuset: their cpusets do
 *
 * The folios of a batch mostly have one owner, who may have thousands of threads. Valid for one
 * batch, a few milliseconds.
 */
struct tc_wishes_memo {
	const struct mm_struct *mm;
	int target;
	bool policy;
	bool cpuset;
};

/**
 * tc_wishes_allow() - do all owners of a folio agree to a move?
 * @folio: folio on the LRU; the caller holds a reference, not its lock
 * @target: node it would go to
 * @memo: the batch's memo
 * @why: set to the reason when not
 *
 * migrate_pages() ignores memory policies and cpusets, so they are looked up here, through the
 * reverse map: of each mapping its own policy (vm_ops->get_policy() for memory whose policy lives
 * in the inode, as tmpfs and SysV shared memory), where it has none the policies of the tasks that
 * own the memory, and the nodes that their cpuset allows.
 *
 * Whatever cannot be looked at without waiting (the folio's lock, the reverse map's, an address
 * space's mmap_lock: they are taken in the opposite order elsewhere) is not moved.
 *
 * What remains: a policy that changes after the look takes effect for a page that is moved in the
 * same moment only when it is next applied (mbind with MPOL_MF_MOVE, migratepages); tasks that
 * share an address space without being threads of one process are asked as one.
 *
 * Context: process context. Takes the folio lock, the anon_vma or i_mmap lock and mmap_lock, each
 * by trylock, and inside them task_lock and RCU.
 *
 * Return: true if it may be moved there.
 */
bool tc_wishes_allow(struct folio *folio, int target, struct tc_wishes_memo *memo,
		     enum tc_outcome *why);

#endif /* TC_MOVE_WISHES_H */
