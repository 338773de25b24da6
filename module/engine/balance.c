// SPDX-License-Identifier: GPL-2.0
/*
 * The figures of balance.h.
 */
#include <linux/compiler.h>
#include <linux/minmax.h>

#include "balance.h"
#include "headroom.h"
#include "node.h"

/* Written by ksampled. */
static struct tc_balance tc_balance;

/* Of all nodes of a tier the one that waits longest for fast memory, or least for slow: what can be gained by moving. */
static u32 tc_balance_latency(bool fast)
{
	const struct tc_node *node;
	u32 latency = 0, loaded;

	tc_for_each_node(node) {
		loaded = node->tier.latency.loaded_ns;
		if (node->fast != fast || !loaded)
			continue;
		if (!latency)
			latency = loaded;
		latency = fast ? max(latency, loaded) : min(latency, loaded);
	}
	return latency;
}

/* Has what the fast nodes are to give away left them, but for a batch? */
static bool tc_balance_settled(const struct tc_config *config)
{
	unsigned long need[TC_BINS + 1];
	struct tc_node *node;

	tc_for_each_node(node) {
		if (!node->fast || node->target == NUMA_NO_NODE)
			continue;
		tc_demotion_needs(node, config, need);
		if (need[TC_BINS] > TC_BATCH_PAGES)
			return false;
	}
	return true;
}

void tc_balance_run(const struct tc_config *config)
{
	if (config->policy == TC_POLICY_BALANCE)
		tc_balance_window(&tc_balance, tc_balance_latency(true), tc_balance_latency(false),
				  tc_balance_settled(config));
	else if (tc_balance.stopped || tc_balance.reserve_bp)
		tc_balance = (struct tc_balance){ .steps = tc_balance.steps };
}

bool tc_balance_stops(const struct tc_config *config)
{
	return config->policy == TC_POLICY_BALANCE && READ_ONCE(tc_balance.stopped);
}

unsigned int tc_balance_reserve_bp(const struct tc_config *config)
{
	return config->policy == TC_POLICY_BALANCE ? READ_ONCE(tc_balance.reserve_bp) : 0;
}

void tc_balance_read(struct tc_balance *balance)
{
	*balance = (struct tc_balance){
		.stopped = READ_ONCE(tc_balance.stopped),
		.reserve_bp = READ_ONCE(tc_balance.reserve_bp),
		.steps = READ_ONCE(tc_balance.steps),
	};
}
