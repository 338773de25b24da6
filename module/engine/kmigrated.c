// SPDX-License-Identifier: GPL-2.0
/*
 * kmigrated: one thread per node that moves the candidates of its queue to the node's target, in
 * batches, as far as there is room. Decides nothing about heat; it only checks that it still holds.
 */
#include <linux/err.h>
#include <linux/freezer.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/timekeeping.h>

#include "../move/mover.h"
#include "../move/scope.h"
#include "../policy/bucket.h"
#include "../track/offline.h"
#include "admit.h"
#include "ask.h"
#include "engine.h"
#include "gate.h"
#include "granularity.h"
#include "headroom.h"
#include "pacer.h"

/* Candidates that one batch takes up, moved or not. */
#define TC_BATCH_CANDIDATES TC_BATCH_PAGES

/* So many batches in a row that move nothing are no accident. */
#define TC_FRUITLESS_MAX 256

/* A worker that waits for its bandwidth looks again after this long. */
#define TC_THROTTLE_MS 10

/**
 * struct tc_kmigrated - what one worker needs to work
 * @node: its node
 * @task: its thread
 * @bucket: its share of bandwidth
 * @results: candidates of the batch, to tell ksampled
 * @nr_results: entries of @results
 * @policy: of the batch
 * @throttled: the last batch was cut short by @bucket
 * @fruitless: batches in a row that moved nothing although there was memory
 * @runtime: time on the processor that was accounted for
 * @mover: the batch
 */
struct tc_kmigrated {
	struct tc_node *node;
	struct task_struct *task;
	struct tc_bucket bucket;
	struct tc_result results[TC_BATCH_CANDIDATES];
	unsigned int nr_results;
	enum tc_policy policy;
	bool throttled;
	unsigned int fruitless;
	u64 runtime;
	struct tc_mover mover;
};

/* Pages per second of a bandwidth in MiB/s. */
static u64 tc_pages_per_second(unsigned int mib)
{
	return (u64)mib << (20 - PAGE_SHIFT);
}

/* A tenth of a second may be saved up, and always one batch. */
static u64 tc_burst(u64 pages_per_second)
{
	return max_t(u64, pages_per_second / 10, TC_BATCH_PAGES);
}

static void tc_set_rate(struct tc_kmigrated *worker, const struct tc_config *config)
{
	u64 rate = tc_pages_per_second(config->rate_limit_mib);

	if (rate != worker->bucket.rate_pages_per_s)
		tc_bucket_set_rate(&worker->bucket, ktime_get_ns(), rate, tc_burst(rate));
}

/**
 * struct tc_allowance - what a batch may do
 * @room: 4 KiB pages that the target may take, and the rate allows
 * @need: 4 KiB pages that should go; the last folio of a batch may go beyond it
 */
struct tc_allowance {
	unsigned long room;
	unsigned long need;
};

static struct tc_allowance tc_allow(const struct tc_node *node, int target,
				    const struct tc_config *config)
{
	unsigned long room = min(tc_room(target, config), 1UL * TC_BATCH_PAGES);

	if (!node->fast)
		room = min(room, tc_gate_left(config));
	return (struct tc_allowance){
		.room = room,
		.need = node->fast ? tc_demotion_need(node, config) : room,
	};
}

/* By recency: a page to be promoted is active still, and one to be demoted was not touched since. */
static bool tc_still_wanted_by_touch(const struct tc_node *node,
				     const struct tc_candidate *candidate)
{
	unsigned int left = tc_heatmap_touch_left(&tc_engine.map, candidate->pfn, candidate->order);

	return node->fast ? left <= candidate->left : left;
}

/* Does the reason for which this folio was queued still hold? */
static bool tc_still_wanted(const struct tc_node *node, const struct tc_candidate *candidate,
			    enum tc_policy policy)
{
	unsigned int bin;

	if (policy == TC_POLICY_TPP)
		return tc_still_wanted_by_touch(node, candidate);
	bin = tc_heatmap_bin(&tc_engine.map, candidate->pfn);
	if (!node->fast)
		return tc_temperature(bin) != TC_COLD;
	return tc_temperature(bin) != TC_HOT && bin <= candidate->bin;
}

/* May it be moved now? Who is refused here is no candidate any more; the next sample, or pass, makes it one again. */
static bool tc_batch_admits(const struct tc_kmigrated *worker, const struct tc_candidate *candidate)
{
	const struct tc_node *node = worker->node;
	struct tc_ask_page page = {
		.pfn = candidate->pfn,
		.order = candidate->order,
		.nid = node->nid,
		.target = worker->mover.target,
	};
	bool admit = node->fast || tc_admit_promotion(node, candidate, &page.reads, &page.writes);

	return tc_ask_admit(&page, admit);
}

static void tc_batch_add(struct tc_kmigrated *worker, const struct tc_candidate *candidate,
			 bool wanted)
{
	struct tc_result *result = &worker->results[worker->nr_results++];
	struct tc_mover *mover = &worker->mover;
	int nid = worker->node->nid;

	*result =
		(struct tc_result){ .from = candidate->pfn, .nid = nid, .order = candidate->order };
	if (!wanted)
		tc_mover_refuse(mover, candidate, nid, TC_OUTCOME_TEMPERATURE);
	else if (!tc_batch_admits(worker, candidate))
		tc_mover_refuse(mover, candidate, nid, TC_OUTCOME_POLICY);
	else
		result->taken = tc_mover_take(mover, candidate, nid, &result->refused);
}

/* A warm folio that became hot belongs to the other queue: its next sample puts it there. */
static bool tc_batch_pass_on(struct tc_kmigrated *worker, const struct tc_queue *queue,
			     const struct tc_candidate *candidate)
{
	if (queue != &worker->node->warm ||
	    tc_temperature(tc_heatmap_bin(&tc_engine.map, candidate->pfn)) != TC_HOT)
		return false;
	worker->results[worker->nr_results++] =
		(struct tc_result){ .from = candidate->pfn, .order = candidate->order };
	return true;
}

/* What is no longer wanted leaves the queue even when there is no room for anything. */
static void tc_batch_fill(struct tc_kmigrated *worker, struct tc_queue *queue,
			  const struct tc_allowance *allowance)
{
	struct tc_mover *mover = &worker->mover;
	struct tc_candidate candidate;
	bool wanted;

	while (worker->nr_results < TC_BATCH_CANDIDATES && tc_queue_peek(queue, &candidate)) {
		if (tc_batch_pass_on(worker, queue, &candidate)) {
			tc_queue_drop(queue, &candidate);
			continue;
		}
		wanted = tc_still_wanted(worker->node, &candidate, worker->policy);
		if (wanted && (mover->pages >= allowance->need ||
			       mover->pages + (1UL << candidate.order) > allowance->room))
			break;
		tc_queue_drop(queue, &candidate);
		tc_batch_add(worker, &candidate, wanted);
	}
}

/* Hot folios first; the warm ones get what room is left. */
static void tc_batch_fill_all(struct tc_kmigrated *worker, const struct tc_allowance *allowance)
{
	struct tc_node *node = worker->node;

	worker->nr_results = 0;
	tc_batch_fill(worker, &node->queue, allowance);
	if (!node->fast && !tc_queue_pages(&node->queue))
		tc_batch_fill(worker, &node->warm, allowance);
}

static bool tc_has_candidates(const struct tc_node *node)
{
	return tc_queue_pages(&node->queue) || tc_queue_pages(&node->warm);
}

/*
 * Sums that do not close mean that the kernel does something else than this code believes; batches
 * that all fail while memory is free mean that something is wrong with the whole machine.
 */
static void tc_batch_judge(struct tc_kmigrated *worker)
{
	const struct tc_mover *mover = &worker->mover;

	if (mover->tally.mismatches)
		tc_engine_fall_back("the module and the kernel count different numbers of pages");
	if (!mover->isolated || mover->no_memory)
		return;
	worker->fruitless = mover->nr_moves ? 0 : worker->fruitless + 1;
	if (worker->fruitless >= TC_FRUITLESS_MAX) {
		worker->fruitless = 0;
		tc_engine_fall_back("many batches in a row could not move a single page");
	}
}

static int tc_compare_results(const void *a, const void *b)
{
	const struct tc_result *left = a, *right = b;

	return left->from < right->from ? -1 : left->from > right->from;
}

static int tc_compare_moves(const void *a, const void *b)
{
	const struct tc_move *left = a, *right = b;

	return left->from < right->from ? -1 : left->from > right->from;
}

/* Adds to each candidate that moved its new place, and posts them. */
static void tc_batch_report(struct tc_kmigrated *worker)
{
	struct tc_mover *mover = &worker->mover;
	unsigned int i, move = 0;

	sort(worker->results, worker->nr_results, sizeof(*worker->results), tc_compare_results,
	     NULL);
	sort(mover->moves, mover->nr_moves, sizeof(*mover->moves), tc_compare_moves, NULL);
	for (i = 0; i < worker->nr_results; i++) {
		while (move < mover->nr_moves && mover->moves[move].from < worker->results[i].from)
			move++;
		if (move < mover->nr_moves && mover->moves[move].from == worker->results[i].from) {
			worker->results[i].to = mover->moves[move].to;
			/* The kernel may have split it on the way: then this is its first piece. */
			worker->results[i].order = mover->moves[move].order;
			worker->results[i].owner = mover->moves[move++].owner;
		} else {
			/* What the kernel left now it will likely leave again: not for a while. */
			worker->results[i].refused |= worker->results[i].taken;
		}
	}
	tc_engine_post(worker->results, worker->nr_results);
}

/* Those who wait for room on this node may go on. */
static void tc_kick_waiting(const struct tc_node *node)
{
	struct tc_node *from;

	tc_for_each_node(from)
		if (from->target == node->nid && tc_has_candidates(from))
			tc_node_kick(from);
}

/* What a dry run would have moved is as good as moved for the next one. */
static void tc_batch_advised(const struct tc_kmigrated *worker)
{
	const struct tc_mover *mover = &worker->mover;
	struct tc_node *target = tc_node(mover->target);

	if (!mover->dry_run)
		return;
	atomic_long_add(mover->pages, &worker->node->advised);
	if (target)
		atomic_long_sub(mover->pages, &target->advised);
}

/* Takes from the rate what the batch may use; what it does not use goes back afterwards. */
static u64 tc_throttle(struct tc_kmigrated *worker, struct tc_allowance *allowance)
{
	u64 granted = tc_bucket_take(&worker->bucket, ktime_get_ns(), allowance->room);

	worker->throttled = granted < allowance->room;
	allowance->room = granted;
	return granted;
}

/* Moves it, and learns what a page costs. */
static void tc_batch_finish(struct tc_kmigrated *worker)
{
	struct tc_mover *mover = &worker->mover;
	u64 begin = ktime_get_ns();

	tc_mover_finish(mover, &worker->node->account);
	tc_granularity_copied(ktime_get_ns() - begin, mover->tally.moved_pages);
}

/* The batch itself; returns true when something was done and another one may follow at once. */
static bool tc_batch_move(struct tc_kmigrated *worker, const struct tc_config *config,
			  enum tc_mode mode)
{
	int target = tc_batch_target(worker->node, config), token;
	struct tc_mover *mover = &worker->mover;
	struct tc_allowance allowance;
	u64 granted;

	/* A node that is just going has no target any more. */
	if (target == NUMA_NO_NODE || !tc_has_candidates(worker->node))
		return false;
	WRITE_ONCE(worker->node->batches, worker->node->batches + 1);
	worker->policy = config->policy;
	tc_scope_refresh();
	allowance = tc_allow(worker->node, target, config);
	granted = tc_throttle(worker, &allowance);
	WRITE_ONCE(worker->node->busy_since, jiffies | 1);
	token = tc_offline_enter();
	atomic_inc(&tc_engine.map.moving);
	/* Before the first folio moves. Pairs with the barrier in tc_on_its_way(). */
	smp_mb__after_atomic();
	tc_mover_begin(mover, target, mode == TC_MODE_ADVISE);
	tc_batch_fill_all(worker, &allowance);
	if (worker->nr_results)
		tc_batch_finish(worker);
	tc_offline_leave(token);
	WRITE_ONCE(worker->node->busy_since, 0);
	tc_bucket_return(&worker->bucket, granted - mover->pages);

	tc_batch_advised(worker);
	tc_batch_judge(worker);
	tc_batch_report(worker);
	atomic_inc(&tc_engine.batches_posted);
	if (mover->nr_moves && worker->node->fast)
		tc_kick_waiting(worker->node);
	else if (!worker->node->fast)
		tc_gate_promoted(mover->tally.moved_pages);
	return worker->nr_results;
}

/*
 * One batch, under the settings of now: whoever forbids batches and then takes the lock knows that none
 * is in hand and none will be, see tc_kmigrated_settle().
 */
static bool tc_batch(struct tc_kmigrated *worker, struct tc_config *config)
{
	bool more = false;
	enum tc_mode mode;

	mutex_lock(&worker->node->batch);
	tc_config_read(config);
	tc_set_rate(worker, config);
	mode = tc_engine_mode(config, NULL);
	if (tc_mode_decides(mode))
		more = tc_batch_move(worker, config, mode);
	mutex_unlock(&worker->node->batch);
	return more;
}

static void tc_kmigrated_round(struct tc_kmigrated *worker, struct tc_config *config)
{
	worker->throttled = false;
	while (!kthread_should_stop() && tc_batch(worker, config)) {
		cond_resched();
		try_to_freeze();
	}
}

static unsigned long tc_sleep(const struct tc_kmigrated *worker, const struct tc_config *config)
{
	if (!tc_mode_decides(tc_engine_mode(config, NULL)))
		return MAX_SCHEDULE_TIMEOUT;
	return msecs_to_jiffies(worker->throttled ? TC_THROTTLE_MS : config->kmigrated_ms);
}

static int tc_kmigrated_run(void *data)
{
	struct tc_kmigrated *worker = data;
	struct tc_node *node = worker->node;
	struct tc_config config;

	tc_config_read(&config);
	set_freezable();
	while (!kthread_should_stop()) {
		/* A full barrier: whoever sets it again has written what is read below. */
		smp_store_mb(node->kicked, false);
		tc_kmigrated_round(worker, &config);
		tc_cpu_account(TC_CPU_MOVE, &worker->runtime);
		wait_event_freezable_timeout(node->wait,
					     READ_ONCE(node->kicked) || kthread_should_stop(),
					     tc_sleep(worker, &config));
	}
	return 0;
}

void tc_kmigrated_settle(void)
{
	struct tc_node *node;

	tc_for_each_known_node(node) {
		if (mutex_lock_interruptible(&node->batch))
			return;
		mutex_unlock(&node->batch);
	}
}

int tc_kmigrated_start(struct tc_node *node)
{
	struct tc_kmigrated *worker = kvzalloc(sizeof(*worker), GFP_KERNEL);
	struct tc_config config;
	u64 rate;
	int err;

	if (!worker)
		return -ENOMEM;
	tc_config_read(&config);
	rate = tc_pages_per_second(config.rate_limit_mib);
	tc_bucket_init(&worker->bucket, ktime_get_ns(), rate, tc_burst(rate));
	worker->node = node;
	worker->task = kthread_run(tc_kmigrated_run, worker, "tc_kmigrated/%d", node->nid);
	if (IS_ERR(worker->task)) {
		err = PTR_ERR(worker->task);
		kvfree(worker);
		return err;
	}
	node->worker = worker;
	return 0;
}

void tc_kmigrated_stop(struct tc_node *node)
{
	struct tc_kmigrated *worker = node->worker;

	if (!worker)
		return;
	kthread_stop(worker->task);
	node->worker = NULL;
	kvfree(worker);
}
