// SPDX-License-Identifier: GPL-2.0
/*
 * When moving pages does not pay any more: how many may be promoted, and how much colder a page must
 * be than the one that takes its place.
 * Knows samples, promotions and thresholds of one window after the other.
 * Does not know nodes, queues or time.
 */
#include "gate.h"

#define BP 10000U

/* Bin of a base page that was sampled once: 512 times one sample. */
#define ONE_SAMPLE_BIN TC_BLOCK_ORDER

static u32 max_u32(u32 a, u32 b)
{
	return a > b ? a : b;
}

static u32 square_root(u64 x)
{
	u64 root = 0, bit = (u64)1 << 31;

	for (; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= x)
			root |= bit;
	return root;
}

/* Figures of more than 40 bits are cut: a product with BP must not overflow. */
static u32 ratio_bp(const struct tc_gate_window *w)
{
	u64 all = w->all, fast = w->fast < all ? w->fast : all;

	while (all >> 40) {
		all >>= 1;
		fast >>= 1;
	}
	return fast * BP / all;
}

/* Standard deviation of a window's hit ratio, in 1/10000. */
static u32 deviation_bp(u32 ratio, u64 samples)
{
	return square_root((u64)ratio * (BP - ratio) / samples);
}

static void halve(struct tc_gate *g, const struct tc_gate_window *w)
{
	u64 mean = g->promoted / g->windows;
	u64 from = g->allowed < mean ? g->allowed : mean;

	tc_write_once(g->allowed, tc_max_u64(from / 2, w->budget / TC_GATE_TRIAL + 1));
	tc_write_once(g->halvings, g->halvings + 1);
}

static void open_gate(struct tc_gate *g)
{
	tc_write_once(g->allowed, TC_U64_MAX);
	tc_write_once(g->halvings, 0);
}

static void open_further(struct tc_gate *g)
{
	if (g->halvings < 2) {
		open_gate(g);
		return;
	}
	tc_write_once(g->allowed, g->allowed * 2);
	tc_write_once(g->halvings, g->halvings - 1);
}

/* From here on promotions are counted, and their gain is measured. */
static void measure(struct tc_gate *g)
{
	g->mark_bp = g->hit_bp;
	g->promoted = 0;
	g->windows = 0;
}

static void begin_anew(struct tc_gate *g, u32 ratio, u8 hot)
{
	open_gate(g);
	tc_write_once(g->hit_bp, ratio);
	g->peak_bp = ratio;
	g->hot = hot;
	g->known = true;
	measure(g);
}

static bool shifted(const struct tc_gate *g, u32 ratio, u32 deviation, u8 hot)
{
	unsigned int moved = hot > g->hot ? hot - g->hot : g->hot - hot;

	return ratio + max_u32(4 * deviation, TC_GATE_FALL_BP) < g->peak_bp || moved > 1;
}

void tc_gate_init(struct tc_gate *g)
{
	__builtin_memset(g, 0, sizeof(*g));
	open_gate(g);
}

enum tc_gate_verdict tc_gate_judge(struct tc_gate *g, const struct tc_gate_window *w)
{
	u32 ratio, deviation;

	if (w->all < TC_GATE_SAMPLES_MIN)
		return TC_GATE_SHORT;
	ratio = ratio_bp(w);
	deviation = deviation_bp(ratio, w->all);
	if (!g->known || shifted(g, ratio, deviation, w->hot)) {
		begin_anew(g, ratio, w->hot);
		return TC_GATE_SHIFT;
	}
	tc_write_once(g->hit_bp, (3 * g->hit_bp + ratio) / 4);
	g->peak_bp = max_u32(g->peak_bp, g->hit_bp);
	g->promoted += w->promoted;
	g->windows++;
	if (!g->halvings)
		g->hot = w->hot;
	if (g->hit_bp > g->mark_bp + max_u32(deviation, TC_GATE_GAIN_BP)) {
		open_further(g);
		measure(g);
		return TC_GATE_GAIN;
	}
	if (g->promoted < w->budget / TC_GATE_TURN)
		return TC_GATE_WAIT;
	halve(g, w);
	measure(g);
	return TC_GATE_FRUITLESS;
}

unsigned int tc_gate_margin(u32 halvings, unsigned int bin, unsigned int order)
{
	/* Logarithm of a folio's samples, plus one: 0 and 1 are less than one sample and one to two. */
	unsigned int level = bin + order + 1 > ONE_SAMPLE_BIN ? bin + order + 1 - ONE_SAMPLE_BIN :
								0;
	unsigned int doubt = level < TC_GATE_MARGIN_MAX ? TC_GATE_MARGIN_MAX - level : 0;

	return 1 + (halvings < doubt ? halvings : doubt);
}
