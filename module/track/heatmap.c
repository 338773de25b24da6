// SPDX-License-Identifier: GPL-2.0
/*
 * The heat map of heatmap.h. A block is found by xa_load(pfn >> 9), so one look-up gives all
 * sub-pages of a huge page, and splitting one moves nothing. Does not know of nodes or moves.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <thermocline/trace.h>

#include "folio.h"
#include "heatmap.h"

/*
 * @scanned: the cursor walks over these pages, so their owner tags are worth keeping
 * @unsplittable: its huge page was not split for a reason that lasts
 */
struct tc_heat_block {
	struct tc_block block;
	bool scanned;
	bool unsplittable;
	struct rcu_head rcu;
};

static struct kmem_cache *tc_block_cache;

/*
 * Regions and moved folios remembered, 16 and 8 bytes each: as many as the machine has blocks, or half as many, within
 * reason.
 */
#define TC_REGIONS_MIN 4096UL
#define TC_REGIONS_MAX (1UL << 20)

/* Regions that were split lately and are remembered (16 bytes each), a power of two. */
#define TC_SPLIT_REGIONS 4096U

/* A limit must leave room for so many blocks. */
#define TC_BLOCKS_MIN 16ULL

/* Blocks evicted for a new one, and in a round after the limit was lowered, at most. */
#define TC_EVICT_NEW 4
#define TC_EVICT_ROUND 256

/* Blocks that are looked at to find the coldest, when one must go. */
#define TC_EVICT_LOOK 32

int tc_heatmap_init(struct tc_heatmap *map, u64 pages)
{
	unsigned long regions = clamp(pages >> TC_BLOCK_ORDER, TC_REGIONS_MIN, TC_REGIONS_MAX);

	memset(map, 0, sizeof(*map));
	regions = rounddown_pow_of_two(regions);
	map->regions.slot = kvcalloc(regions, sizeof(*map->regions.slot), GFP_KERNEL);
	if (!map->regions.slot)
		return -ENOMEM;
	map->regions.mask = regions - 1;
	map->split_regions.slot =
		kvcalloc(TC_SPLIT_REGIONS, sizeof(*map->split_regions.slot), GFP_KERNEL);
	if (!map->split_regions.slot)
		goto free_regions;
	map->split_regions.mask = TC_SPLIT_REGIONS - 1;
	map->again.slot = kvcalloc(regions, sizeof(*map->again.slot), GFP_KERNEL);
	if (!map->again.slot)
		goto free_split_regions;
	map->again.mask = regions - 1;
	xa_init(&map->blocks);
	tc_block_cache =
		kmem_cache_create("thermocline_block", sizeof(struct tc_heat_block), 0, 0, NULL);
	if (tc_block_cache)
		return 0;
	kvfree(map->again.slot);
free_split_regions:
	kvfree(map->split_regions.slot);
free_regions:
	kvfree(map->regions.slot);
	return -ENOMEM;
}

static void tc_block_free_rcu(struct rcu_head *rcu)
{
	kmem_cache_free(tc_block_cache, container_of(rcu, struct tc_heat_block, rcu));
}

static void tc_heatmap_erase(struct tc_heatmap *map, unsigned long index,
			     struct tc_heat_block *entry)
{
	tc_block_drop(&entry->block, &map->heat, 0, TC_BLOCK_PAGES);
	xa_erase(&map->blocks, index);
	map->nr_blocks--;
	call_rcu(&entry->rcu, tc_block_free_rcu);
}

void tc_heatmap_exit(struct tc_heatmap *map)
{
	struct tc_heat_block *entry;
	unsigned long index;

	xa_for_each(&map->blocks, index, entry) {
		kmem_cache_free(tc_block_cache, entry);
		cond_resched();
	}
	xa_destroy(&map->blocks);
	rcu_barrier();
	kmem_cache_destroy(tc_block_cache);
	kvfree(map->again.slot);
	kvfree(map->split_regions.slot);
	kvfree(map->regions.slot);
}

/* Heat of a block at the present epoch, for comparison. */
static u32 tc_block_heat_now(const struct tc_heatmap *map, const struct tc_block *block)
{
	return block->sum >> min(map->heat.epoch - block->epoch, 31U);
}

/* The coldest of some blocks goes. The search moves on, so every block has its turn. */
static bool tc_heatmap_evict(struct tc_heatmap *map)
{
	struct tc_heat_block *entry, *coldest = NULL;
	unsigned long index, at = 0;
	unsigned int looked = 0;

	xa_for_each_start(&map->blocks, index, entry, map->evict_next) {
		if (!coldest || tc_block_heat_now(map, &entry->block) <
					tc_block_heat_now(map, &coldest->block)) {
			coldest = entry;
			at = index;
		}
		if (++looked == TC_EVICT_LOOK)
			break;
	}
	map->evict_next = looked == TC_EVICT_LOOK ? index + 1 : 0;
	if (!coldest)
		return false;
	tc_heatmap_erase(map, at, coldest);
	map->evicted++;
	return true;
}

/* Evicts down to @blocks, as far as @budget allows. At the end of the map the search begins anew. */
static void tc_heatmap_shrink(struct tc_heatmap *map, unsigned long blocks, unsigned int budget)
{
	bool found = true, before = true;

	while (map->nr_blocks > blocks && budget-- && (found || before)) {
		before = found;
		found = tc_heatmap_evict(map);
	}
}

static bool tc_heatmap_make_room(struct tc_heatmap *map)
{
	if (!map->max_blocks)
		return true;
	tc_heatmap_shrink(map, map->max_blocks - 1, TC_EVICT_NEW);
	return map->nr_blocks < map->max_blocks;
}

static struct tc_heat_block *tc_heatmap_new_block(struct tc_heatmap *map, unsigned long index)
{
	const gfp_t gfp = GFP_NOWAIT | __GFP_NOWARN;
	struct tc_heat_block *entry;

	if (!tc_heatmap_make_room(map))
		goto no_memory;
	entry = kmem_cache_zalloc(tc_block_cache, gfp);
	if (!entry)
		goto no_memory;
	tc_block_init(&entry->block, map->heat.epoch);
	if (xa_err(xa_store(&map->blocks, index, entry, gfp)))
		goto free_entry;
	map->nr_blocks++;
	return entry;

free_entry:
	kmem_cache_free(tc_block_cache, entry);
no_memory:
	map->no_memory++;
	return NULL;
}

static struct tc_heat_block *tc_heatmap_entry(struct tc_heatmap *map, unsigned long pfn)
{
	struct tc_heat_block *entry = xa_load(&map->blocks, pfn >> TC_BLOCK_ORDER);

	return entry ?: tc_heatmap_new_block(map, pfn >> TC_BLOCK_ORDER);
}

struct tc_block *tc_heatmap_block(struct tc_heatmap *map, unsigned long pfn)
{
	struct tc_heat_block *entry = tc_heatmap_entry(map, pfn);

	return entry ? &entry->block : NULL;
}

struct tc_block *tc_heatmap_find(struct tc_heatmap *map, unsigned long pfn)
{
	struct tc_heat_block *entry = xa_load(&map->blocks, pfn >> TC_BLOCK_ORDER);

	return entry ? &entry->block : NULL;
}

struct tc_block *tc_heatmap_scan(struct tc_heatmap *map, unsigned long pfn)
{
	struct tc_heat_block *entry = tc_heatmap_entry(map, pfn);

	if (!entry)
		return NULL;
	entry->scanned = true;
	return &entry->block;
}

unsigned int tc_heatmap_bin(struct tc_heatmap *map, unsigned long pfn)
{
	struct tc_heat_block *entry;
	unsigned int bin = 0;

	rcu_read_lock();
	entry = xa_load(&map->blocks, pfn >> TC_BLOCK_ORDER);
	if (entry)
		bin = tc_block_bin(&entry->block, &map->heat, pfn & (TC_BLOCK_PAGES - 1));
	rcu_read_unlock();
	return bin;
}

unsigned int tc_heatmap_touch_left(struct tc_heatmap *map, unsigned long pfn, unsigned int order)
{
	struct tc_heat_block *entry;
	unsigned int left = 0;

	rcu_read_lock();
	entry = xa_load(&map->blocks, pfn >> TC_BLOCK_ORDER);
	if (entry)
		left = tc_touch_left(&entry->block.touch, READ_ONCE(map->heat.step),
				     pfn & (TC_BLOCK_PAGES - 1), order);
	rcu_read_unlock();
	return left;
}

bool tc_heatmap_refused(struct tc_heatmap *map, unsigned long pfn)
{
	struct tc_heat_block *entry;
	bool refused;

	rcu_read_lock();
	entry = xa_load(&map->blocks, pfn >> TC_BLOCK_ORDER);
	refused = entry && tc_block_refused(&entry->block, pfn & (TC_BLOCK_PAGES - 1));
	rcu_read_unlock();
	return refused;
}

unsigned int tc_heatmap_base_bin(struct tc_heatmap *map, unsigned long pfn)
{
	struct tc_heat_block *entry;
	unsigned int bin = 0;

	rcu_read_lock();
	entry = xa_load(&map->blocks, pfn >> TC_BLOCK_ORDER);
	if (entry)
		bin = tc_block_base_bin(&entry->block, &map->heat, pfn & (TC_BLOCK_PAGES - 1));
	rcu_read_unlock();
	return bin;
}

u64 tc_heatmap_heat(struct tc_heatmap *map, unsigned long pfn, unsigned int order)
{
	struct tc_heat_block *entry;
	u64 heat = 0;
	u32 lag;

	rcu_read_lock();
	entry = xa_load(&map->blocks, pfn >> TC_BLOCK_ORDER);
	if (entry) {
		lag = READ_ONCE(map->heat.epoch) - READ_ONCE(entry->block.epoch);
		heat = tc_block_sum(&entry->block, pfn & (TC_BLOCK_PAGES - 1), order) >>
		       min(lag, 31U);
	}
	rcu_read_unlock();
	return heat;
}

void tc_heatmap_begin_sweep(struct tc_heatmap *map, unsigned int does)
{
	map->sweep_next_does |= does;
	map->sweeps_due = map->in_round ? 2 : 1;
}

bool tc_heatmap_verifying(const struct tc_heatmap *map)
{
	return (map->sweep_next_does | (map->in_round ? map->sweep_does : 0)) & TC_SWEEP_VERIFY;
}

void tc_heatmap_cool(struct tc_heatmap *map)
{
	tc_heat_cool(&map->heat);
	tc_heatmap_begin_sweep(map, 0);
}

/*
 * What waits to be moved is left alone while moves are in hand: the result of the move tells where its heat belongs.
 * To be asked after a look at the folio: who moved it had @moving raised before.
 */
static bool tc_on_its_way(const struct tc_heatmap *map, const struct tc_block *block,
			  unsigned int head)
{
	/* Pairs with the barrier in tc_batch_move(). */
	smp_rmb();
	return tc_block_queued(block, head) && atomic_read(&map->moving);
}

/* Compares one binned folio with what is there now; returns the index behind that. */
static unsigned int tc_verify_folio(struct tc_heatmap *map, struct tc_block *block,
				    unsigned long first, unsigned int head, unsigned int order)
{
	struct folio *folio = tc_folio_get(first + head);
	unsigned int next = head + (1U << order);

	if (tc_on_its_way(map, block, head))
		goto put;
	if (!folio || page_has_type(&folio->page) || folio_order(folio) > TC_BLOCK_ORDER) {
		tc_block_drop(block, &map->heat, head, 1U << order);
	} else {
		if (folio_order(folio) < order && block->owner[head] == tc_folio_owner(folio))
			trace_tc_split(first + head, order, folio_order(folio), TC_SPLIT_FOUND,
				       TC_OUTCOME_MOVED);
		head = folio_pfn(folio) - first;
		order = folio_order(folio);
		tc_block_verify(block, &map->heat, head, order, tc_folio_owner(folio));
		next = head + (1U << order);
	}
put:
	if (folio)
		folio_put(folio);
	return next;
}

static void tc_heatmap_verify(struct tc_heatmap *map, struct tc_block *block, unsigned long first)
{
	unsigned int order;
	int head;

	for (head = tc_block_next_folio(block, 0, &order); head >= 0;
	     head = tc_block_next_folio(block, head, &order))
		head = tc_verify_folio(map, block, first, head, order);
}

void tc_heatmap_split(struct tc_heatmap *map, unsigned long pfn, unsigned int order)
{
	struct tc_block *block = tc_heatmap_find(map, pfn);
	unsigned int head;

	if (!block)
		return;
	for (head = 0; head < TC_BLOCK_PAGES; head += 1U << order)
		tc_block_rebin(block, &map->heat, head, order);
	tc_heatmap_verify(map, block, pfn);
}

void tc_heatmap_set_unsplittable(struct tc_block *block)
{
	container_of(block, struct tc_heat_block, block)->unsplittable = true;
}

bool tc_heatmap_unsplittable(const struct tc_block *block)
{
	return container_of(block, struct tc_heat_block, block)->unsplittable;
}

struct tc_block *tc_heatmap_next(struct tc_heatmap *map, unsigned long *pfn)
{
	unsigned long index = *pfn >> TC_BLOCK_ORDER;
	struct tc_heat_block *entry = xa_find(&map->blocks, &index, ULONG_MAX, XA_PRESENT);

	*pfn = index << TC_BLOCK_ORDER;
	return entry ? &entry->block : NULL;
}

static void tc_heatmap_sweep_block(struct tc_heatmap *map, unsigned long index,
				   struct tc_heat_block *entry)
{
	struct tc_block *block = &entry->block;

	if (!pfn_to_online_page(index << TC_BLOCK_ORDER)) {
		tc_heatmap_erase(map, index, entry);
		return;
	}
	tc_block_cool(block, &map->heat);
	if (map->sweep_does & TC_SWEEP_VERIFY)
		tc_heatmap_verify(map, block, index << TC_BLOCK_ORDER);
	if (map->sweep_does & TC_SWEEP_REFUSED) {
		tc_block_forget_refused(block);
		entry->unsplittable = false;
	}
	if (map->sweep_does & TC_SWEEP_QUEUED)
		tc_block_forget_queued(block);
	if (tc_block_empty(block) && !entry->scanned)
		tc_heatmap_erase(map, index, entry);
}

static void tc_heatmap_begin_round(struct tc_heatmap *map)
{
	map->in_round = true;
	map->sweep_does = map->sweep_next_does;
	map->sweep_next_does = 0;
}

bool tc_heatmap_sweep(struct tc_heatmap *map, u64 deadline_ns)
{
	struct tc_heat_block *entry;
	unsigned long index;

	if (!map->sweeps_due)
		return false;
	if (!map->in_round)
		tc_heatmap_begin_round(map);
	xa_for_each_start(&map->blocks, index, entry, map->sweep_next) {
		if (local_clock() > deadline_ns) {
			map->sweep_next = index;
			return true;
		}
		tc_heatmap_sweep_block(map, index, entry);
		cond_resched();
	}
	map->sweep_next = 0;
	map->in_round = false;
	map->sweeps_due--;
	return map->sweeps_due;
}

/* A huge page is there: was this region split, and somebody made it whole again? */
static void tc_heatmap_seen_whole(struct tc_heatmap *map, u64 key)
{
	map->recollapsed +=
		tc_split_region_seen_whole(&map->split_regions, key, ktime_get_seconds());
}

bool tc_heatmap_left_alone(struct tc_heatmap *map, const struct folio *folio, u32 alone_s)
{
	u64 key = tc_folio_region(folio, 0);

	tc_heatmap_seen_whole(map, key);
	return tc_split_region_alone(&map->split_regions, key, ktime_get_seconds(), alone_s);
}

void tc_heatmap_rebind(struct tc_heatmap *map, struct tc_block *block, const struct folio *folio)
{
	u64 key = tc_folio_region(folio, 0);
	u32 heat = tc_region_take(&map->regions, key, map->heat.epoch);

	tc_heatmap_seen_whole(map, key);
	if (!heat)
		return;
	tc_block_warm(block, &map->heat, 0, TC_BLOCK_ORDER, heat);
	map->rebound++;
}

static u64 tc_regions_bytes(const struct tc_heatmap *map)
{
	return (map->regions.mask + 1ULL) * sizeof(*map->regions.slot) +
	       (map->split_regions.mask + 1ULL) * sizeof(*map->split_regions.slot) +
	       (map->again.mask + 1ULL) * sizeof(*map->again.slot);
}

u64 tc_heatmap_bytes(const struct tc_heatmap *map)
{
	return (u64)READ_ONCE(map->nr_blocks) * kmem_cache_size(tc_block_cache) +
	       tc_regions_bytes(map);
}

int tc_heatmap_check_limit(const struct tc_heatmap *map, unsigned int kib)
{
	u64 least = tc_regions_bytes(map) + TC_BLOCKS_MIN * kmem_cache_size(tc_block_cache);

	if (!kib || (u64)kib << 10 >= least)
		return 0;
	pr_err("heatmap_limit_kib: %u is less than this machine needs at least (%llu)\n", kib,
	       (least + 1023) >> 10);
	return -EINVAL;
}

void tc_heatmap_limit(struct tc_heatmap *map, u64 bytes)
{
	u64 blocks = 0;

	if (bytes)
		blocks = (bytes - tc_regions_bytes(map)) / kmem_cache_size(tc_block_cache);
	WRITE_ONCE(map->max_blocks, blocks);
	if (blocks)
		tc_heatmap_shrink(map, blocks, TC_EVICT_ROUND);
}
