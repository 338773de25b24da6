// SPDX-License-Identifier: GPL-2.0
/*
 * The gate of gate.h.
 */
#include <linux/atomic.h>
#include <linux/minmax.h>
#include <thermocline/trace.h>

#include "../track/sampler.h"
#include "engine.h"
#include "gate.h"

u64 tc_gate_verdicts[TC_GATE_VERDICTS];

/*
 * @gate is written by ksampled; @promoted counts for ever, and by workers. The other members are the
 * figures of the moment when the window began.
 */
static struct {
	struct tc_gate gate;
	atomic_long_t promoted;
	unsigned long promoted_before;
	u64 fast_before;
	u64 all_before;
	u64 adaptations_before;
} tc_window;

/* Accounted samples on fast nodes, and on all. */
static u64 tc_samples(u64 *all)
{
	struct tc_node *node;
	u64 fast = 0;

	*all = 0;
	tc_for_each_known_node(node) {
		*all += node->samples;
		fast += node->fast ? node->samples : 0;
	}
	return fast;
}

static void tc_window_begin(void)
{
	tc_window.fast_before = tc_samples(&tc_window.all_before);
	tc_window.adaptations_before = tc_engine.adaptations;
	WRITE_ONCE(tc_window.promoted_before, atomic_long_read(&tc_window.promoted));
}

void tc_gate_open(void)
{
	tc_gate_init(&tc_window.gate);
	tc_window_begin();
}

static bool tc_gated(const struct tc_config *config)
{
	return config->gate && config->mode == TC_MODE_TIER;
}

static unsigned long tc_promoted_now(void)
{
	return atomic_long_read(&tc_window.promoted) - READ_ONCE(tc_window.promoted_before);
}

unsigned long tc_gate_left(const struct tc_config *config)
{
	u64 allowed = READ_ONCE(tc_window.gate.allowed);
	unsigned long promoted = tc_promoted_now();

	if (!tc_gated(config) || allowed == TC_U64_MAX)
		return ULONG_MAX;
	/* The last folio may go beyond it, or a huge page would close the gate for all that wait behind it. */
	return allowed > promoted ? max_t(u64, allowed - promoted, TC_BLOCK_PAGES) : 0;
}

void tc_gate_promoted(unsigned long pages)
{
	atomic_long_add(pages, &tc_window.promoted);
}

void tc_gate_adapted(const struct tc_config *config)
{
	struct tc_gate_window window = { .budget = tc_engine.budget,
					 .hot = tc_engine.thresholds.hot };
	enum tc_gate_verdict verdict;

	if (!tc_gated(config)) {
		tc_gate_open();
		return;
	}
	if (tc_engine.adaptations - tc_window.adaptations_before < TC_GATE_ADAPTATIONS)
		return;
	window.fast = tc_samples(&window.all) - tc_window.fast_before;
	window.all -= tc_window.all_before;
	/* NUMA balancing can be set to make no faults on fast memory: nothing is known of the hit ratio then. */
	if (!window.fast && tc_sampler_does()) {
		tc_gate_open();
		return;
	}
	window.promoted = tc_promoted_now();
	verdict = tc_gate_judge(&tc_window.gate, &window);
	tc_gate_verdicts[verdict]++;
	trace_tc_gate(verdict, window.fast, window.all, window.promoted, tc_window.gate.allowed);
	if (verdict != TC_GATE_SHORT)
		tc_window_begin();
}

unsigned int tc_gate_margin_now(unsigned int bin, unsigned int order)
{
	return tc_gate_margin(READ_ONCE(tc_window.gate.halvings), bin, order);
}

void tc_gate_read(struct tc_gate *gate, u64 *promoted)
{
	/* Each member for itself: whoever tells of them does not need one moment. */
	*gate = data_race(tc_window.gate);
	*promoted = tc_promoted_now();
}
