/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much of a node must stay free, and how much more is wanted. Knows watermarks and the
 * promotions that wait. Does not choose what leaves.
 */
#ifndef TC_ENGINE_HEADROOM_H
#define TC_ENGINE_HEADROOM_H

#include "config.h"
#include "node.h"

/**
 * tc_keep_free() - memory that tiering leaves free on a fast node
 * @node: the node
 * @config: settings of this round
 *
 * MEMTIS and TPP: 2 % of the node (demote_watermark_bp), here never less than the watermark up
 * to which the kernel would reclaim by itself. More while processes allocate and free memory again and
 * again, see tc_pressure_tick(): up to a quarter of what can be moved.
 *
 * Return: 4 KiB pages.
 */
unsigned long tc_keep_free(const struct tc_node *node, const struct tc_config *config);

/**
 * tc_room() - pages that may be moved to a node
 * @nid: the node
 * @config: settings of this round
 *
 * A fast node keeps its head-room, a slow one what the kernel wants free. Under policy tpp promotions take
 * the head-room too, down to the min watermark (TPP: they ignore the allocation watermark), as long as demotion
 * finds what to restore it with; the mover's allocations end at the min watermark of each zone.
 *
 * Return: 4 KiB pages, 0 for none.
 */
unsigned long tc_room(int nid, const struct tc_config *config);

/**
 * tc_batch_target() - where a node's pages go now
 * @node: the node
 * @config: settings of this round
 *
 * Its target. While that has no room, pages of a fast node go to the nearest slow node that has some (TPP: the tier
 * after it).
 *
 * Return: a node, NUMA_NO_NODE for nowhere.
 */
int tc_batch_target(const struct tc_node *node, const struct tc_config *config);

/**
 * tc_demotion_needs() - pages that should leave a fast node now
 * @node: the node
 * @config: settings of this round
 * @need: TC_BINS + 1 figures, filled: 4 KiB pages that should go for the head-room that lacks and for
 *	the promotions of this bin and above that wait and may be made; at TC_BINS for the head-room alone.
 *	While promotions may take the head-room, all are for that
 */
void tc_demotion_needs(const struct tc_node *node, const struct tc_config *config,
		       unsigned long *need);

/* The first of these: 4 KiB pages that should leave for whatever reason, 0 for none. */
unsigned long tc_demotion_need(const struct tc_node *node, const struct tc_config *config);

/**
 * tc_watch_allocations() - look at how much is free on fast nodes, four times a second
 *
 * Context: ksampled.
 */
void tc_watch_allocations(void);

/* 4 KiB pages that policy tpp has free beyond the head-room, as free memory falls. */
unsigned long tc_ahead(const struct tc_node *node, const struct tc_config *config);

/* Pages that the fast tier can give to what is movable: the budget of the hot set. */
unsigned long tc_fast_budget(const struct tc_config *config);

/* Pages of all nodes that can have heat at all. */
unsigned long tc_covered_pages(void);

#endif /* TC_ENGINE_HEADROOM_H */
