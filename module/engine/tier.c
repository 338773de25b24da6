// SPDX-License-Identifier: GPL-2.0
/*
 * The figures of tier.h, window by window, from the samples that ksampled accounts. Knows samples, their periods and
 * the processor's clock. What the figures mean is in policy/contention.h.
 */
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/timekeeping.h>

#include <asm/tsc.h>

#include "../track/sampler.h"
#include "balance.h"
#include "tier.h"

/* Bytes that one access to memory moves. */
#define TC_LINE_SHIFT 6

/* Windows without enough samples after which one is begun anew. */
#define TC_TIER_STALE 3

static enum tc_contention_level tc_level;

/* Of a slow node, the one that is pressed most counts. Written in the round. */
static u32 tc_over_bp;

static u64 tc_cycles_to_ns(u32 cycles)
{
	return tsc_khz ? div_u64((u64)cycles * USEC_PER_SEC, tsc_khz) : 0;
}

void tc_tier_sample(struct tc_node *node, const struct tc_sample *sample)
{
	struct tc_window_counts *window = &node->tier.window;

	if (sample->flags & TC_SAMPLE_STORE)
		window->stores++;
	else
		window->loads++;
	window->tlb_misses += (sample->flags & TC_SAMPLE_TLB_MISS) != 0;
	if (sample->latency) {
		window->latencies++;
		window->latency_ns += tc_cycles_to_ns(sample->latency);
	}
}

static void tc_tier_traffic_window(struct tc_tier_state *tier, u64 ms)
{
	const struct tc_window_counts *window = &tier->window;
	u64 reads = (u64)window->loads * tc_sampler_stands_for(false);
	u64 writes = tc_sampler_tells_stores() ? (u64)window->stores * tc_sampler_stands_for(true) :
						 0;

	WRITE_ONCE(tier->read_kib, div64_u64(reads * MSEC_PER_SEC, ms) >> (10 - TC_LINE_SHIFT));
	WRITE_ONCE(tier->written_kib, div64_u64(writes * MSEC_PER_SEC, ms) >> (10 - TC_LINE_SHIFT));
	if (window->loads + window->stores < TC_SHARE_SAMPLES_MIN)
		return;
	if (tc_sampler_tells_stores())
		WRITE_ONCE(tier->kind, tc_traffic_next(tier->kind, reads, writes));
	WRITE_ONCE(tier->tlb_miss_bp, tc_sampler_tells_tlb() ?
					      div_u64((u64)window->tlb_misses * 10000,
						      window->loads + window->stores) :
					      TC_BP_UNKNOWN);
}

static void tc_tier_begin(struct tc_tier_state *tier, u64 now_ms)
{
	tier->window = (struct tc_window_counts){};
	tier->since = now_ms;
}

/* A window that stood while sampling was paused, or that stays nearly empty, says nothing of any time. */
static bool tc_tier_over(struct tc_tier_state *tier, u64 now_ms)
{
	u64 ms = now_ms - tier->since;

	if (!tc_sampler_enabled() || ms > TC_TIER_STALE * TC_TIER_WINDOW_MS) {
		tc_tier_begin(tier, now_ms);
		return false;
	}
	if (ms < TC_TIER_WINDOW_MS)
		return false;
	return tier->window.loads + tier->window.stores >= TC_SHARE_SAMPLES_MIN ||
	       ms >= (TC_TIER_STALE - 1) * TC_TIER_WINDOW_MS;
}

static void tc_tier_window(struct tc_node *node, const struct tc_config *config, u64 now_ms)
{
	struct tc_tier_state *tier = &node->tier;
	bool quiet = node->fast || tc_level <= TC_CONTENTION_NONE;

	tc_latency_window(&tier->latency, &tier->window, quiet, now_ms);
	tc_tier_traffic_window(tier, now_ms - tier->since);
	tc_tier_begin(tier, now_ms);
}

/* The slow node that is pressed most. */
static u32 tc_over_now(const struct tc_config *config)
{
	const struct tc_node *node;
	u32 most = ~0U, over;

	tc_for_each_node(node) {
		if (node->fast)
			continue;
		over = tc_latency_over(node->tier.latency.loaded_ns, tc_tier_idle_ns(node, config));
		if (over != ~0U && (most == ~0U || over > most))
			most = over;
	}
	return most;
}

void tc_tier_run(const struct tc_config *config)
{
	u64 now_ms = ktime_get_ns() / NSEC_PER_MSEC;
	struct tc_node *node;
	bool over = false;

	tc_for_each_node(node) {
		if (!tc_tier_over(&node->tier, now_ms))
			continue;
		tc_tier_window(node, config, now_ms);
		over = true;
	}
	if (!over)
		return;
	tc_balance_run(config);
	WRITE_ONCE(tc_over_bp, tc_over_now(config));
	WRITE_ONCE(tc_level,
		   tc_contention_next(tc_level, tc_over_bp, config->contention_bp,
				      max(config->contention_high_bp, config->contention_bp)));
}

unsigned int tc_tier_latency_ns(const struct tc_node *node, const struct tc_config *config)
{
	u32 loaded = READ_ONCE(node->tier.latency.loaded_ns);

	if (loaded)
		return loaded;
	return node->fast ? config->fast_latency_ns : config->slow_latency_ns;
}

unsigned int tc_tier_idle_ns(const struct tc_node *node, const struct tc_config *config)
{
	if (!node->fast && config->slow_idle_ns)
		return config->slow_idle_ns;
	return READ_ONCE(node->tier.latency.idle_ns);
}

enum tc_contention_level tc_tier_contention(void)
{
	return READ_ONCE(tc_level);
}

u32 tc_tier_over_bp(void)
{
	return READ_ONCE(tc_over_bp);
}

enum tc_traffic_kind tc_tier_traffic(const struct tc_node *node)
{
	return READ_ONCE(node->tier.kind);
}

bool tc_tier_tlb_miss_bp(const struct tc_node *node, unsigned int *bp)
{
	*bp = READ_ONCE(node->tier.tlb_miss_bp);
	return *bp < TC_BP_UNKNOWN;
}

void tc_tier_rates(const struct tc_node *node, u64 *read_kib, u64 *written_kib)
{
	*read_kib = READ_ONCE(node->tier.read_kib);
	*written_kib = READ_ONCE(node->tier.written_kib);
}
