/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The heat map: from a page frame to the block of 512 pages that holds its counts. Knows
 * memory, RCU and the life of blocks; what the counts mean is in policy/.
 */
#ifndef TC_TRACK_HEATMAP_H
#define TC_TRACK_HEATMAP_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include "../policy/again.h"
#include "../policy/block.h"
#include "../policy/recollapse.h"
#include "../policy/region.h"

/**
 * enum tc_sweep - what a sweep does beside bringing each block to the present epoch
 * @TC_SWEEP_VERIFY: compare with the folios that are there now: heat of pages that are free or
 *	another owner's is dropped, folios of another order are binned anew
 * @TC_SWEEP_REFUSED: forget which folios were refused: they may be tried again
 * @TC_SWEEP_QUEUED: forget which are queued: a queue or a result was lost
 */
enum tc_sweep {
	TC_SWEEP_VERIFY = 1 << 0,
	TC_SWEEP_REFUSED = 1 << 1,
	TC_SWEEP_QUEUED = 1 << 2,
};

/**
 * struct tc_heatmap - all that is known about the heat of memory
 * @blocks: struct tc_heat_block by PFN >> TC_BLOCK_ORDER
 * @heat: histogram and epoch that all blocks are accounted against
 * @regions: heat of regions by their place in a mapping, for collapses
 * @split_regions: regions that were split lately
 * @recollapsed: of these, those that somebody made one huge page again
 * @again: folios that were moved lately, by their page frame and owner
 * @moving: batches of moves that have begun and are not entered here yet; their folios are somewhere between two places
 * @rebound: huge pages that got their region's heat back
 * @nr_blocks: blocks in @blocks; @max_blocks: bound of it, 0 for none
 * @evicted: blocks that had to go for the bound; @evict_next: where the search goes on
 * @no_memory: blocks that could not be allocated
 * @sweep_next: index where the sweep goes on; @in_round: a round has begun
 * @sweeps_due: rounds over the map to do, the present one included; 0: none is under way
 * @sweep_next_does, @sweep_does: what the next round that begins, and the present one, does
 *	(enum tc_sweep)
 *
 * One thread writes (ksampled); anyone may read counts and bins under RCU.
 */
struct tc_heatmap {
	struct xarray blocks;
	struct tc_heat heat;
	struct tc_regions regions;
	struct tc_split_regions split_regions;
	struct tc_again again;
	atomic_t moving;
	u64 recollapsed;
	u64 rebound;
	unsigned long nr_blocks;
	unsigned long max_blocks;
	u64 evicted;
	unsigned long evict_next;
	u64 no_memory;
	unsigned long sweep_next;
	unsigned int sweeps_due;
	bool in_round;
	unsigned int sweep_next_does;
	unsigned int sweep_does;
};

/**
 * tc_heatmap_init() - an empty map
 * @map: the map, zeroed
 * @pages: 4 KiB pages of this machine, for the size of what is bounded by it
 *
 * Return: 0 or -ENOMEM.
 */
int tc_heatmap_init(struct tc_heatmap *map, u64 pages);

/* No reader and no writer may be left. Waits for the RCU frees. */
void tc_heatmap_exit(struct tc_heatmap *map);

/**
 * tc_heatmap_block() - the block of a page frame, made when there is none
 * @map: the map
 * @pfn: page frame
 *
 * Does not wait for memory.
 *
 * Context: the writer.
 *
 * Return: the block, or NULL when there was no memory for it.
 */
struct tc_block *tc_heatmap_block(struct tc_heatmap *map, unsigned long pfn);

/* As tc_heatmap_block(), but never makes one. */
struct tc_block *tc_heatmap_find(struct tc_heatmap *map, unsigned long pfn);

/* As tc_heatmap_block(), for the cursor: the block stays even when it has no heat. */
struct tc_block *tc_heatmap_scan(struct tc_heatmap *map, unsigned long pfn);

/**
 * tc_heatmap_bin() - bin of the folio that covers a page frame
 * @map: the map
 * @pfn: page frame
 *
 * Context: any but NMI.
 *
 * Return: its bin, 0 when nothing is known.
 */
unsigned int tc_heatmap_bin(struct tc_heatmap *map, unsigned long pfn);

/**
 * tc_heatmap_touch_left() - for how long the last touch of a folio still counts
 * @map: the map
 * @pfn: page frame of its first page
 * @order: its order
 *
 * Context: any but NMI.
 *
 * Return: steps, see tc_touch_left().
 */
unsigned int tc_heatmap_touch_left(struct tc_heatmap *map, unsigned long pfn, unsigned int order);

/* Was the last move of the folio that begins at this page frame refused for a reason that lasts? Context: any but NMI. */
bool tc_heatmap_refused(struct tc_heatmap *map, unsigned long pfn);

/* The same as tc_heatmap_bin() for the page alone, as a base page. Context: any but NMI. */
unsigned int tc_heatmap_base_bin(struct tc_heatmap *map, unsigned long pfn);

/**
 * tc_heatmap_heat() - heat of some pages
 * @map: the map
 * @pfn: page frame of the first one
 * @order: there are 2^@order, aligned, at most a block
 *
 * Context: any but NMI.
 *
 * Return: sum of their counts in 1/16 sample, with the coolings that the block lags taken into account; 0 when nothing is
 * known.
 */
u64 tc_heatmap_heat(struct tc_heatmap *map, unsigned long pfn, unsigned int order);

/**
 * tc_heatmap_cool() - begin a new epoch: all counts halve
 * @map: the map
 *
 * The histogram shifts at once; the counts follow when tc_heatmap_sweep() or a sample comes by.
 *
 * Context: the writer.
 */
void tc_heatmap_cool(struct tc_heatmap *map);

/**
 * tc_heatmap_begin_sweep() - begin a sweep
 * @map: the map
 * @does: what it does, of enum tc_sweep
 *
 * A sweep that is under way is finished first, so the end of the map is reached however often one
 * is begun.
 *
 * Context: the writer.
 */
void tc_heatmap_begin_sweep(struct tc_heatmap *map, unsigned int does);

/* Is a sweep that verifies under way, or the next one to begin? Context: the writer. */
bool tc_heatmap_verifying(const struct tc_heatmap *map);

/**
 * tc_heatmap_sweep() - go on with the sweep that was begun
 * @map: the map
 * @deadline_ns: time (local_clock()) after which no further block is visited
 *
 * Each block visited is brought to the present epoch, and what else was asked for is done. A block
 * that is offline, or without any heat and not scanned by a cursor, is freed.
 *
 * Context: the writer; process context.
 *
 * Return: true while there is more to do.
 */
bool tc_heatmap_sweep(struct tc_heatmap *map, u64 deadline_ns);

/**
 * tc_heatmap_rebind() - a huge page appeared: give it the heat of its region
 * @map: the map
 * @block: its block
 * @folio: folio of TC_BLOCK_ORDER that was not known under its present owner
 *
 * Context: the writer; a reference to the folio is held.
 */
void tc_heatmap_rebind(struct tc_heatmap *map, struct tc_block *block, const struct folio *folio);

/**
 * tc_heatmap_left_alone() - shall this huge page not be split?
 * @map: the map
 * @folio: folio of TC_BLOCK_ORDER
 * @alone_s: seconds that a region is left alone after somebody made it whole again
 *
 * Context: the writer; a reference to the folio is held.
 */
bool tc_heatmap_left_alone(struct tc_heatmap *map, const struct folio *folio, u32 alone_s);

/**
 * tc_heatmap_split() - a huge page was split
 * @map: the map
 * @pfn: page frame of its first page
 * @order: order of the pieces
 *
 * Each page keeps its heat, and each piece goes to the bin that its own heat asks for. Pieces that
 * are gone by now, freed as they held only zeroes, are dropped.
 *
 * Context: the writer, between tc_offline_enter() and tc_offline_leave().
 */
void tc_heatmap_split(struct tc_heatmap *map, unsigned long pfn, unsigned int order);

/*
 * The huge page of this block was not split for a reason that lasts: it is not tried again until a
 * sweep with TC_SWEEP_REFUSED. That it may not be moved does not keep it from being split.
 *
 * @block: of a map, not one that somebody else made. Context: the writer.
 */
void tc_heatmap_set_unsplittable(struct tc_block *block);
bool tc_heatmap_unsplittable(const struct tc_block *block);

/**
 * tc_heatmap_next() - walk over the blocks
 * @map: the map
 * @pfn: where to begin; set to the page frame of the block's first page
 *
 * Context: the writer.
 *
 * Return: the first block at or behind @pfn, or NULL.
 */
struct tc_block *tc_heatmap_next(struct tc_heatmap *map, unsigned long *pfn);

/* Bytes that the map occupies. */
u64 tc_heatmap_bytes(const struct tc_heatmap *map);

/**
 * tc_heatmap_check_limit() - can the map live within a limit?
 * @map: the map
 * @kib: the limit; 0: none
 *
 * Return: 0; -EINVAL when hardly a block would fit beside what is fixed, with a message.
 */
int tc_heatmap_check_limit(const struct tc_heatmap *map, unsigned int kib);

/*
 * Bound the map's memory, 0 for none, to a limit that tc_heatmap_check_limit() allows; the coldest
 * blocks are evicted when it is reached, a bounded number at each call. Context: the writer, each
 * round.
 */
void tc_heatmap_limit(struct tc_heatmap *map, u64 bytes);

#endif /* TC_TRACK_HEATMAP_H */
