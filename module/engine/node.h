/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory nodes, which of them are fast, and where each one's pages go. Knows the kernel's
 * memory tiers and the operator's lists. Does not move anything.
 */
#ifndef TC_ENGINE_NODE_H
#define TC_ENGINE_NODE_H

#include <linux/atomic.h>
#include <linux/kfifo.h>
#include <linux/mutex.h>
#include <linux/nodemask.h>
#include <linux/wait.h>

#include "../move/account.h"
#include "../move/mover.h"
#include "../policy/contention.h"
#include "../policy/pressure.h"
#include "../policy/recency.h"
#include "../policy/trend.h"

struct tc_kmigrated;

enum tc_direction { TC_PROMOTE, TC_DEMOTE, TC_NR_DIRECTIONS };

/* Entries per queue: the next rounds of work; what does not fit is found again. */
#define TC_QUEUE_SIZE 8192

/* More than there are bins: a candidate that waited while its page cooled to nothing is told from a hot one. */
#define TC_QUEUE_LEVELS 64

/**
 * struct tc_queue - candidates on their way from ksampled to the node's kmigrated
 * @fifo: one writer (ksampled), one reader (kmigrated), no lock
 * @pages: 4 KiB pages in @fifo
 * @at_level: of these, by the level that their folio had (struct tc_candidate), modulo TC_QUEUE_LEVELS
 * @full: candidates that did not fit; written by ksampled
 */
struct tc_queue {
	DECLARE_KFIFO_PTR(fifo, struct tc_candidate);
	atomic_long_t pages;
	atomic_long_t at_level[TC_QUEUE_LEVELS];
	u64 full;
};

/**
 * struct tc_cursor - walk over a fast node that finds what to demote
 * @next: page frame to go on at; 0: between two passes
 * @pass: passes begun
 * @since: when this pass began (jiffies)
 * @adaptations: adaptations by then; @samples: accounted samples by then
 * @moved_before: folios of the node moved by then
 * @scanned: folios looked at in this pass
 * @fresh: of these, seen for the first time under their present owner
 * @coolings: coolings by then
 * @barren: the pass before knew most folios and moved none: nothing is cold, or cannot be moved
 * @take_warm: warm folios are candidates too; @take_used: and those without heat that are in use
 * @take_rank: policy tpp: folios up to this rank are candidates
 * @seen: policy tpp: those that this pass left where they are; @found: those of the pass before
 * @count_fresh: new folios of @found are without a mark now
 * @unevictable: folios passed over in this pass as they are locked
 * @looks: folios without heat whose accessed bits were asked before they would have been queued
 * @young: of these, accessed since the pass before; @unsure: of these, could not be told without waiting
 */
struct tc_cursor {
	unsigned long next;
	unsigned long pass;
	unsigned long since;
	u64 adaptations;
	u64 samples;
	u64 moved_before;
	unsigned long scanned;
	unsigned long fresh;
	u64 coolings;
	bool barren;
	bool take_warm;
	bool take_used;
	unsigned int take_rank;
	struct tc_recency seen;
	struct tc_recency found;
	bool count_fresh;
	unsigned long unevictable;
	u64 looks;
	u64 young;
	u64 unsure;
};

/**
 * struct tc_tier_state - what samples say of a node's memory; written by ksampled
 * @window: the window that is not over; @since: when it began, in ms
 * @latency: its latency
 * @kind: direction of its traffic
 * @read_kib, @written_kib: its traffic in KiB/s
 * @tlb_miss_bp: samples that missed the TLB, in 1/10000; above 10000: not known
 */
struct tc_tier_state {
	struct tc_window_counts window;
	u64 since;
	struct tc_latency latency;
	enum tc_traffic_kind kind;
	u64 read_kib;
	u64 written_kib;
	unsigned int tlb_miss_bp;
};

/* No share in 1/10000. */
#define TC_BP_UNKNOWN 10001U

/**
 * struct tc_node - one memory node that takes part in tiering
 * @nid: its number
 * @fast: of the fast tier
 * @active: it has memory now; a node keeps its struct until unload, so that nobody who still
 *          holds it can be surprised
 * @target: node that its pages go to: a slow one's promotions, a fast one's demotions
 * @queue: candidates to go there
 * @warm: slow node: warm candidates, for room that the hot ones leave
 * @account: what became of them
 * @advised: mode advise: 4 KiB pages that would have left, less those that would have come, since
 *	the last scrub; as if so much more were free
 * @cursor: fast node: the walk for demotion
 * @pressure: fast node: memory that is allocated and freed again and again; written by ksampled
 * @trend: fast node: fall of its free memory; written by ksampled
 * @pressed_at: when these were looked at (jiffies)
 * @batches: batches begun; written by its worker, under @batch
 * @batch: held while a batch is in hand
 * @samples: samples on its pages; written by ksampled
 * @tier: what they say of its memory
 * @pingpong: slow node: folios that left it soon after they had come, see tc_again_up(); written by ksampled
 * @busy_since: when the batch in hand began (jiffies, never 0); 0: none is
 * @worker: its kmigrated; @wait: where that sleeps; @kicked: it shall not
 */
struct tc_node {
	int nid;
	bool fast;
	bool active;
	int target;
	struct tc_queue queue;
	struct tc_queue warm;
	struct tc_account account;
	atomic_long_t advised;
	struct tc_cursor cursor;
	struct tc_pressure pressure;
	struct tc_trend trend;
	unsigned long pressed_at;
	u64 batches;
	struct mutex batch;
	u64 samples;
	struct tc_tier_state tier;
	u64 pingpong;
	unsigned long busy_since;
	struct tc_kmigrated *worker;
	wait_queue_head_t wait;
	bool kicked;
};

/* In which direction do a node's pages go? */
static inline enum tc_direction tc_node_direction(const struct tc_node *node)
{
	return node->fast ? TC_DEMOTE : TC_PROMOTE;
}

/**
 * tc_nodes_init() - find the nodes and their roles
 * @fast: the operator's list of fast nodes; empty: those that the kernel counts as top tier
 * @slow: the operator's list of slow nodes; empty: all others
 *
 * Context: process context, sleeps; once, at load.
 *
 * Return: 0; -EINVAL when a list names a node twice or one without memory (the message says
 * which); -ENOMEM.
 */
int tc_nodes_init(const nodemask_t *fast, const nodemask_t *slow);

/* No worker may be left. */
void tc_nodes_exit(void);

/**
 * tc_nodes_update() - take in nodes whose memory came, let go those whose memory is gone
 *
 * New nodes get their role by the lists and tiers that tc_nodes_init() had, and every target is
 * chosen anew.
 *
 * Context: process context, sleeps; one caller at a time.
 *
 * Return: 0 or -ENOMEM; what could be done is done.
 */
int tc_nodes_update(void);

/* The node of this number, or NULL when it takes no part or has no memory now. */
struct tc_node *tc_node(int nid);

/* The same, also while it has no memory. For those who start and stop workers. */
struct tc_node *tc_node_known(int nid);

/* Mode advise begins anew to count what would be free, see struct tc_node. Context: any. */
void tc_nodes_forget_advised(void);

/* Is there a fast and a slow node? Without both there is nothing to move. */
bool tc_nodes_tiered(void);

/* The first node that takes part with a number above @after, or NULL. */
struct tc_node *tc_node_next(int after);

/* The same with those that have no memory now. */
struct tc_node *tc_node_next_known(int after);

/* Every node that ever took part: what it did counts still. */
#define tc_for_each_known_node(node) \
	for ((node) = tc_node_next_known(-1); (node); (node) = tc_node_next_known((node)->nid))

#define tc_for_each_node(node) \
	for ((node) = tc_node_next(-1); (node); (node) = tc_node_next((node)->nid))

/**
 * tc_queue_add() - add a candidate
 * @queue: queue of the node it is to leave
 * @folio: the folio; the caller holds a reference
 * @bin: its bin
 * @left: steps that its last touch still counts
 * @epoch: of the heat map
 *
 * Context: ksampled.
 *
 * Return: false when the queue is full, which is counted.
 */
bool tc_queue_add(struct tc_queue *queue, struct folio *folio, unsigned int bin, unsigned int left,
		  u32 epoch);

/**
 * tc_queue_pages_at() - pages that wait in a queue and are so hot
 * @queue: the queue
 * @bin: their bin
 * @epoch: of the heat map; the halvings since a candidate was queued are taken off
 *
 * Context: any.
 */
unsigned long tc_queue_pages_at(const struct tc_queue *queue, unsigned int bin, u32 epoch);

/* 4 KiB pages that wait in a queue. Context: any. */
static inline unsigned long tc_queue_pages(const struct tc_queue *queue)
{
	return max(atomic_long_read(&queue->pages), 0L);
}

/* Has the queue no room for another candidate? Context: ksampled. */
static inline bool tc_queue_full(struct tc_queue *queue)
{
	return kfifo_is_full(&queue->fifo);
}

/**
 * tc_queue_peek() - look at the oldest candidate; tc_queue_drop() takes it off
 * @queue: queue of the worker's node
 * @candidate: filled when there is one
 *
 * Context: the node's kmigrated.
 */
bool tc_queue_peek(struct tc_queue *queue, struct tc_candidate *candidate);
void tc_queue_drop(struct tc_queue *queue, const struct tc_candidate *candidate);

/* Let a node's kmigrated run now. Context: any but NMI. */
void tc_node_kick(struct tc_node *node);

#endif /* TC_ENGINE_NODE_H */
