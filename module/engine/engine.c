// SPDX-License-Identifier: GPL-2.0
/*
 * Starts and stops the workers and says what mode they are in. Does none of their work.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/err.h>
#include <linux/kthread.h>

#include "../track/sampler.h"
#include "engine.h"

struct tc_engine tc_engine;

enum tc_mode tc_engine_mode(const struct tc_config *config, const char **why)
{
	const char *unused;

	why = why ?: &unused;
	*why = "";
	if (config->mode != TC_MODE_TIER)
		return config->mode;
	if (!tc_nodes_tiered())
		*why = "this machine has one memory tier, so there is nowhere to move to";
	else if (!strcmp(tc_sampler_name(), "none"))
		*why = "nothing is sampled, so nothing is known of any page";
	else
		return TC_MODE_TIER;
	return TC_MODE_OBSERVE;
}

void tc_engine_post(const struct tc_result *results, unsigned int nr)
{
	unsigned int in;

	spin_lock(&tc_engine.results_lock);
	in = kfifo_in(&tc_engine.results, results, nr);
	tc_engine.results_lost += nr - in;
	spin_unlock(&tc_engine.results_lock);
}

/* ksampled last: it takes in what the others report. */
static void tc_workers_stop(void)
{
	struct tc_node *node;

	tc_for_each_node(node)
		tc_kmigrated_stop(node);
	kthread_stop(tc_engine.ksampled);
}

static int tc_workers_start(void)
{
	struct tc_node *node;
	int err;

	tc_engine.ksampled = kthread_run(tc_ksampled, NULL, "tc_ksampled");
	if (IS_ERR(tc_engine.ksampled))
		return PTR_ERR(tc_engine.ksampled);

	/* A node without a target has nothing to move, and needs nobody to move it. */
	tc_for_each_node(node) {
		err = node->target == NUMA_NO_NODE ? 0 : tc_kmigrated_start(node);
		if (err) {
			tc_workers_stop();
			return err;
		}
	}
	return 0;
}

int tc_engine_start(enum tc_sampler_kind sampler, const struct cpumask *cpus)
{
	struct tc_config config;
	int err;

	tc_config_read(&config);
	init_waitqueue_head(&tc_engine.wait);
	spin_lock_init(&tc_engine.results_lock);
	err = kfifo_alloc(&tc_engine.results, TC_RESULTS_SIZE, GFP_KERNEL);
	if (err)
		return err;
	err = tc_heatmap_init(&tc_engine.map);
	if (err)
		goto free_results;
	err = tc_sampler_start(sampler, cpus, config.ibs_period, config.ring_slots);
	if (err)
		goto exit_heatmap;
	err = tc_workers_start();
	if (err)
		goto stop_sampler;
	tc_sampler_enable(config.mode != TC_MODE_OFF);
	return 0;

stop_sampler:
	tc_sampler_stop();
exit_heatmap:
	tc_heatmap_exit(&tc_engine.map);
free_results:
	kfifo_free(&tc_engine.results);
	return err;
}

void tc_engine_stop(void)
{
	tc_sampler_enable(false);
	tc_workers_stop();
	tc_sampler_stop();
	tc_heatmap_exit(&tc_engine.map);
	kfifo_free(&tc_engine.results);
}

int tc_engine_apply(const struct tc_config *old, const struct tc_config *new)
{
	struct tc_node *node;
	int err = 0;

	if (new->ibs_period != old->ibs_period)
		err = tc_sampler_set_period(new->ibs_period);
	if (new->mode != old->mode)
		tc_sampler_enable(new->mode != TC_MODE_OFF);
	WRITE_ONCE(tc_engine.kicked, true);
	wake_up(&tc_engine.wait);
	tc_for_each_node(node)
		tc_node_kick(node);
	return err;
}
