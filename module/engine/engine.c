// SPDX-License-Identifier: GPL-2.0
/*
 * Starts and stops the workers and says what mode they are in. Does none of their work.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/workqueue.h>

#include "../kernel/tracepoint.h"
#include "../move/selftest.h"
#include "../track/offline.h"
#include "../track/sampler.h"
#include "../track/scan.h"
#include "admit.h"
#include "engine.h"
#include "gate.h"
#include "granularity.h"
#include "pacer.h"
#include "split.h"
#include "takeover.h"
#include "touch.h"
#include "usage.h"

/* Time between two times that kswapd makes ksampled run, at least. */
#define TC_KICK_MS 20

/* Until the first adaptation nothing is hot, as nothing is known. */
struct tc_engine tc_engine = { .thresholds = { .hot = TC_BINS - 1, .warm = TC_BINS - 1 } };

enum tc_mode tc_engine_mode(const struct tc_config *config, const char **why)
{
	const char *unused;

	why = why ?: &unused;
	*why = "";
	if (!tc_mode_decides(config->mode))
		return config->mode;
	if (!tc_nodes_tiered())
		*why = "this machine has one memory tier, so there is nowhere to move to";
	else if (!tc_sampler_active())
		*why = "nothing is sampled, so nothing is known of any page";
	else if (READ_ONCE(tc_engine.fallback))
		*why = READ_ONCE(tc_engine.fallback);
	else
		return config->mode;
	return TC_MODE_OBSERVE;
}

void tc_engine_fall_back(const char *why)
{
	if (cmpxchg(&tc_engine.fallback, NULL, why))
		return;
	pr_err("nothing is moved any more: %s; write the mode again to go on\n", why);
}

void tc_engine_kick(void)
{
	WRITE_ONCE(tc_engine.kicked, true);
	wake_up(&tc_engine.wait);
}

void tc_engine_post(const struct tc_result *results, unsigned int nr)
{
	unsigned int in;
	bool busy;

	spin_lock(&tc_engine.results_lock);
	in = kfifo_in(&tc_engine.results, results, nr);
	tc_engine.results_lost += nr - in;
	busy = kfifo_len(&tc_engine.results) > TC_RESULTS_SIZE / 2;
	spin_unlock(&tc_engine.results_lock);
	if (in < nr)
		WRITE_ONCE(tc_engine.results_missed, true);
	if (busy)
		tc_engine_kick();
}

/* In an interrupt of its own, as who allocates may hold any lock. */
static void tc_kick_work(struct irq_work *work)
{
	tc_engine_kick();
}

static DEFINE_IRQ_WORK(tc_kick_later, tc_kick_work);

bool tc_engine_kick_later(void)
{
	return irq_work_queue(&tc_kick_later);
}

/* kswapd may be woken again and again; what is looked for is found at once, or not for a while. */
static bool tc_kick_due(void)
{
	static unsigned long kicked_at;
	unsigned long last = READ_ONCE(kicked_at), now = jiffies;

	return now - last > msecs_to_jiffies(TC_KICK_MS) && cmpxchg(&kicked_at, last, now) == last;
}

/* Policy tpp does not wait for the next round: the kernel reclaims where demotion was too late. */
static void tc_kswapd_woken(int nid)
{
	const struct tc_node *node = tc_node(nid);

	if (node && node->fast && READ_ONCE(tc_engine.heeds_kswapd) && tc_kick_due() &&
	    tc_engine_kick_later())
		atomic_long_inc(&tc_engine.kswapd_kicks);
}

/*
 * A node has a worker while it has memory and a target. Context: load, unload or tc_nodes_work, one
 * at a time.
 */
static int tc_workers_update(void)
{
	struct tc_node *node;
	int err, first = 0;

	tc_for_each_known_node(node) {
		if (!node->active || node->target == NUMA_NO_NODE) {
			tc_kmigrated_stop(node);
			continue;
		}
		err = node->worker ? 0 : tc_kmigrated_start(node);
		first = first ?: err;
	}
	return first;
}

/* Also called for every process that exits, in its context; its memory may not be freed yet. */
static void tc_sweep_soon(void)
{
	if (!READ_ONCE(tc_engine.scrub_at))
		WRITE_ONCE(tc_engine.scrub_at, (jiffies + HZ) | 1);
}

static void tc_nodes_changed_work(struct work_struct *work)
{
	int nodes, workers;

	/* An event that came while the module is being unloaded. */
	if (!READ_ONCE(tc_engine.ready))
		return;
	nodes = tc_nodes_update();
	workers = tc_workers_update();
	if (nodes || workers)
		pr_err("no memory for a node that came: it takes no part (%d)\n", nodes ?: workers);
	/* The heat of memory that went is dropped by a sweep: let it begin. */
	tc_sweep_soon();
	tc_engine_kick();
}

static DECLARE_WORK(tc_nodes_work, tc_nodes_changed_work);

/* The notifier holds the hotplug locks, and the workers may have to be waited for. */
static void tc_memory_changed(void)
{
	if (READ_ONCE(tc_engine.ready))
		schedule_work(&tc_nodes_work);
}

/* ksampled last: it takes in what the others report. */
static void tc_workers_stop(void)
{
	struct tc_node *node;

	tc_for_each_known_node(node)
		tc_kmigrated_stop(node);
	tc_splitter_stop();
	kthread_stop(tc_engine.ksampled);
}

static int tc_workers_start(void)
{
	int err;

	err = tc_splitter_start();
	if (err)
		return err;
	tc_engine.ksampled = kthread_run(tc_ksampled, NULL, "tc_ksampled");
	if (IS_ERR(tc_engine.ksampled)) {
		tc_splitter_stop();
		return PTR_ERR(tc_engine.ksampled);
	}
	err = tc_workers_update();
	if (err)
		tc_workers_stop();
	return err;
}

/* Before anybody's pages are touched. A machine where nothing can be moved now only observes. */
static int tc_try_own_pages(void)
{
	struct tc_node *node;
	const char *why;
	int err, target;

	tc_engine.selftested = true;
	tc_for_each_node(node) {
		/* Nodes may come and go meanwhile, so it is looked at once. */
		target = READ_ONCE(node->target);
		if (node->fast || target == NUMA_NO_NODE)
			continue;
		err = tc_selftest(node->nid, target, &why);
		if (!err)
			continue;
		tc_engine.selftested = false;
		tc_engine_fall_back(why);
		if (err == -EIO)
			return err;
	}
	return 0;
}

static void tc_kick_all(void)
{
	struct tc_node *node;

	tc_engine_kick();
	tc_for_each_node(node)
		tc_node_kick(node);
}

void tc_engine_forgive(void)
{
	WRITE_ONCE(tc_engine.fallback, NULL);
	if (!tc_engine.selftested)
		tc_try_own_pages();
	tc_kick_all();
}

int tc_engine_check(const struct tc_config *config)
{
	return tc_heatmap_check_limit(&tc_engine.map, config->heatmap_limit_kib);
}

int tc_engine_start(enum tc_sampler_kind sampler, const struct cpumask *cpus)
{
	struct tc_periods periods[TC_NR_SAMPLERS] = {};
	struct tc_config config;
	void *buffer;
	int err;

	tc_config_read(&config);
	tc_pacer_periods(&config, periods);
	init_waitqueue_head(&tc_engine.wait);
	spin_lock_init(&tc_engine.results_lock);
	buffer = kvmalloc_array(TC_RESULTS_SIZE, sizeof(struct tc_result), GFP_KERNEL);
	if (!buffer)
		return -ENOMEM;
	kfifo_init(&tc_engine.results, buffer, TC_RESULTS_SIZE * sizeof(struct tc_result));
	err = tc_heatmap_init(&tc_engine.map, totalram_pages());
	if (err)
		goto free_results;
	err = tc_engine_check(&config);
	if (err)
		goto exit_heatmap;
	err = tc_sampler_start(sampler, cpus, periods, config.ring_slots);
	if (err)
		goto exit_heatmap;
	/* From here on memory that goes offline waits for those who look at folios. */
	err = tc_offline_init(tc_memory_changed);
	if (err)
		goto stop_sampler;
	err = tc_try_own_pages();
	if (err) {
		pr_err("refusing to load\n");
		goto exit_offline;
	}
	tc_gate_open();
	err = tc_workers_start();
	if (err)
		goto exit_offline;
	tc_watch_exits(tc_sweep_soon);
	tc_watch_kswapd(tc_kswapd_woken);
	/* What came or went since the nodes were counted was not acted upon. */
	WRITE_ONCE(tc_engine.ready, true);
	schedule_work(&tc_nodes_work);
	return 0;

exit_offline:
	/* ksampled may have run. */
	tc_usage_exit();
	tc_offline_exit();
stop_sampler:
	tc_sampler_stop();
exit_heatmap:
	tc_heatmap_exit(&tc_engine.map);
free_results:
	kvfree(tc_engine.results.kfifo.data);
	return err;
}

void tc_engine_stop(void)
{
	tc_takeover_stop();
	tc_sampler_enable(false);
	tc_watch_exits(NULL);
	tc_watch_kswapd(NULL);
	irq_work_sync(&tc_kick_later);
	WRITE_ONCE(tc_engine.ready, false);
	cancel_work_sync(&tc_nodes_work);
	tc_workers_stop();
	tc_takeover_exit();
	tc_granularity_stop();
	tc_admit_stop();
	tc_usage_exit();
	tc_offline_exit();
	cancel_work_sync(&tc_nodes_work);
	tc_sampler_stop();
	tc_heatmap_exit(&tc_engine.map);
	kvfree(tc_engine.results.kfifo.data);
}

int tc_engine_apply(const struct tc_config *config)
{
	const struct tc_scan_settings scan = { .interval_ms = config->scan_ms,
					       .limit_bp = config->scan_limit_bp };
	int err;

	tc_nodes_forget_advised();
	err = tc_pacer_begin(config);
	tc_scan_configure(&scan);
	tc_sampler_enable(config->mode != TC_MODE_OFF);
	tc_granularity_apply(config);
	tc_admit_apply(config);
	tc_takeover_apply(config);
	tc_kick_all();
	/* Who writes mode=off finds nothing moving when the write is through. */
	if (!tc_mode_decides(config->mode))
		tc_kmigrated_settle();
	tc_splitter_settle();
	return err;
}
