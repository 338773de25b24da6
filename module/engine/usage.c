// SPDX-License-Identifier: GPL-2.0
/*
 * Tracks one page in 2^shift: samples come from ksampled, and a pass over memory, four in a unit of time,
 * counts the tracked pages that are there by what they are, whose they are and when they were used. Runs in
 * ksampled. Decides nothing.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/log2.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "../track/folio.h"
#include "../track/page_type.h"
#include "../track/sampler.h"
#include "node.h"
#include "usage.h"

/* Time that one round may take, looked at every so many steps. */
#define TC_USE_NS NSEC_PER_MSEC
#define TC_USE_STEPS 32

/* Passes begin this many ticks apart. */
#define TC_USE_PASS (TC_USE_TICKS / 4)

/* A round that took longer was held up, or the module was off: nothing was sampled meanwhile. */
#define TC_USE_GAP_NS (10 * NSEC_PER_SEC)

/* One page of memory. Chunks of memory that went offline stay: it may come back. */
#define TC_USE_CHUNK 512

struct tc_use_chunk {
	struct tc_use use[TC_USE_CHUNK];
};

struct tc_usage tc_usage = {
	.chunks = XARRAY_INIT(tc_usage.chunks, 0),
	.lock = __MUTEX_INITIALIZER(tc_usage.lock),
};

/* The entry of a stratum, NULL when it has none. */
static struct tc_use *tc_use_at(unsigned long stratum)
{
	struct tc_use_chunk *chunk = xa_load(&tc_usage.chunks, stratum / TC_USE_CHUNK);

	return chunk ? &chunk->use[stratum % TC_USE_CHUNK] : NULL;
}

/* The same, made when there is none; NULL without memory. Does not wait for it. */
static struct tc_use *tc_use_entry(unsigned long stratum)
{
	struct tc_usage *t = &tc_usage;
	const gfp_t gfp = GFP_NOWAIT | __GFP_NOWARN;
	struct tc_use *use = tc_use_at(stratum);
	struct tc_use_chunk *chunk;

	if (use)
		return use;
	chunk = kzalloc(sizeof(*chunk), gfp);
	if (!chunk || xa_err(xa_store(&t->chunks, stratum / TC_USE_CHUNK, chunk, gfp))) {
		kfree(chunk);
		t->no_memory++;
		return NULL;
	}
	WRITE_ONCE(t->nr_chunks, t->nr_chunks + 1);
	return &chunk->use[stratum % TC_USE_CHUNK];
}

/*
 * Samples of a page that its window will not find: it is gone, or it is another owner's; or it was free when the window
 * was over.
 */
static void tc_use_drop(struct tc_use *use, u8 owner)
{
	bool late = (s32)(use->tick - tc_usage.window_from) < 0;

	if (use->owner == owner && !late)
		return;
	tc_usage.dropped += use->samples;
	use->samples = 0;
}

void tc_usage_tracked(struct folio *folio, unsigned long pfn, u8 owner)
{
	struct tc_usage *t = &tc_usage;
	struct tc_use *use = tc_use_entry(pfn >> t->shift);
	unsigned int slot;
	enum tc_span again;

	if (!use)
		return;
	t->samples++;
	tc_use_drop(use, owner);
	slot = tc_groups_sample(&t->groups, tc_folio_cgroup(folio));
	again = tc_use_sample(use, owner, t->tick);
	if (again < TC_NR_SPANS)
		t->now->again[slot][tc_folio_type(folio)][again]++;
}

static void tc_use_count_folio(struct folio *folio, unsigned long pfn)
{
	struct tc_usage *t = &tc_usage;
	struct tc_use *use = tc_use_entry(pfn >> t->shift);
	u8 owner = tc_owner_at(tc_folio_owner(folio), pfn - folio_pfn(folio));
	unsigned int slot;

	if (!use)
		return;
	tc_use_drop(use, owner);
	slot = tc_groups_find(&t->groups, tc_folio_cgroup(folio));
	tc_use_count(use, owner, t->tick, &t->now->tally[slot][tc_folio_type(folio)]);
	if (t->closes)
		use->samples = 0;
}

static void tc_use_forget(unsigned long stratum)
{
	struct tc_use *use = tc_use_at(stratum);

	if (!use)
		return;
	tc_use_drop(use, 0);
	*use = (struct tc_use){};
}

/* Looks at the tracked page of a stratum of node @nid; returns the next stratum. */
static unsigned long tc_use_step(unsigned long stratum, int nid)
{
	struct tc_usage *t = &tc_usage;
	unsigned long pfn = tc_use_frame(stratum, t->shift, t->seed);
	struct page *page = tc_offline_going(pfn) ? NULL : pfn_to_online_page(pfn);
	struct folio *folio;

	if (!page)
		return max(stratum + 1, ALIGN(pfn + 1, PAGES_PER_SUBSECTION) >> t->shift);
	if (page_to_nid(page) != nid)
		return stratum + 1;
	/* What was known of free pages is forgotten when somebody has them. */
	if (PageBuddy(page))
		return max(stratum + 1, tc_behind_free(page, pfn) >> t->shift);
	/* Kernel pages are many: do not touch their reference counts. */
	folio = PageLRU(page) ? tc_folio_get(pfn) : NULL;
	if (folio && tc_folio_trackable(folio))
		tc_use_count_folio(folio, pfn);
	else
		tc_use_forget(stratum);
	if (folio)
		folio_put(folio);
	return stratum + 1;
}

static void tc_use_enter_node(struct tc_node *node)
{
	tc_usage.node = node ? node->nid : NUMA_NO_NODE;
	if (node)
		tc_usage.stratum = NODE_DATA(node->nid)->node_start_pfn >> tc_usage.shift;
}

static void tc_use_begin_pass(void)
{
	struct tc_usage *t = &tc_usage;

	memset(t->now->tally, 0, sizeof(t->now->tally));
	t->next_pass = t->tick + TC_USE_PASS;
	t->closes = t->tick >= t->window_end;
	tc_use_enter_node(tc_node_next(-1));
}

/* Whose slot went to another cgroup: what is kept of it belongs to the others. */
static void tc_use_regroup(void)
{
	struct tc_usage *t = &tc_usage;
	unsigned long changed = tc_groups_rank(&t->groups);
	struct tc_use_table *shown = t->shown;
	unsigned int slot, type, span;

	for_each_set_bit(slot, &changed, TC_GROUPS) {
		for (type = 0; type < TC_NR_PAGE_TYPES; type++) {
			tc_use_tally_add(&shown->tally[TC_GROUP_OTHER][type],
					 &shown->tally[slot][type]);
			for (span = 0; span < TC_NR_SPANS; span++)
				t->now->again[TC_GROUP_OTHER][type][span] +=
					t->now->again[slot][type][span];
		}
		memset(shown->tally[slot], 0, sizeof(shown->tally[slot]));
		memset(t->now->again[slot], 0, sizeof(t->now->again[slot]));
	}
}

/* The ages of all, and the samples of a window when it is over or the first. */
static void tc_use_show(struct tc_use_tally *shown, const struct tc_use_tally *now)
{
	struct tc_usage *t = &tc_usage;
	struct tc_use_tally all = *now;

	if (!t->closes && t->windows) {
		memcpy(all.sampled, shown->sampled, sizeof(all.sampled));
		memcpy(all.samples, shown->samples, sizeof(all.samples));
	}
	*shown = all;
}

static void tc_use_end_pass(void)
{
	struct tc_usage *t = &tc_usage;
	unsigned int slot, type;

	mutex_lock(&t->lock);
	for (slot = 0; slot < TC_GROUP_SLOTS; slot++)
		for (type = 0; type < TC_NR_PAGE_TYPES; type++)
			tc_use_show(&t->shown->tally[slot][type], &t->now->tally[slot][type]);
	if (t->closes) {
		tc_use_regroup();
		t->windows++;
		t->window_from = t->next_pass - TC_USE_PASS;
		t->window_end = t->tick + TC_USE_WINDOW * TC_USE_TICKS;
	}
	memcpy(t->shown->again, t->now->again, sizeof(t->shown->again));
	for (slot = 0; slot < TC_GROUPS; slot++)
		t->shown->id[slot] = t->groups.slot[slot].id;
	t->passes++;
	mutex_unlock(&t->lock);
}

/* Goes on for a while; returns false when the pass is over. */
static bool tc_use_walk(void)
{
	struct tc_usage *t = &tc_usage;
	u64 deadline = local_clock() + TC_USE_NS;
	unsigned int steps = 0;

	while (t->node != NUMA_NO_NODE) {
		if (t->stratum << t->shift >= pgdat_end_pfn(NODE_DATA(t->node)))
			tc_use_enter_node(tc_node_next(t->node));
		else
			t->stratum = tc_use_step(t->stratum, t->node);
		if (!(++steps % TC_USE_STEPS) && local_clock() > deadline)
			return true;
	}
	return false;
}

static void tc_use_wind(void)
{
	struct tc_usage *t = &tc_usage;
	u64 now = ktime_get_ns(), passed = now - t->clock_ns;

	t->clock_ns = now;
	if (tc_sampler_active() && passed < TC_USE_GAP_NS)
		t->time_ns += passed;
	t->tick = div64_u64(t->time_ns, t->tick_ns);
}

bool tc_usage_run(void)
{
	struct tc_usage *t = &tc_usage;

	if (!t->on)
		return false;
	tc_use_wind();
	if (t->node == NUMA_NO_NODE) {
		if (t->tick < t->next_pass)
			return false;
		tc_use_begin_pass();
	}
	if (tc_use_walk())
		return true;
	tc_use_end_pass();
	return false;
}

static void tc_usage_end(void)
{
	struct tc_usage *t = &tc_usage;
	struct tc_use_chunk *chunk;
	unsigned long index;

	t->on = false;
	xa_for_each(&t->chunks, index, chunk) {
		kfree(chunk);
		cond_resched();
	}
	xa_destroy(&t->chunks);
	mutex_lock(&t->lock);
	kvfree(t->shown);
	kvfree(t->now);
	t->shown = NULL;
	t->now = NULL;
	t->nr_chunks = 0;
	t->no_memory = 0;
	t->passes = 0;
	t->windows = 0;
	t->samples = 0;
	t->dropped = 0;
	mutex_unlock(&t->lock);
}

/* Memory that came later is tracked as densely. */
static unsigned int tc_usage_shift(void)
{
	struct tc_node *node;
	u64 pages = 0;

	if (tc_usage.asked.step)
		return ilog2(tc_usage.asked.step);
	tc_for_each_node(node)
		pages += node_present_pages(node->nid);
	return tc_use_shift(pages);
}

static void tc_usage_begin(void)
{
	struct tc_usage *t = &tc_usage;
	struct tc_use_table *now = kvzalloc(sizeof(*now), GFP_KERNEL);
	struct tc_use_table *shown = kvzalloc(sizeof(*shown), GFP_KERNEL);

	if (!now || !shown) {
		pr_warn("no memory to characterize pages by type; switch temperature off and on to try again\n");
		kvfree(now);
		kvfree(shown);
		return;
	}
	mutex_lock(&t->lock);
	t->now = now;
	t->shown = shown;
	t->shift = tc_usage_shift();
	t->seed = get_random_u64();
	memset(&t->groups, 0, sizeof(t->groups));
	t->tick_ns = t->asked.unit_s * NSEC_PER_SEC / TC_USE_TICKS;
	t->clock_ns = ktime_get_ns();
	t->time_ns = 0;
	t->tick = 0;
	t->node = NUMA_NO_NODE;
	t->next_pass = 0;
	t->window_end = TC_USE_WINDOW * TC_USE_TICKS;
	t->window_from = 0;
	t->on = true;
	mutex_unlock(&t->lock);
}

void tc_usage_configure(const struct tc_config *config)
{
	struct tc_usage *t = &tc_usage;

	if (t->asked.on == config->temperature && t->asked.step == config->temperature_step &&
	    t->asked.unit_s == config->temperature_unit_s)
		return;
	tc_usage_end();
	t->asked.on = config->temperature;
	t->asked.step = config->temperature_step;
	t->asked.unit_s = config->temperature_unit_s;
	if (t->asked.on)
		tc_usage_begin();
}

void tc_usage_exit(void)
{
	tc_usage_end();
}

u64 tc_usage_bytes(void)
{
	struct tc_usage *t = &tc_usage;

	return READ_ONCE(t->nr_chunks) * sizeof(struct tc_use_chunk) +
	       (READ_ONCE(t->on) ? 2 * sizeof(struct tc_use_table) : 0);
}
