// SPDX-License-Identifier: GPL-2.0
/*
 * Finds nodes and roles: the operator's lists first, the kernel's memory tiers for the rest.
 * Owns the table of nodes and their queues.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "../kernel/symbols.h"
#include "node.h"

static struct tc_node *tc_nodes[MAX_NUMNODES];

struct tc_node *tc_node(int nid)
{
	return nid >= 0 && nid < MAX_NUMNODES ? tc_nodes[nid] : NULL;
}

struct tc_node *tc_node_next(int after)
{
	int nid;

	for (nid = after + 1; nid < MAX_NUMNODES; nid++)
		if (tc_nodes[nid])
			return tc_nodes[nid];
	return NULL;
}

bool tc_nodes_tiered(void)
{
	bool fast = false, slow = false;
	struct tc_node *node;

	tc_for_each_node(node) {
		fast |= node->fast;
		slow |= !node->fast;
	}
	return fast && slow;
}

static int tc_check_lists(const nodemask_t *fast, const nodemask_t *slow)
{
	int nid;

	for_each_node_mask(nid, *fast)
		if (node_isset(nid, *slow)) {
			pr_err("node %d is in fast_nodes and in slow_nodes\n", nid);
			return -EINVAL;
		}
	for_each_node_mask(nid, *fast)
		if (!node_state(nid, N_MEMORY)) {
			pr_err("fast_nodes: node %d has no memory\n", nid);
			return -EINVAL;
		}
	for_each_node_mask(nid, *slow)
		if (!node_state(nid, N_MEMORY)) {
			pr_err("slow_nodes: node %d has no memory\n", nid);
			return -EINVAL;
		}
	return 0;
}

/*
 * A list names all nodes of its kind: with fast_nodes= given and slow_nodes= not, every other node
 * is slow, and the other way round. With both given, nodes in neither take no part.
 */
static bool tc_role(int nid, const nodemask_t *fast, const nodemask_t *slow, bool *is_fast)
{
	if (node_isset(nid, *fast) || node_isset(nid, *slow)) {
		*is_fast = node_isset(nid, *fast);
		return true;
	}
	if (!nodes_empty(*fast) && !nodes_empty(*slow))
		return false;
	if (!nodes_empty(*fast))
		*is_fast = false;
	else if (!nodes_empty(*slow))
		*is_fast = true;
	else
		*is_fast = !tc_symbol_found(TC_SYMBOL_node_is_toptier) ||
			   static_call(tc_node_is_toptier)(nid);
	return true;
}

static int tc_node_add(int nid, bool fast)
{
	struct tc_node *node = kzalloc(sizeof(*node), GFP_KERNEL);

	if (!node)
		return -ENOMEM;
	node->nid = nid;
	node->fast = fast;
	node->target = NUMA_NO_NODE;
	tc_account_init(&node->account);
	init_waitqueue_head(&node->wait);
	if (kfifo_alloc(&node->queue.fifo, TC_QUEUE_SIZE, GFP_KERNEL)) {
		kfree(node);
		return -ENOMEM;
	}
	tc_nodes[nid] = node;
	return 0;
}

/* The nearest node of the other kind; of two equally near ones the lower number. */
static int tc_nearest(const struct tc_node *from)
{
	int best = NUMA_NO_NODE;
	struct tc_node *node;

	tc_for_each_node(node) {
		if (node->fast == from->fast)
			continue;
		if (best == NUMA_NO_NODE ||
		    node_distance(from->nid, node->nid) < node_distance(from->nid, best))
			best = node->nid;
	}
	return best;
}

/* Where the kernel would demote to, if that is a slow node here; else the nearest slow node. */
static int tc_choose_target(const struct tc_node *node)
{
	int nid = NUMA_NO_NODE;

	if (node->fast && tc_symbol_found(TC_SYMBOL_next_demotion_node))
		nid = static_call(tc_next_demotion_node)(node->nid, &node_states[N_MEMORY]);
	if (!tc_node(nid) || tc_node(nid)->fast)
		nid = tc_nearest(node);
	return nid;
}

int tc_nodes_init(const nodemask_t *fast, const nodemask_t *slow)
{
	struct tc_node *node;
	bool is_fast;
	int err, i;

	err = tc_check_lists(fast, slow);
	if (err)
		return err;
	for_each_node_state(i, N_MEMORY) {
		if (!tc_role(i, fast, slow, &is_fast))
			continue;
		err = tc_node_add(i, is_fast);
		if (err) {
			tc_nodes_exit();
			return err;
		}
	}
	tc_for_each_node(node)
		node->target = tc_choose_target(node);
	return 0;
}

void tc_nodes_exit(void)
{
	int nid;

	for (nid = 0; nid < MAX_NUMNODES; nid++) {
		if (!tc_nodes[nid])
			continue;
		kfifo_free(&tc_nodes[nid]->queue.fifo);
		kfree(tc_nodes[nid]);
		tc_nodes[nid] = NULL;
	}
}

bool tc_queue_add(struct tc_queue *queue, unsigned long pfn, unsigned int order)
{
	struct tc_candidate candidate = { .pfn = pfn, .order = order };

	if (!kfifo_put(&queue->fifo, candidate)) {
		WRITE_ONCE(queue->full, queue->full + 1);
		return false;
	}
	atomic_long_add(1L << order, &queue->pages);
	return true;
}

bool tc_queue_peek(struct tc_queue *queue, struct tc_candidate *candidate)
{
	return kfifo_peek(&queue->fifo, candidate);
}

void tc_queue_drop(struct tc_queue *queue, const struct tc_candidate *candidate)
{
	kfifo_skip(&queue->fifo);
	atomic_long_sub(1L << candidate->order, &queue->pages);
}

void tc_node_kick(struct tc_node *node)
{
	WRITE_ONCE(node->kicked, true);
	wake_up(&node->wait);
}
