// SPDX-License-Identifier: GPL-2.0
/*
 * The sums of headroom.h, over the kernel's counters.
 */
#include <linux/minmax.h>

#include "../kernel/memory.h"
#include "headroom.h"

/* Promotions in waiting that demotion makes room for at once: four batches. */
#define TC_WANTED_MAX 2048UL

static unsigned long tc_above(unsigned long have, unsigned long keep)
{
	return have > keep ? have - keep : 0;
}

unsigned long tc_keep_free(const struct tc_node *node, const struct tc_config *config)
{
	unsigned long share = tc_node_managed(node->nid) / 10000 * config->demote_watermark_bp;

	return max(share, tc_node_high_watermark(node->nid));
}

/* Free pages of a node; in mode advise as if what was advised had been done. */
static unsigned long tc_free(const struct tc_node *node, const struct tc_config *config)
{
	long pages = tc_node_free(node->nid);

	if (config->mode == TC_MODE_ADVISE)
		pages += atomic_long_read(&node->advised);
	return max(pages, 0L);
}

unsigned long tc_room(int nid, const struct tc_config *config)
{
	struct tc_node *node = tc_node(nid);

	if (!node)
		return 0;
	return tc_above(tc_free(node, config),
			node->fast ? tc_keep_free(node, config) : tc_node_high_watermark(nid));
}

static unsigned long tc_wanted(const struct tc_node *node, bool warm)
{
	unsigned long pages = 0, waiting;
	struct tc_node *from;

	tc_for_each_node(from) {
		if (from->fast || from->target != node->nid)
			continue;
		waiting = tc_queue_pages(&from->queue) + (warm ? tc_queue_pages(&from->warm) : 0);
		pages += min(waiting, TC_WANTED_MAX);
	}
	return pages;
}

unsigned long tc_demotion_need(const struct tc_node *node, const struct tc_config *config,
			       bool warm)
{
	return tc_above(tc_keep_free(node, config) + tc_wanted(node, warm), tc_free(node, config));
}

unsigned long tc_fast_budget(const struct tc_config *config)
{
	unsigned long pages = 0;
	struct tc_node *node;

	tc_for_each_node(node)
		if (node->fast)
			pages += tc_above(tc_node_free(node->nid) + tc_node_lru(node->nid),
					  tc_keep_free(node, config));
	return pages;
}

unsigned long tc_covered_pages(void)
{
	unsigned long pages = 0;
	struct tc_node *node;

	tc_for_each_node(node)
		pages += tc_node_lru(node->nid);
	return pages;
}
