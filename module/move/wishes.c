// SPDX-License-Identifier: GPL-2.0
/*
 * Asks the owners of a folio, as wishes.h says. When in doubt the answer is no.
 */
#include <linux/cgroup.h>
#include <linux/memcontrol.h>
#include <linux/mempolicy.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/pagemap.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/shmem_fs.h>

#include "../kernel/rmap.h"
#include "../kernel/symbols.h"
#include "scope.h"
#include "wishes.h"

/**
 * struct tc_question - one folio's way through its mappings
 * @target: node it would go to, or NUMA_NO_NODE
 * @vmas: mappings asked so far
 * @memo: what tasks said before
 * @why: reason of the first no
 * @refused: there was one
 */
struct tc_question {
	int target;
	unsigned int vmas;
	struct tc_wishes_memo *memo;
	enum tc_outcome why;
	bool refused;
};

static bool tc_refuse(struct tc_question *question, enum tc_outcome why)
{
	question->why = why;
	question->refused = true;
	return false;
}

/*
 * Bound and preferred memory may go to the nodes it names. Interleaved memory has its place by its
 * address and stays. Local memory was local when it was allocated: it is what tiering is for.
 */
static bool tc_policy_allows(const struct mempolicy *policy, int target)
{
	switch (policy->mode) {
	case MPOL_DEFAULT:
	case MPOL_LOCAL:
		return true;
	case MPOL_BIND:
	case MPOL_PREFERRED:
	case MPOL_PREFERRED_MANY:
		return node_isset(target, policy->nodes);
	default:
		return false;
	}
}

/* Drops the reference that vm_ops->get_policy() took, as the kernel's mpol_cond_put() does. */
static void tc_policy_put(struct mempolicy *policy)
{
	if (policy->flags & MPOL_F_SHARED)
		static_call(tc___mpol_put)(policy);
}

/* Return: the mapping's own policy, NULL when it has none. The mmap_lock is held. */
static struct mempolicy *tc_vma_policy(struct vm_area_struct *vma, unsigned long address)
{
	pgoff_t unused;

	if (vma->vm_ops && vma->vm_ops->get_policy)
		return vma->vm_ops->get_policy(vma, address, &unused);
	return vma->vm_policy;
}

static bool tc_recall(const struct tc_wishes_memo *memo, const struct mm_struct *mm,
		      struct tc_answer *answer)
{
	int i;

	for (i = 0; i < TC_WISHES_MEMOS; i++) {
		if (memo->answer[i].mm == mm) {
			*answer = memo->answer[i];
			return true;
		}
	}
	return false;
}

/* Asks each thread; false when there is nobody left to ask. */
static bool tc_ask_tasks(struct mm_struct *mm, int target, struct tc_wishes_memo *memo,
			 struct tc_answer *answer)
{
	struct task_struct *owner, *task;

	if (tc_recall(memo, mm, answer))
		return true;
	*answer = (struct tc_answer){ .mm = mm, .policy = true, .cpuset = true };
	rcu_read_lock();
	owner = rcu_dereference(mm->owner);
	if (!owner) {
		rcu_read_unlock();
		return false;
	}
	for_each_thread(owner, task) {
		task_lock(task);
		answer->cpuset &= node_isset(target, task->mems_allowed);
		if (task->mempolicy)
			answer->policy &= tc_policy_allows(task->mempolicy, target);
		task_unlock(task);
	}
	rcu_read_unlock();
	memo->answer[memo->next++ % TC_WISHES_MEMOS] = *answer;
	return true;
}

static bool tc_ask_mm(struct tc_question *question, struct vm_area_struct *vma,
		      unsigned long address)
{
	struct mempolicy *policy;
	struct tc_answer tasks;
	bool allowed;

	if (vma->vm_flags & VM_LOCKED)
		return tc_refuse(question, TC_OUTCOME_MLOCKED);
	/* A KVM guest's accesses are invisible to the host's sampling: it would look unused. */
	if (mm_has_notifiers(vma->vm_mm))
		return tc_refuse(question, TC_OUTCOME_NOTIFIER);
	if (!tc_scope_has_mm(vma->vm_mm))
		return tc_refuse(question, TC_OUTCOME_EXCLUDED);
	if (question->target == NUMA_NO_NODE)
		return true;
	if (!tc_ask_tasks(vma->vm_mm, question->target, question->memo, &tasks))
		return tc_refuse(question, TC_OUTCOME_UNOWNED);
	if (!tasks.cpuset)
		return tc_refuse(question, TC_OUTCOME_CPUSET);
	policy = tc_vma_policy(vma, address);
	if (policy) {
		allowed = tc_policy_allows(policy, question->target);
		tc_policy_put(policy);
	} else {
		allowed = tasks.policy;
	}
	return allowed || tc_refuse(question, TC_OUTCOME_MEMPOLICY);
}

/* Called by rmap_walk() for each mapping; false ends the walk. */
static bool tc_ask_vma(struct folio *folio, struct vm_area_struct *vma, unsigned long address,
		       void *arg)
{
	struct tc_question *question = arg;
	bool agreed;

	if (question->vmas++ >= TC_WISHES_VMAS)
		return tc_refuse(question, TC_OUTCOME_SHARED);
	if (!mmap_read_trylock(vma->vm_mm))
		return tc_refuse(question, TC_OUTCOME_CONTENDED);
	agreed = tc_ask_mm(question, vma, address);
	mmap_read_unlock(vma->vm_mm);
	return agreed;
}

/*
 * Is this a page of tmpfs or shared memory whose inode carries a policy for some range? Which range
 * only a mapping can ask. The folio is locked, so its mapping stays.
 */
static bool tc_inode_has_policy(struct folio *folio)
{
	struct address_space *mapping = folio->mapping;

	return mapping && shmem_mapping(mapping) &&
	       !RB_EMPTY_ROOT(&SHMEM_I(mapping->host)->policy.root);
}

#ifdef CONFIG_CPUSETS
/* Has this cgroup, or one above it but the root, a cpuset of its own? */
static bool tc_has_cpuset(struct cgroup *cgroup)
{
	for (; cgroup && cgroup_parent(cgroup); cgroup = cgroup_parent(cgroup))
		if (rcu_access_pointer(cgroup->subsys[cpuset_cgrp_id]))
			return true;
	return false;
}

/*
 * Only the unified hierarchy relates a page's memory controller with a cpuset. What the cpuset of a
 * cgroup allows newer kernels tell; where they do not, any cpuset may forbid the target.
 */
static bool tc_cpuset_allows(struct folio *folio, int target)
{
	struct mem_cgroup *memcg;
	nodemask_t allowed;
	bool allows = true;

	rcu_read_lock();
	memcg = folio_memcg_check(folio);
	if (memcg && cgroup_subsys_on_dfl(cpuset_cgrp_subsys) &&
	    cgroup_subsys_on_dfl(memory_cgrp_subsys)) {
		if (tc_symbol_found(TC_SYMBOL_cpuset_nodes_allowed)) {
			static_call(tc_cpuset_nodes_allowed)(memcg->css.cgroup, &allowed);
			allows = node_isset(target, allowed);
		} else {
			allows = !tc_has_cpuset(memcg->css.cgroup);
		}
	}
	rcu_read_unlock();
	return allows;
}
#else
static bool tc_cpuset_allows(struct folio *folio, int target)
{
	return true;
}
#endif

/*
 * Page cache that nobody maps has no mapping to ask, and no policy but that of a tmpfs inode and its
 * cgroup's. Anonymous memory without a mapping is on its way to swap.
 */
static void tc_ask_unmapped(struct folio *folio, struct tc_question *question)
{
	if (folio_test_anon(folio) || tc_inode_has_policy(folio))
		tc_refuse(question, TC_OUTCOME_UNOWNED);
	else if (!tc_scope_has_unmapped(folio))
		tc_refuse(question, TC_OUTCOME_EXCLUDED);
	else if (question->target != NUMA_NO_NODE && !tc_cpuset_allows(folio, question->target))
		tc_refuse(question, TC_OUTCOME_CPUSET);
}

static void tc_ask_owners(struct folio *folio, struct tc_question *question)
{
	/* On its way to swap or back: whose it is cannot be told from the folio now. */
	if (folio_test_swapcache(folio) && !folio_mapped(folio)) {
		tc_refuse(question, TC_OUTCOME_UNOWNED);
		return;
	}
	if (tc_scope_excludes_cgroup(folio)) {
		tc_refuse(question, TC_OUTCOME_EXCLUDED);
		return;
	}
	if (!tc_walk_mappings(folio, tc_ask_vma, question))
		tc_refuse(question, TC_OUTCOME_CONTENDED);
	else if (!question->vmas)
		tc_ask_unmapped(folio, question);
}

bool tc_wishes_allow(struct folio *folio, int target, struct tc_wishes_memo *memo,
		     enum tc_outcome *why)
{
	struct tc_question question = { .target = target, .memo = memo };

	if (!folio_trylock(folio)) {
		*why = TC_OUTCOME_CONTENDED;
		return false;
	}
	tc_ask_owners(folio, &question);
	folio_unlock(folio);
	*why = question.why;
	return !question.refused;
}
