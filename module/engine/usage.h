/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The characterization of memory by page type: which pages are tracked, and the table of what they add up
 * to. Knows samples, folios and nodes. What the figures mean is in policy/usage.h; nothing is
 * decided by them.
 */
#ifndef TC_ENGINE_USAGE_H
#define TC_ENGINE_USAGE_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include "../policy/groups.h"
#include "../policy/usage.h"
#include "config.h"

struct folio;

/**
 * struct tc_use_table - what is told
 * @id: cgroup of each slot; 0: none, and of TC_GROUP_OTHER always
 * @tally: tracked pages, by slot and type. The ages are those of the last pass over memory; the samples
 *	those of the last window that is complete, or of the first one so far
 * @again: intervals between two accesses of a page, by slot and type, since the begin
 */
struct tc_use_table {
	u64 id[TC_GROUP_SLOTS];
	struct tc_use_tally tally[TC_GROUP_SLOTS][TC_NR_PAGE_TYPES];
	u64 again[TC_GROUP_SLOTS][TC_NR_PAGE_TYPES][TC_NR_SPANS];
};

/**
 * struct tc_usage - all about it
 * @on: pages are tracked
 * @asked: the settings by which that was begun, or tried
 * @shift: one page in 2^shift is tracked; @seed: which
 * @chunks: struct tc_use_chunk by number of the stratum, in chunks
 * @nr_chunks: their number; @no_memory: tracked pages that could not be entered
 * @clock_ns: when the clock was last wound; @time_ns: what it shows, the time in which samples were taken
 * @tick: the same in ticks; @tick_ns: length of one
 * @node: node that a pass is at, NUMA_NO_NODE between two passes; @stratum: where it is there
 * @next_pass: when the next one is due; @window_end: when the window is over; both in ticks
 * @window_from: tick when the pass that closed the window before began
 * @closes: the pass closes the window
 * @groups: cgroups that are told apart
 * @now: table of the pass that is under way; its @again has what was sampled so far
 * @lock: held by who reads or replaces @shown
 * @shown: table of the last pass that is over
 * @passes: such passes; @windows: windows that are complete
 * @samples: on tracked pages; @dropped: of these, on pages that were freed or moved before their window
 *	was over
 *
 * ksampled writes all of it.
 */
struct tc_usage {
	bool on;
	struct {
		unsigned int on;
		unsigned int step;
		unsigned int unit_s;
	} asked;
	unsigned int shift;
	u64 seed;
	struct xarray chunks;
	unsigned long nr_chunks;
	u64 no_memory;
	u64 clock_ns;
	u64 time_ns;
	u64 tick_ns;
	u32 tick;
	int node;
	unsigned long stratum;
	u32 next_pass;
	u32 window_end;
	u32 window_from;
	bool closes;
	struct tc_groups groups;
	struct tc_use_table *now;
	struct mutex lock;
	struct tc_use_table *shown;
	u64 passes;
	u64 windows;
	u64 samples;
	u64 dropped;
};

extern struct tc_usage tc_usage;

/**
 * tc_usage_configure() - begin, begin anew or end, as the settings say
 * @config: settings of this round
 *
 * Context: ksampled, outside of tc_offline_enter(); may sleep for memory when the settings changed.
 */
void tc_usage_configure(const struct tc_config *config);

/* Give back all memory. Context: process context; ksampled does not run. */
void tc_usage_exit(void);

/* As tc_usage_sample(), for a page that is tracked. */
void tc_usage_tracked(struct folio *folio, unsigned long pfn, u8 owner);

/**
 * tc_usage_sample() - a sample that is entered in the heat map
 * @folio: its folio, on the LRU, reference held
 * @pfn: its page frame
 * @owner: owner tag of the page
 *
 * Context: ksampled.
 */
static inline void tc_usage_sample(struct folio *folio, unsigned long pfn, u8 owner)
{
	if (tc_usage.on && tc_use_tracked(pfn, tc_usage.shift, tc_usage.seed))
		tc_usage_tracked(folio, pfn, owner);
}

/**
 * tc_usage_run() - wind the clock; go on with the pass over memory, for about a millisecond
 *
 * Context: ksampled, between tc_offline_enter() and tc_offline_leave().
 *
 * Return: true while there is more to do.
 */
bool tc_usage_run(void);

/* Bytes that the characterization occupies. Context: any. */
u64 tc_usage_bytes(void);

#endif /* TC_ENGINE_USAGE_H */
