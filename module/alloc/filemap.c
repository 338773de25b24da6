// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of filemap.h.
 */
#include <linux/cpuset.h>
#include <linux/mempolicy.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/topology.h>

#include "../move/scope.h"
#include "filemap.h"

struct tc_alloc_counts {
	u64 folios[TC_ALLOC_OUTCOMES];
	u64 pages[TC_ALLOC_OUTCOMES];
};

static DEFINE_PER_CPU(struct tc_alloc_counts, tc_alloc_counts);

/* The slow node nearest to each node. */
static int tc_alloc_target[MAX_NUMNODES];

static bool tc_alloc_is_slow(int nid, const nodemask_t *wanted)
{
	if (!nodes_empty(*wanted))
		return node_isset(nid, *wanted);
	return !node_state(nid, N_CPU);
}

static int tc_alloc_nearest(int from, const nodemask_t *wanted)
{
	int nid, nearest = NUMA_NO_NODE;

	for_each_node_state(nid, N_MEMORY)
		if (tc_alloc_is_slow(nid, wanted) &&
		    (nearest == NUMA_NO_NODE ||
		     node_distance(from, nid) < node_distance(from, nearest)))
			nearest = nid;
	return nearest;
}

int tc_alloc_set_nodes(const nodemask_t *wanted)
{
	int nid;

	if (!nodes_subset(*wanted, node_states[N_MEMORY]))
		return -ENODEV;
	if (tc_alloc_nearest(first_online_node, wanted) == NUMA_NO_NODE)
		return -ENODEV;
	for (nid = 0; nid < MAX_NUMNODES; nid++)
		WRITE_ONCE(tc_alloc_target[nid],
			   node_online(nid) ? tc_alloc_nearest(nid, wanted) :
					      tc_alloc_nearest(first_online_node, wanted));
	return 0;
}

/*
 * Pages of files can be moved, and are allocated as movable. File systems keep what they cannot have
 * moved, and their own metadata, out of high or out of movable memory: see mapping_set_gfp_mask().
 */
static bool tc_alloc_is_data(gfp_t gfp)
{
	gfp_t data = __GFP_HIGHMEM | __GFP_MOVABLE;

	return (gfp & data) == data;
}

/*
 * The policy of a task is looked at by the task itself, as the kernel does here. In an interrupt
 * there is no task to ask, and the kernel allocates by its default.
 */
static bool tc_alloc_has_policy(const struct mempolicy *policy)
{
	return policy || !in_task() || READ_ONCE(current->mempolicy) || cpuset_do_page_mem_spread();
}

/*
 * The mask may be changing; the allocator, which is given no other, looks at it once more and takes
 * no page that it forbids.
 */
static bool tc_alloc_is_allowed(int nid)
{
	return nid != NUMA_NO_NODE && node_isset(nid, cpuset_current_mems_allowed);
}

static enum tc_alloc_outcome tc_alloc_judge(gfp_t gfp, const struct mempolicy *policy, int nid)
{
	if (!tc_alloc_is_data(gfp))
		return TC_ALLOC_METADATA;
	if (gfp & __GFP_THISNODE || tc_alloc_has_policy(policy))
		return TC_ALLOC_POLICY;
	if (!tc_alloc_is_allowed(nid))
		return TC_ALLOC_CPUSET;
	if (!tc_scope_has_current())
		return TC_ALLOC_SCOPE;
	return TC_ALLOC_SLOW;
}

static gfp_t tc_alloc_gfp(gfp_t gfp)
{
	return (gfp & ~(__GFP_RECLAIM | __GFP_NOFAIL)) | __GFP_THISNODE | __GFP_NOWARN |
	       __GFP_NORETRY;
}

struct folio *tc_alloc_slow(gfp_t gfp, unsigned int order, struct mempolicy *policy)
{
	int nid = READ_ONCE(tc_alloc_target[numa_node_id()]);
	enum tc_alloc_outcome outcome = tc_alloc_judge(gfp, policy, nid);
	struct folio *folio = NULL;

	if (outcome == TC_ALLOC_SLOW) {
		folio = __folio_alloc_noprof(tc_alloc_gfp(gfp), order, nid, NULL);
		if (!folio)
			outcome = TC_ALLOC_SHORT;
	}
	this_cpu_inc(tc_alloc_counts.folios[outcome]);
	this_cpu_add(tc_alloc_counts.pages[outcome], 1UL << order);
	return folio;
}

u64 tc_alloc_count(enum tc_alloc_outcome outcome, bool pages)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct tc_alloc_counts *counts = per_cpu_ptr(&tc_alloc_counts, cpu);

		sum += pages ? READ_ONCE(counts->pages[outcome]) :
			       READ_ONCE(counts->folios[outcome]);
	}
	return sum;
}
