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

/* Address spaces whose answers are remembered. */
#define TC_WISHES_MEMOS 8

/**
 * struct tc_answer - what the tasks of an address space said
 * @mm: the address space, for comparison only; NULL: none
 * @policy: their memory policies allow the target, @cpuset: their cpusets do
 */
struct tc_answer {
	const struct mm_struct *mm;
	bool policy;
	bool cpuset;
};

/**
 * struct tc_wishes_memo - the last answers about one target, zeroed at first
 * @answer: in a ring
 * @next: entry to replace
 *
 * The folios of a batch mostly have few owners, who may have thousands of threads. Valid for one
 * batch, a few milliseconds.
 */
struct tc_wishes_memo {
	struct tc_answer answer[TC_WISHES_MEMOS];
	unsigned int next;
};

/**
 * tc_wishes_allow() - do all owners of a folio agree to a move?
 * @folio: folio on the LRU; the caller holds a reference, not its lock
 * @target: node it would go to; NUMA_NO_NODE: it stays, and only is split
 * @memo: the batch's memo
 * @why: set to the reason when not
 *
 * migrate_pages() ignores memory policies and cpusets, so they are looked up here, through the
 * reverse map: of each mapping its own policy (vm_ops->get_policy() for memory whose policy lives
 * in the inode, as tmpfs and SysV shared memory), where it has none the policies of the tasks that
 * own the memory, and the nodes that their cpuset allows. Page cache that nobody maps is asked for
 * the nodes that the cpuset of its cgroup allows; a kernel that does not tell them (before 7.x)
 * leaves it alone in any cgroup with a cpuset of its own.
 *
 * Whatever cannot be looked at without waiting (the folio's lock, the reverse map's, an address
 * space's mmap_lock: they are taken in the opposite order elsewhere) is not moved.
 *
 * What stays on its node has no policy or cpuset to ask; everything else is asked.
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
