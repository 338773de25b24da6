// SPDX-License-Identifier: GPL-2.0
/*
 * kmigrated: one thread per node that moves the candidates of its queue to the node's target, in
 * batches, as far as there is room. Decides nothing about heat; it only checks that it still holds.
 */
#include <linux/err.h>
#include <linux/freezer.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "../move/mover.h"
#include "../policy/bucket.h"
#include "engine.h"
#include "headroom.h"

/* Candidates that one batch takes up, moved or not. */
#define TC_BATCH_CANDIDATES TC_BATCH_PAGES

/* A worker that waits for its bandwidth looks again after this long. */
#define TC_THROTTLE_MS 10

/**
 * struct tc_kmigrated - what one worker needs to work
 * @node: its node
 * @task: its thread
 * @bucket: its share of bandwidth
 * @results: candidates of the batch, to tell ksampled
 * @nr_results: entries of @results
 * @throttled: the last batch was cut short by @bucket
 * @mover: the batch
 */
struct tc_kmigrated {
	struct tc_node *node;
	struct task_struct *task;
	struct tc_bucket bucket;
	struct tc_result results[TC_BATCH_CANDIDATES];
	unsigned int nr_results;
	bool throttled;
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

/* How many pages may go now: what there is room for, and no more than should leave. */
static unsigned long tc_allowance(const struct tc_node *node, const struct tc_config *config)
{
	unsigned long pages = tc_room(node->target, config);

	if (node->fast)
		pages = min(pages, tc_demotion_need(node, config));
	return min(pages, 1UL * TC_BATCH_PAGES);
}

/* Does the reason for which this folio was queued still hold? */
static bool tc_still_wanted(const struct tc_node *node, unsigned long pfn)
{
	struct tc_thresholds thresholds = {
		.hot = READ_ONCE(tc_engine.thresholds.hot),
		.warm = READ_ONCE(tc_engine.thresholds.warm),
	};
	enum tc_temperature now;

	now = tc_classify(&thresholds, tc_heatmap_bin(&tc_engine.map, pfn));
	if (!node->fast)
		return now == TC_HOT;
	return now == TC_COLD || (now == TC_WARM && READ_ONCE(node->cursor.take_warm));
}

static void tc_batch_fill(struct tc_kmigrated *worker, unsigned long pages)
{
	struct tc_node *node = worker->node;
	struct tc_mover *mover = &worker->mover;
	struct tc_candidate candidate;

	tc_mover_begin(mover, node->target);
	worker->nr_results = 0;
	while (worker->nr_results < TC_BATCH_CANDIDATES &&
	       tc_queue_peek(&node->queue, &candidate) &&
	       mover->isolated_pages + (1UL << candidate.order) <= pages) {
		tc_queue_drop(&node->queue, &candidate);
		worker->results[worker->nr_results++] = (struct tc_result){
			.from = candidate.pfn,
			.order = candidate.order,
		};
		if (tc_still_wanted(node, candidate.pfn))
			tc_mover_take(mover, candidate.pfn, candidate.order, node->nid);
		else
			tc_mover_refuse(mover, TC_OUTCOME_TEMPERATURE);
	}
}

/* First all candidates as off the queue, then those that moved with their new place. */
static void tc_batch_report(struct tc_kmigrated *worker)
{
	struct tc_mover *mover = &worker->mover;
	unsigned int i;

	tc_engine_post(worker->results, worker->nr_results);
	for (i = 0; i < mover->nr_moves; i++)
		worker->results[i] = (struct tc_result){
			.from = mover->moves[i].from,
			.to = mover->moves[i].to,
			.order = mover->moves[i].order,
		};
	tc_engine_post(worker->results, mover->nr_moves);
}

/* Those who wait for room on this node may go on. */
static void tc_kick_waiting(const struct tc_node *node)
{
	struct tc_node *from;

	tc_for_each_node(from)
		if (from->target == node->nid && atomic_long_read(&from->queue.pages))
			tc_node_kick(from);
}

/* Returns true when a batch was done and another may follow at once. */
static bool tc_batch(struct tc_kmigrated *worker, const struct tc_config *config)
{
	unsigned long pages = tc_allowance(worker->node, config);
	u64 granted;

	if (!pages || !atomic_long_read(&worker->node->queue.pages))
		return false;
	granted = tc_bucket_take(&worker->bucket, ktime_get_ns(), pages);
	tc_batch_fill(worker, granted);
	worker->throttled = granted < pages;
	if (worker->nr_results) {
		tc_mover_finish(&worker->mover, &worker->node->account);
		tc_batch_report(worker);
	}
	tc_bucket_return(&worker->bucket, granted - worker->mover.isolated_pages);
	if (worker->mover.nr_moves && worker->node->fast)
		tc_kick_waiting(worker->node);
	return worker->nr_results;
}

static void tc_kmigrated_round(struct tc_kmigrated *worker, struct tc_config *config)
{
	worker->throttled = false;
	tc_set_rate(worker, config);
	while (!kthread_should_stop() && tc_engine_mode(config, NULL) == TC_MODE_TIER &&
	       tc_batch(worker, config)) {
		cond_resched();
		try_to_freeze();
		tc_config_read(config);
	}
}

static unsigned long tc_sleep(const struct tc_kmigrated *worker, const struct tc_config *config)
{
	if (tc_engine_mode(config, NULL) != TC_MODE_TIER)
		return MAX_SCHEDULE_TIMEOUT;
	return msecs_to_jiffies(worker->throttled ? TC_THROTTLE_MS : config->kmigrated_ms);
}

static int tc_kmigrated_run(void *data)
{
	struct tc_kmigrated *worker = data;
	struct tc_node *node = worker->node;
	struct tc_config config;

	set_freezable();
	while (!kthread_should_stop()) {
		WRITE_ONCE(node->kicked, false);
		tc_config_read(&config);
		tc_kmigrated_round(worker, &config);
		wait_event_freezable_timeout(node->wait,
					     READ_ONCE(node->kicked) || kthread_should_stop(),
					     tc_sleep(worker, &config));
	}
	return 0;
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
