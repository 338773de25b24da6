// SPDX-License-Identifier: GPL-2.0
/*
 * The decisions of granularity.h. Runs in ksampled and splits nothing itself.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <thermocline/trace.h>

#include "../kernel/split.h"
#include "../policy/price.h"
#include "../track/folio.h"
#include "../track/sampler.h"
#include "ask.h"
#include "engine.h"
#include "granularity.h"
#include "split.h"
#include "tier.h"
#include "touch.h"

/*
 * What a copy of 4 KiB and a split cost until one was measured: a page is read and written at some GB/s and its mapping changed
 * twice; a split locks and writes 512 entries (docs/splitting.md).
 */
#define TC_COPY_NS_ASSUMED 2000U
#define TC_SPLIT_NS_ASSUMED 200000U

/* Accesses that need a page walk, in 1/10000, where samples do not tell: rather no split than one that costs. */
#define TC_TLB_MISS_BP_ASSUMED 1000U

struct tc_granularity_engine tc_granularity_engine;

/**
 * struct tc_granularity_now - settings and clocks of the round
 * @config: settings
 * @mode: what is really done
 * @epoch: of the histograms of processes
 * @heat_ms: time that heat counts, halved at each cooling as counts are
 * @since: when it was last halved, in ms
 */
static struct tc_granularity_now {
	struct tc_config config;
	enum tc_mode mode;
	u32 epoch;
	u64 heat_ms;
	u64 since;
} tc_now;

/* One decision on its way; there is one at a time. */
static struct tc_decision {
	u32 count[TC_BLOCK_PAGES];
	struct tc_granularity granularity;
	struct tc_price price;
	unsigned int order;
	u32 pieces;
	unsigned int nr_pieces;
} tc_decision;

static u64 tc_now_ms(void)
{
	return ktime_get_ns() / NSEC_PER_MSEC;
}

void tc_granularity_start(void)
{
	INIT_KFIFO(tc_granularity_engine.requests);
	tc_now.since = tc_now_ms();
}

void tc_granularity_stop(void)
{
	kvfree(tc_granularity_engine.processes.entry);
	tc_granularity_engine.processes = (struct tc_subpages){};
}

void tc_granularity_apply(const struct tc_config *config)
{
	struct tc_subpages *processes = &tc_granularity_engine.processes;
	struct tc_subpage *room;

	if (!tc_split_at_promotion(config->split) || processes->nr)
		return;
	room = kvcalloc(TC_SUBPAGE_PROCESSES, sizeof(*room), GFP_KERNEL);
	if (!room) {
		pr_warn("no memory for the histograms of processes: huge pages are judged by their own samples alone\n");
		return;
	}
	processes->entry = room;
	/* Pairs with the acquire in tc_processes(). */
	smp_store_release(&processes->nr, TC_SUBPAGE_PROCESSES);
}

/* NULL: there is no room, or nobody needs them. */
static struct tc_subpages *tc_processes(void)
{
	struct tc_subpages *processes = &tc_granularity_engine.processes;

	if (!tc_split_at_promotion(tc_now.config.split))
		return NULL;
	/* Pairs with the release in tc_granularity_apply(). */
	return smp_load_acquire(&processes->nr) ? processes : NULL;
}

static void tc_flight_land(struct tc_flight *flight)
{
	flight->pfn = 0;
	WRITE_ONCE(tc_granularity_engine.nr_flights, tc_granularity_engine.nr_flights - 1);
}

static struct tc_flight *tc_flight_find(unsigned long pfn)
{
	struct tc_granularity_engine *engine = &tc_granularity_engine;
	unsigned int i;

	for (i = 0; i < TC_FLIGHTS; i++)
		if (engine->flight[i].pfn == pfn)
			return &engine->flight[i];
	return NULL;
}

/* The mark that it is queued goes with the flight. */
static void tc_flight_unmark(unsigned long pfn)
{
	struct tc_block *block = tc_heatmap_find(&tc_engine.map, pfn);

	if (block)
		tc_block_clear_queued(block, 0);
}

/* By age alone: an answer may have been lost with the mode that it was asked in. */
static void tc_flights_expire(void)
{
	struct tc_granularity_engine *engine = &tc_granularity_engine;
	unsigned int i;

	for (i = 0; engine->nr_flights && i < TC_FLIGHTS; i++) {
		struct tc_flight *flight = &engine->flight[i];

		if (!flight->pfn || time_before(jiffies, flight->since + TC_FLIGHT_TIMEOUT))
			continue;
		tc_flight_unmark(flight->pfn);
		tc_flight_land(flight);
		WRITE_ONCE(engine->lost, engine->lost + 1);
	}
}

void tc_granularity_round(const struct tc_config *config, enum tc_mode mode)
{
	tc_now.config = *config;
	tc_now.mode = mode;
	tc_now.epoch = div_u64(tc_now_ms(), TC_SUBPAGE_EPOCH_S * MSEC_PER_SEC);
	tc_flights_expire();
}

void tc_granularity_sample(const struct tc_sample *sample, const struct folio *folio)
{
	struct tc_subpages *processes = tc_processes();
	unsigned long page = sample->pfn - folio_pfn((struct folio *)folio);

	/* Place in the mapping, which anonymous memory has by address: a page of 4 KiB has its slot, too. */
	if (processes)
		tc_subpages_sample(processes, sample->tgid,
				   (folio->index + page) & (TC_BLOCK_PAGES - 1), tc_now.epoch);
}

void tc_granularity_cooled(void)
{
	u64 now = tc_now_ms();

	tc_now.heat_ms = (tc_now.heat_ms + now - tc_now.since) / 2;
	tc_now.since = now;
}

/* --- the price ------------------------------------------------------------------------------------------- */

/*
 * Accesses per second that counts of so much stand for. Each sample counts for the time since it came, halved as often as the
 * sample was: the mean rate is counts by time. Sources without events (scan, hint) see one access in each look or fault: they
 * count as one, and there a split hardly ever pays.
 */
static u64 tc_rate(u64 heat)
{
	u64 ms = max(tc_now.heat_ms + tc_now_ms() - tc_now.since, 1ULL);
	u64 period = max(tc_sampler_stands_for(false), 1U);

	return div64_u64((heat * period * MSEC_PER_SEC) >> TC_SAMPLE_SHIFT, ms);
}

static u64 tc_heat_of_pieces(const struct tc_decision *d)
{
	u64 heat = 0;
	unsigned int i;

	for (i = 0; i < TC_BLOCK_PAGES; i++)
		if (d->pieces & 1U << (round_down(i, 1U << d->order) >> TC_PIECE_ORDER_MIN))
			heat += d->count[i];
	return heat;
}

static u32 tc_measured_or(u32 set, u32 measured, u32 assumed)
{
	if (set)
		return set;
	return measured ? measured : assumed;
}

static bool tc_split_pays(const struct tc_node *node, const struct tc_block *block,
			  struct tc_decision *d)
{
	const struct tc_granularity_engine *engine = &tc_granularity_engine;
	const struct tc_config *config = &tc_now.config;
	const struct tc_node *target = tc_node(READ_ONCE(node->target));
	struct tc_price_input in = {
		.hot_per_s = tc_rate(tc_heat_of_pieces(d)),
		.all_per_s = tc_rate(block->sum),
		.residence_s = config->residence_s,
		.pages = d->nr_pieces << d->order,
		.copy_ns = tc_measured_or(config->copy_ns, READ_ONCE(engine->copy_ns),
					  TC_COPY_NS_ASSUMED),
		.split_ns = tc_measured_or(config->split_ns, READ_ONCE(engine->split_ns),
					   TC_SPLIT_NS_ASSUMED),
		.walk_ns = config->walk_ns,
	};
	unsigned int slow = tc_tier_latency_ns(node, config);
	unsigned int fast = target ? tc_tier_latency_ns(target, config) : slow;

	in.gain_ns = slow > fast ? slow - fast : 0;
	if (!tc_tier_tlb_miss_bp(node, &in.tlb_miss_bp))
		in.tlb_miss_bp = TC_TLB_MISS_BP_ASSUMED;
	return tc_price_split(&in, &d->price);
}

/* Means of the last ones, the latest counting an eighth. */
static void tc_learn(u32 *mean, u64 now)
{
	u64 old = READ_ONCE(*mean);

	now = min_t(u64, now, U32_MAX);
	WRITE_ONCE(*mean, old ? (7 * old + now) / 8 : now);
}

void tc_granularity_copied(u64 ns, unsigned long pages)
{
	if (pages)
		tc_learn(&tc_granularity_engine.copy_ns, max(div64_u64(ns, pages), 1ULL));
}

void tc_granularity_split_took(u64 ns)
{
	tc_learn(&tc_granularity_engine.split_ns, max(ns, 1ULL));
}

/* --- the decision ---------------------------------------------------------------------------------------- */

static void tc_decide_profile(const struct tc_block *block, u32 tgid, struct tc_decision *d)
{
	struct tc_subpages *processes = tc_processes();
	const struct tc_subpage *process =
		processes ? tc_subpages_find(processes, tgid, tc_now.epoch) : NULL;
	unsigned int i;

	for (i = 0; i < TC_BLOCK_PAGES; i++)
		d->count[i] = block->count[i];
	tc_granularity_decide(d->count, process ? process->count : NULL, &d->granularity);
	d->order = d->granularity.order;
}

/* The gate of TierBPF; with a price, the loaded latencies are in it. What is not known to be pressed is not. */
static bool tc_gate_is_shut(void)
{
	const struct tc_config *config = &tc_now.config;

	return config->split == TC_SPLIT_TIERBPF && config->split_gate &&
	       tc_tier_contention() < TC_CONTENTION_MODERATE;
}

/* The dense pieces, and that which was accessed. */
static void tc_choose_pieces(unsigned int trigger, struct tc_decision *d)
{
	struct tc_piece piece[TC_PIECES_MAX];
	unsigned int i;

	d->pieces = 0;
	d->nr_pieces = tc_granularity_pieces(&d->granularity, d->order, trigger, piece);
	for (i = 0; i < d->nr_pieces; i++)
		d->pieces |= 1U << (piece[i].page >> TC_PIECE_ORDER_MIN);
}

/* What the attached policy says of each piece. */
static void tc_ask_pieces(const struct tc_ask_page *page, struct tc_decision *d)
{
	struct tc_ask_page ask = *page;
	unsigned int at;
	u32 piece;

	ask.order = d->order;
	d->nr_pieces = 0;
	for (at = 0; at < TC_BLOCK_PAGES; at += 1U << d->order) {
		ask.pfn = page->pfn + at;
		piece = 1U << (at >> TC_PIECE_ORDER_MIN);
		if (tc_ask_piece_cold(&ask, !(d->pieces & piece))) {
			d->pieces &= ~piece;
		} else {
			d->pieces |= piece;
			d->nr_pieces++;
		}
	}
}

static enum tc_verdict tc_verdict_of(enum tc_granularity_why why)
{
	static const enum tc_verdict verdict[TC_NR_GRANULARITY_WHYS] = {
		[TC_GRANULARITY_FEW] = TC_VERDICT_FEW,
		[TC_GRANULARITY_FLAT] = TC_VERDICT_FLAT,
		[TC_GRANULARITY_SPARSE] = TC_VERDICT_SPARSE,
		[TC_GRANULARITY_DENSE] = TC_VERDICT_DENSE,
		[TC_GRANULARITY_SPLIT] = TC_VERDICT_SPLIT,
	};

	return verdict[why];
}

/* What the module's own rule says: sets d->order; TC_VERDICT_SPLIT when that is to split. */
static enum tc_verdict tc_decide_own(const struct tc_node *node, const struct tc_block *block,
				     unsigned int trigger, struct tc_decision *d)
{
	enum tc_verdict verdict = tc_verdict_of(d->granularity.why);

	if (verdict == TC_VERDICT_SPLIT && tc_gate_is_shut())
		verdict = TC_VERDICT_GATE;
	if (verdict == TC_VERDICT_SPLIT && tc_now.config.split == TC_SPLIT_JOINT) {
		tc_choose_pieces(trigger, d);
		if (!tc_split_pays(node, block, d))
			verdict = TC_VERDICT_PRICE;
	}
	if (verdict != TC_VERDICT_SPLIT)
		d->order = TC_BLOCK_ORDER;
	return verdict;
}

static enum tc_verdict tc_decide(const struct tc_node *node, struct tc_block *block,
				 struct folio *folio, unsigned int trigger, u32 tgid)
{
	const struct tc_ask_page page = {
		.pfn = folio_pfn(folio),
		.order = TC_BLOCK_ORDER,
		.nid = node->nid,
		.target = READ_ONCE(node->target),
		.folio = folio,
	};
	struct tc_decision *d = &tc_decision;
	enum tc_verdict verdict;

	d->granularity = (struct tc_granularity){ .order = TC_BLOCK_ORDER };
	d->order = TC_BLOCK_ORDER;
	d->price = (struct tc_price){};
	d->pieces = 0;
	d->nr_pieces = 0;
	if (tc_heatmap_unsplittable(block) ||
	    tc_heatmap_left_alone(&tc_engine.map, folio, tc_now.config.split_alone_s))
		return TC_VERDICT_ALONE;
	tc_decide_profile(block, tgid, d);
	verdict = tc_decide_own(node, block, trigger, d);
	d->order = tc_ask_split_order(&page, d->order);
	if (d->order >= TC_BLOCK_ORDER)
		return verdict == TC_VERDICT_SPLIT ? TC_VERDICT_WHOLE : verdict;
	if (d->order < TC_PIECE_ORDER_MIN || !tc_split_plausible(folio, d->order))
		return TC_VERDICT_ORDER;
	tc_choose_pieces(trigger, d);
	tc_ask_pieces(&page, d);
	return d->pieces ? TC_VERDICT_SPLIT : TC_VERDICT_COLD;
}

static bool tc_flight_begin(struct folio *folio, const struct tc_block *block)
{
	const struct tc_split_request request = {
		.pfn = folio_pfn(folio),
		.owner = block->owner[0],
		.order = tc_decision.order,
		.promote = true,
		.pieces = tc_decision.pieces,
	};
	struct tc_granularity_engine *engine = &tc_granularity_engine;
	struct tc_flight *flight = tc_flight_find(0);

	if (!flight || !kfifo_put(&engine->requests, request))
		return false;
	*flight = (struct tc_flight){
		.pfn = request.pfn,
		.region = tc_folio_region(folio, 0),
		.pieces = request.pieces,
		.since = jiffies,
	};
	WRITE_ONCE(engine->nr_flights, engine->nr_flights + 1);
	return true;
}

bool tc_granularity_takes(struct tc_node *node, struct tc_block *block, struct folio *folio,
			  unsigned int page, u32 tgid)
{
	struct tc_granularity_engine *engine = &tc_granularity_engine;
	struct tc_decision *d = &tc_decision;
	enum tc_verdict verdict;

	if (!tc_split_at_promotion(tc_now.config.split) || !tc_split_available() ||
	    !tc_sampler_sees_parts() || folio_order(folio) != TC_BLOCK_ORDER ||
	    !tc_block_whole(block))
		return false;
	verdict = tc_decide(node, block, folio, page, tgid);
	if (verdict == TC_VERDICT_SPLIT && !tc_flight_begin(folio, block))
		verdict = TC_VERDICT_FULL;
	WRITE_ONCE(engine->verdicts[verdict], engine->verdicts[verdict] + 1);
	trace_tc_granularity(folio_pfn(folio), verdict, &d->granularity, d->order, d->pieces,
			     &d->price);
	switch (verdict) {
	case TC_VERDICT_SPLIT:
		engine->by_profile[d->granularity.source]++;
		tc_block_set_queued(block, 0);
		wake_up(&tc_split_engine.wait);
		return true;
	case TC_VERDICT_COLD:
		/* Until the next sweep forgets who was refused. */
		tc_block_set_refused(block, 0);
		return true;
	case TC_VERDICT_FULL:
		return true;
	default:
		return false;
	}
}

/* --- the answer ------------------------------------------------------------------------------------------ */

/* Puts a piece on the queue that its own heat, or touch, asks for; false: it asks for none. */
static bool tc_place_piece(struct tc_node *node, struct tc_block *block, struct folio *folio)
{
	unsigned int head = folio_pfn(folio) & (TC_BLOCK_PAGES - 1), order = folio_order(folio);
	struct tc_heatmap *map = &tc_engine.map;
	unsigned int bin = tc_block_bin(block, &map->heat, head), left = 0;
	enum tc_temperature temperature = tc_temperature(bin);
	struct tc_queue *queue = &node->queue;

	if (tc_block_queued(block, head) || tc_block_refused(block, head))
		return false;
	if (tc_touch_decides()) {
		left = tc_touch_left(&block->touch, map->heat.step, head, order);
		if (!left)
			return false;
	} else if (temperature == TC_COLD) {
		return false;
	} else if (temperature != TC_HOT) {
		queue = &node->warm;
	}
	if (!tc_queue_add(queue, folio, bin, left, map->heat.epoch))
		return false;
	tc_block_set_queued(block, head);
	return true;
}

/* Returns whether it is on its way. */
static bool tc_place(struct tc_block *block, unsigned long pfn, struct tc_node **kick)
{
	struct folio *folio = tc_folio_get(pfn);
	struct tc_node *node;
	bool placed = false;

	if (!folio)
		return false;
	node = tc_node(folio_nid(folio));
	if (node && !node->fast && node->target != NUMA_NO_NODE && folio_pfn(folio) == pfn &&
	    folio_order(folio) < TC_BLOCK_ORDER) {
		placed = tc_place_piece(node, block, folio);
		*kick = node;
	}
	folio_put(folio);
	return placed;
}

/* Of these pieces the hottest, taken out of them: its first page. There is one. */
static unsigned int tc_take_hottest(const struct tc_block *block, u32 *pieces, unsigned int order)
{
	unsigned int page, hottest = 0, heat, most = 0;

	for (page = 0; page < TC_BLOCK_PAGES; page += 1U << order) {
		if (!(*pieces & 1U << (page >> TC_PIECE_ORDER_MIN)))
			continue;
		heat = 1 + tc_block_sum(block, page, order);
		if (heat > most) {
			most = heat;
			hottest = page;
		}
	}
	*pieces &= ~(1U << (hottest >> TC_PIECE_ORDER_MIN));
	return hottest;
}

static void tc_place_pieces(struct tc_block *block, const struct tc_flight *flight,
			    unsigned int order)
{
	struct tc_granularity_engine *engine = &tc_granularity_engine;
	struct tc_node *kick = NULL;
	u32 pieces = flight->pieces;
	unsigned int promoted = 0;

	while (pieces)
		promoted += tc_place(block, flight->pfn + tc_take_hottest(block, &pieces, order),
				     &kick);
	WRITE_ONCE(engine->promoted, engine->promoted + promoted);
	WRITE_ONCE(engine->left, engine->left + (TC_BLOCK_PAGES >> order) - promoted);
	if (kick)
		tc_node_kick(kick);
}

static void tc_landed(const struct tc_flight *flight, const struct tc_result *result)
{
	struct tc_granularity_engine *engine = &tc_granularity_engine;
	struct tc_heatmap *map = &tc_engine.map;
	struct tc_block *block = tc_heatmap_find(map, result->from);

	tc_split_region_add(&map->split_regions, flight->region, ktime_get_seconds());
	WRITE_ONCE(engine->orders[result->order], engine->orders[result->order] + 1);
	if (!block)
		return;
	tc_heatmap_split(map, result->from, result->order);
	tc_place_pieces(block, flight, result->order);
}

void tc_granularity_result(const struct tc_result *result)
{
	struct tc_flight *found = tc_flight_find(result->from), flight = {};
	struct tc_block *block = tc_heatmap_find(&tc_engine.map, result->from);

	if (found) {
		flight = *found;
		tc_flight_land(found);
		tc_flight_unmark(result->from);
	}
	if (result->taken) {
		flight.pfn = result->from;
		tc_landed(&flight, result);
	} else if (block && (result->refused || tc_now.mode == TC_MODE_ADVISE)) {
		/* Its next sample promotes it as a whole. */
		tc_heatmap_set_unsplittable(block);
	}
}
