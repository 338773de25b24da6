// SPDX-License-Identifier: GPL-2.0
/*
 * The figures of tier.h. Nothing is measured yet: what the settings say, and pressure unknown.
 */
#include "tier.h"

void tc_tier_sample(struct tc_node *node, const struct tc_sample *sample)
{
}

void tc_tier_run(const struct tc_config *config)
{
}

unsigned int tc_tier_latency_ns(const struct tc_node *node, const struct tc_config *config)
{
	return node->fast ? config->fast_latency_ns : config->slow_latency_ns;
}

enum tc_contention_level tc_tier_contention(void)
{
	return TC_CONTENTION_UNKNOWN;
}

enum tc_traffic_kind tc_tier_traffic(const struct tc_node *node)
{
	return TC_TRAFFIC_UNKNOWN;
}

bool tc_tier_tlb_miss_bp(const struct tc_node *node, unsigned int *bp)
{
	return false;
}
