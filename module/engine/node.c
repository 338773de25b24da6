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
#include "../policy/types.h"
#include "../track/folio.h"
#include "node.h"

/* Entries are only ever added until unload. */
static struct tc_node *tc_nodes[MAX_NUMNODES];

/* The operator's lists, for nodes that come later. */
static nodemask_t tc_fast_list;
static nodemask_t tc_slow_list;

struct tc_node *tc_node_known(int nid)
{
	/* Pairs with the release in tc_node_add(): a node that is found is complete. */
	return nid >= 0 && nid < nr_node_ids ? smp_load_acquire(&tc_nodes[nid]) : NULL;
}

struct tc_node *tc_node(int nid)
{
	struct tc_node *node = tc_node_known(nid);

	return node && READ_ONCE(node->active) ? node : NULL;
}

struct tc_node *tc_node_next_known(int after)
{
	struct tc_node *node;
	int nid;

	for (nid = after + 1; nid < nr_node_ids; nid++) {
		node = tc_node_known(nid);
		if (node)
			return node;
	}
	return NULL;
}

struct tc_node *tc_node_next(int after)
{
	struct tc_node *node;
	int nid;

	for (nid = after + 1; nid < nr_node_ids; nid++) {
		node = tc_node(nid);
		if (node)
			return node;
	}
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

static int tc_check_list(const char *name, const nodemask_t *list)
{
	int nid;

	for_each_node_mask(nid, *list) {
		if (nid < nr_node_ids && node_possible(nid))
			continue;
		pr_err("%s: this machine has no node %d\n", name, nid);
		return -EINVAL;
	}
	return 0;
}

/* A node may be named before its memory is there, as that of a CXL device. */
static int tc_check_lists(const nodemask_t *fast, const nodemask_t *slow)
{
	nodemask_t both;
	int err;

	nodes_and(both, *fast, *slow);
	if (!nodes_empty(both)) {
		pr_err("node %d is in fast_nodes and in slow_nodes\n", first_node(both));
		return -EINVAL;
	}
	err = tc_check_list("fast_nodes", fast);
	return err ?: tc_check_list("slow_nodes", slow);
}

/*
 * A list names all nodes of its kind: with fast_nodes= given and slow_nodes= not, every other node
 * is slow, and the other way round. With both given, nodes in neither take no part.
 */
static bool tc_role(int nid, bool *is_fast)
{
	if (node_isset(nid, tc_fast_list) || node_isset(nid, tc_slow_list)) {
		*is_fast = node_isset(nid, tc_fast_list);
		return true;
	}
	if (!nodes_empty(tc_fast_list) && !nodes_empty(tc_slow_list))
		return false;
	if (!nodes_empty(tc_fast_list))
		*is_fast = false;
	else if (!nodes_empty(tc_slow_list))
		*is_fast = true;
	else
		*is_fast = !tc_symbol_found(TC_SYMBOL_node_is_toptier) ||
			   static_call(tc_node_is_toptier)(nid);
	return true;
}

static int tc_queue_alloc(struct tc_queue *queue)
{
	void *buffer = kvmalloc_array(TC_QUEUE_SIZE, sizeof(struct tc_candidate), GFP_KERNEL);

	if (!buffer)
		return -ENOMEM;
	return kfifo_init(&queue->fifo, buffer, TC_QUEUE_SIZE * sizeof(struct tc_candidate));
}

static void tc_node_destroy(struct tc_node *node)
{
	kvfree(node->queue.fifo.kfifo.data);
	kvfree(node->warm.fifo.kfifo.data);
	kfree(node);
}

static int tc_node_add(int nid, bool fast)
{
	struct tc_node *node = kzalloc(sizeof(*node), GFP_KERNEL);

	if (!node)
		return -ENOMEM;
	node->nid = nid;
	node->fast = fast;
	node->active = true;
	node->target = NUMA_NO_NODE;
	node->tier.tlb_miss_bp = TC_BP_UNKNOWN;
	tc_account_init(&node->account);
	init_waitqueue_head(&node->wait);
	mutex_init(&node->batch);
	if (tc_queue_alloc(&node->queue) || (!fast && tc_queue_alloc(&node->warm))) {
		tc_node_destroy(node);
		return -ENOMEM;
	}
	/* Pairs with the acquire in tc_node_known(). */
	smp_store_release(&tc_nodes[nid], node);
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

static int tc_node_update(int nid)
{
	struct tc_node *node = tc_nodes[nid];
	bool present = node_state(nid, N_MEMORY);
	bool fast;

	if (node) {
		WRITE_ONCE(node->active, present);
		return 0;
	}
	if (!present || !tc_role(nid, &fast))
		return 0;
	return tc_node_add(nid, fast);
}

int tc_nodes_update(void)
{
	struct tc_node *node;
	int nid, err, first = 0;

	for (nid = 0; nid < nr_node_ids; nid++) {
		err = tc_node_update(nid);
		first = first ?: err;
	}
	tc_for_each_node(node)
		WRITE_ONCE(node->target, tc_choose_target(node));
	return first;
}

int tc_nodes_init(const nodemask_t *fast, const nodemask_t *slow)
{
	int err = tc_check_lists(fast, slow);

	if (err)
		return err;
	tc_fast_list = *fast;
	tc_slow_list = *slow;
	err = tc_nodes_update();
	if (err)
		tc_nodes_exit();
	return err;
}

void tc_nodes_exit(void)
{
	int nid;

	for (nid = 0; nid < MAX_NUMNODES; nid++) {
		if (!tc_nodes[nid])
			continue;
		tc_node_destroy(tc_nodes[nid]);
		tc_nodes[nid] = NULL;
	}
}

void tc_nodes_forget_advised(void)
{
	struct tc_node *node;

	tc_for_each_node(node)
		atomic_long_set(&node->advised, 0);
}

bool tc_queue_add(struct tc_queue *queue, struct folio *folio, unsigned int bin, unsigned int left,
		  u32 epoch)
{
	struct tc_candidate candidate = {
		.pfn = folio_pfn(folio),
		.order = folio_order(folio),
		.owner = tc_folio_owner(folio),
		.bin = bin,
		.left = left,
		.level = bin + epoch,
	};

	if (!kfifo_put(&queue->fifo, candidate)) {
		WRITE_ONCE(queue->full, queue->full + 1);
		return false;
	}
	atomic_long_add(1L << candidate.order, &queue->pages);
	atomic_long_add(1L << candidate.order, &queue->at_level[candidate.level % TC_QUEUE_LEVELS]);
	return true;
}

unsigned long tc_queue_pages_at(const struct tc_queue *queue, unsigned int bin, u32 epoch)
{
	return max(atomic_long_read(&queue->at_level[(bin + epoch) % TC_QUEUE_LEVELS]), 0L);
}

bool tc_queue_peek(struct tc_queue *queue, struct tc_candidate *candidate)
{
	return kfifo_peek(&queue->fifo, candidate);
}

void tc_queue_drop(struct tc_queue *queue, const struct tc_candidate *candidate)
{
	kfifo_skip(&queue->fifo);
	atomic_long_sub(1L << candidate->order, &queue->pages);
	atomic_long_sub(1L << candidate->order,
			&queue->at_level[candidate->level % TC_QUEUE_LEVELS]);
}

void tc_node_kick(struct tc_node *node)
{
	WRITE_ONCE(node->kicked, true);
	wake_up(&node->wait);
}
