/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The heat map: from a page frame to the block of 512 pages that holds its counts. Knows
 * memory, RCU and the life of blocks; what the counts mean is in policy/.
 */
#ifndef TC_TRACK_HEATMAP_H
#define TC_TRACK_HEATMAP_H

#include <linux/types.h>
#include <linux/xarray.h>

#include "../policy/block.h"

/**
 * struct tc_heatmap - all that is known about the heat of memory
 * @blocks: struct tc_heat_block by PFN >> TC_BLOCK_ORDER
 * @heat: histogram and epoch that all blocks are accounted against
 * @nr_blocks: blocks in @blocks
 * @no_memory: blocks that could not be allocated
 * @sweep_next: index where the sweep goes on
 * @sweeps_due: rounds over the map to do, the present one included; 0: none is under way
 * @forget: the next round that begins also forgets which folios were refused
 * @unqueue: the next round that begins also forgets which folios are queued
 * @forgetting, @unqueueing: the present round does
 *
 * One thread writes (ksampled); anyone may read counts and bins under RCU.
 */
struct tc_heatmap {
	struct xarray blocks;
	struct tc_heat heat;
	unsigned long nr_blocks;
	u64 no_memory;
	unsigned long sweep_next;
	unsigned int sweeps_due;
	bool forget;
	bool unqueue;
	bool forgetting;
	bool unqueueing;
};

/* Return: 0 or -ENOMEM. */
int tc_heatmap_init(struct tc_heatmap *map);

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
 * tc_heatmap_cool() - begin a new epoch: all counts halve
 * @map: the map
 *
 * The histogram shifts at once; the counts follow when tc_heatmap_sweep() or a sample comes by.
 *
 * Context: the writer.
 */
void tc_heatmap_cool(struct tc_heatmap *map);

/**
 * tc_heatmap_begin_sweep() - begin a sweep without a cooling
 * @map: the map
 * @refused: also forget which folios were refused: they may be tried again
 * @queued: also forget which are queued: a queue or a result was lost
 *
 * A sweep that is under way is finished first, so the end of the map is reached however often one
 * is begun.
 *
 * Context: the writer.
 */
void tc_heatmap_begin_sweep(struct tc_heatmap *map, bool refused, bool queued);

/**
 * tc_heatmap_sweep() - go on with the sweep that was begun
 * @map: the map
 * @deadline_ns: time (local_clock()) after which no further block is visited
 *
 * Each block visited is brought to the present epoch and compared with the folios that are
 * there now: heat of pages that are free, reused or offline is dropped, folios of another
 * order are binned anew. A block without any heat that no cursor scans is freed.
 *
 * Context: the writer; process context.
 *
 * Return: true while there is more to do.
 */
bool tc_heatmap_sweep(struct tc_heatmap *map, u64 deadline_ns);

/* Bytes that the map occupies. */
u64 tc_heatmap_bytes(const struct tc_heatmap *map);

#endif /* TC_TRACK_HEATMAP_H */
