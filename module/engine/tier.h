/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the samples say of each node and tier: loaded latency, traffic, pressure. Knows samples and nodes.
 * Does not move anything.
 */
#ifndef TC_ENGINE_TIER_H
#define TC_ENGINE_TIER_H

#include "../policy/contention.h"
#include "../track/ring.h"
#include "config.h"
#include "node.h"

/* A sample on a page of a node was accounted. Context: ksampled. */
void tc_tier_sample(struct tc_node *node, const struct tc_sample *sample);

/* Once a round: close the window when it is over. Context: ksampled. */
void tc_tier_run(const struct tc_config *config);

/* Length of a window, at least; one that is three times as long without enough samples is forgotten. */
#define TC_TIER_WINDOW_MS 1000U

/* Loaded latency of a node in ns; without samples that tell latencies, what the settings say. Context: any. */
unsigned int tc_tier_latency_ns(const struct tc_node *node, const struct tc_config *config);

/* Pressure on the slow tier. Context: any. */
enum tc_contention_level tc_tier_contention(void);

/* How much the slow tier is slower than when idle, in 1/10000; ~0: not known. Context: any. */
u32 tc_tier_over_bp(void);

/* Direction of the traffic of a node. Context: any. */
enum tc_traffic_kind tc_tier_traffic(const struct tc_node *node);

/**
 * tc_tier_tlb_miss_bp() - accesses that missed the TLB
 * @node: of samples on this node
 * @bp: set to their share in 1/10000
 *
 * Context: any. Return: false when the source does not tell, or of too few samples.
 */
bool tc_tier_tlb_miss_bp(const struct tc_node *node, unsigned int *bp);

/**
 * tc_tier_idle_ns() - latency of a node that nothing presses
 * @node: a node
 * @config: settings of this round; slow_idle_ns is that of slow nodes, where it is not 0
 *
 * Context: any. Return: ns; 0: not known yet.
 */
unsigned int tc_tier_idle_ns(const struct tc_node *node, const struct tc_config *config);

/* What samples say a node reads and writes, in KiB/s: 64 bytes for each access that they stand for. Context: any. */
void tc_tier_rates(const struct tc_node *node, u64 *read_kib, u64 *written_kib);

#endif /* TC_ENGINE_TIER_H */
