// SPDX-License-Identifier: GPL-2.0
/*
 * tc_split: the thread that splits the huge pages that ksampled chose, some at a time, and asks for
 * those that should be whole again. Both wait for locks and for work that ksampled must not wait for.
 */
#include <linux/err.h>
#include <linux/freezer.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "../move/scope.h"
#include "../track/offline.h"
#include "coalesce.h"
#include "engine.h"
#include "granularity.h"
#include "pacer.h"
#include "split.h"

/* Tells ksampled; from then on the request may be forgotten. Those for promotion are waited for one by one. */
static void tc_splitter_answer(const struct tc_result *result)
{
	tc_engine_post(result, 1);
	if (result->promote) {
		tc_engine_kick();
		return;
	}
	/* Whoever reads 0 finds all results posted. */
	smp_mb__before_atomic();
	atomic_dec(&tc_split_engine.pending);
}

/* Is this still the policy that it was asked for under? */
static bool tc_still_asked_for(const struct tc_split_request *request, enum tc_split_policy policy)
{
	return request->promote ? tc_split_at_promotion(policy) : policy == TC_SPLIT_MEMTIS;
}

/*
 * The settings are read with the lock that whoever changes them takes afterwards, see
 * tc_splitter_settle(). What waits when splitting is no longer wanted is answered and not tried.
 */
static void tc_splitter_one(struct tc_splitter *splitter, const struct tc_split_request *request)
{
	struct tc_result result = {
		.from = request->pfn,
		.order = request->order,
		.split = true,
		.promote = request->promote,
	};
	struct tc_config config;
	enum tc_mode mode;
	int token;
	u64 begin;

	mutex_lock(&tc_split_engine.in_hand);
	tc_config_read(&config);
	mode = tc_engine_mode(&config, NULL);
	splitter->dry_run = mode == TC_MODE_ADVISE;
	if (tc_mode_decides(mode) && tc_still_asked_for(request, config.split)) {
		WRITE_ONCE(tc_split_engine.busy_since, jiffies | 1);
		begin = ktime_get_ns();
		token = tc_offline_enter();
		result.taken = tc_split_try(splitter, request, &result.refused);
		tc_offline_leave(token);
		if (result.taken)
			tc_granularity_split_took(ktime_get_ns() - begin);
		WRITE_ONCE(tc_split_engine.busy_since, 0);
	}
	mutex_unlock(&tc_split_engine.in_hand);
	tc_splitter_answer(&result);
}

/* What waits to be promoted goes first. */
static bool tc_next_request(struct tc_split_request *request)
{
	return kfifo_get(&tc_granularity_engine.requests, request) ||
	       kfifo_get(&tc_split_engine.requests, request);
}

static bool tc_has_requests(void)
{
	return !kfifo_is_empty(&tc_granularity_engine.requests) ||
	       !kfifo_is_empty(&tc_split_engine.requests) ||
	       !kfifo_is_empty(&tc_coalesce_engine.requests);
}

static void tc_splitter_pass(void)
{
	struct tc_split_engine *split = &tc_split_engine;
	struct tc_splitter splitter = {};
	struct tc_split_request request;
	unsigned int tried = 0;

	tc_scope_refresh();
	while (tried++ < TC_SPLIT_PASS && !kthread_should_stop() && tc_next_request(&request)) {
		tc_splitter_one(&splitter, &request);
		cond_resched();
	}
	WRITE_ONCE(split->zero_pages, split->zero_pages + splitter.zero_pages);
	tc_account_add(&split->account, &splitter.tally);
}

static int tc_splitter_run(void *unused)
{
	struct tc_split_engine *split = &tc_split_engine;
	struct tc_config config;
	u64 runtime = 0;

	set_freezable();
	while (!kthread_should_stop()) {
		wait_event_freezable(split->wait, kthread_should_stop() || tc_has_requests());
		tc_splitter_pass();
		tc_coalesce_pass();
		tc_cpu_account(TC_CPU_MOVE, &runtime);
		tc_config_read(&config);
		wait_event_freezable_timeout(split->wait, kthread_should_stop(),
					     msecs_to_jiffies(config.kmigrated_ms));
	}
	return 0;
}

void tc_splitter_settle(void)
{
	if (mutex_lock_interruptible(&tc_split_engine.in_hand))
		return;
	mutex_unlock(&tc_split_engine.in_hand);
}

int tc_splitter_start(void)
{
	struct tc_split_engine *split = &tc_split_engine;

	INIT_KFIFO(split->requests);
	INIT_KFIFO(tc_coalesce_engine.requests);
	tc_granularity_start();
	init_waitqueue_head(&split->wait);
	tc_account_init(&split->account);
	split->task = kthread_run(tc_splitter_run, NULL, "tc_split");
	return PTR_ERR_OR_ZERO(split->task);
}

void tc_splitter_stop(void)
{
	kthread_stop(tc_split_engine.task);
}
