/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a new page-cache folio is allocated. Knows which allocations may go to slow memory and
 * which node is next. Does not know how the kernel comes to ask.
 */
#ifndef TC_ALLOC_FILEMAP_H
#define TC_ALLOC_FILEMAP_H

#include <linux/gfp.h>
#include <linux/nodemask.h>
#include <linux/types.h>

struct folio;
struct mempolicy;

/**
 * enum tc_alloc_outcome - what became of one allocation
 * @TC_ALLOC_SLOW: done on a slow node
 * @TC_ALLOC_SHORT: the slow node had no memory at hand: left to the kernel
 * @TC_ALLOC_METADATA: left to the kernel: not for the pages of a file that can be moved later
 * @TC_ALLOC_POLICY: left to the kernel: a memory policy or the cpuset's spreading says where
 * @TC_ALLOC_CPUSET: left to the kernel: the slow node is not allowed to this task
 * @TC_ALLOC_SCOPE: left to the kernel: the task is not one of those selected
 * @TC_ALLOC_OUTCOMES: number of outcomes
 */
enum tc_alloc_outcome {
	TC_ALLOC_SLOW,
	TC_ALLOC_SHORT,
	TC_ALLOC_METADATA,
	TC_ALLOC_POLICY,
	TC_ALLOC_CPUSET,
	TC_ALLOC_SCOPE,
	TC_ALLOC_OUTCOMES,
};

/**
 * tc_alloc_set_nodes() - choose the slow nodes
 * @wanted: nodes that the operator named; empty: those with memory and without processors
 *
 * For each node the nearest slow one is taken. Nodes whose memory comes later take part after
 * the next call.
 *
 * Context: process context; calls are serialized by the caller.
 *
 * Return: 0; -ENODEV when a named node has no memory, or there is no slow node.
 */
int tc_alloc_set_nodes(const nodemask_t *wanted);

/**
 * tc_alloc_slow() - try to allocate a folio of the page cache on the nearest slow node
 * @gfp: as the kernel asked for it
 * @order: as the kernel asked for it
 * @policy: memory policy of the file, or NULL
 *
 * Takes what is free there and nothing else: no reclaim, no retry, no kswapd is woken, so that an
 * allocation is never slower for it than by one look at the free lists.
 *
 * Context: that of any page-cache allocation; does not sleep.
 *
 * Return: the folio, or NULL when the kernel is to allocate as it always does; both are counted.
 */
struct folio *tc_alloc_slow(gfp_t gfp, unsigned int order, struct mempolicy *policy);

/**
 * tc_alloc_count() - allocations of one outcome so far
 * @outcome: which
 * @pages: count 4 KiB pages instead of folios
 *
 * Context: any.
 */
u64 tc_alloc_count(enum tc_alloc_outcome outcome, bool pages);

#endif /* TC_ALLOC_FILEMAP_H */
