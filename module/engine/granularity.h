/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Huge pages that are to be promoted: whole, or split, and then only their hot pieces. ksampled decides, tc_split splits, and
 * the answer puts the pieces on the queue of their node. Knows the heat map, the policies and the figures of tiers. Does not
 * know how a page is split.
 */
#ifndef TC_ENGINE_GRANULARITY_H
#define TC_ENGINE_GRANULARITY_H

#include <linux/kfifo.h>
#include <linux/types.h>

#include "../move/split.h"
#include "../policy/granularity.h"
#include "../policy/subpage.h"
#include "config.h"

struct folio;
struct tc_block;
struct tc_node;
struct tc_result;
struct tc_sample;

/* Huge pages that are being split for promotion, at most; the others wait for their next sample. */
#define TC_FLIGHTS 256

/* An answer that did not come by then will not: its huge page may be decided upon again. */
#define TC_FLIGHT_TIMEOUT (60 * HZ)

/*
 * V(enumerator, name in the statistics and the trace): what was decided. But for SPLIT, COLD and FULL, the huge page goes on
 * as a whole.
 *
 * FEW, FLAT, SPARSE, DENSE: what the profile says, see enum tc_granularity_why
 * GATE: slow memory is not pressed
 * PRICE: a split does not pay
 * ORDER: pieces of this order cannot be had of this memory on this kernel
 * ALONE: somebody made it whole again lately, or a split was refused for a reason that lasts
 * COLD: the policy that is attached calls all pieces cold: it stays where it is
 * FULL: too many are being split: it waits for its next sample
 * WHOLE: the policy that is attached leaves it whole
 */
#define TC_VERDICTS(V)    \
	V(FEW, few)       \
	V(FLAT, flat)     \
	V(SPARSE, sparse) \
	V(DENSE, dense)   \
	V(SPLIT, split)   \
	V(GATE, gate)     \
	V(PRICE, price)   \
	V(ORDER, order)   \
	V(ALONE, alone)   \
	V(COLD, cold)     \
	V(FULL, full)     \
	V(WHOLE, whole)

enum tc_verdict {
#define TC_VERDICT_ENUM(id, name) TC_VERDICT_##id,
	TC_VERDICTS(TC_VERDICT_ENUM)
#undef TC_VERDICT_ENUM
		TC_NR_VERDICTS
};

/**
 * struct tc_flight - a huge page that is being split for promotion
 * @pfn: page frame of its first page; 0: free
 * @region: key of its region
 * @pieces: those to promote, a bit for each 64 KiB, set for the first of each
 * @since: when it was asked for (jiffies)
 */
struct tc_flight {
	unsigned long pfn;
	u64 region;
	u32 pieces;
	unsigned long since;
};

/**
 * struct tc_granularity_engine - all about splitting at promotion; written by ksampled unless another is named
 * @processes: histograms of processes; their room is there once a policy needed it
 * @flight: what is being split; @nr_flights: how many
 * @requests: from ksampled to tc_split
 * @verdicts: what was decided, by enum tc_verdict
 * @by_profile: splits by the profile that decided (enum tc_granularity_source)
 * @orders: huge pages that were split, by the order of their pieces
 * @promoted: pieces that were queued, @left: those that stayed
 * @lost: flights without an answer
 * @copy_ns: what moving a page of 4 KiB took lately, written by the kmigrated; 0: not known
 * @split_ns: what a split took lately, written by tc_split; 0: not known
 */
struct tc_granularity_engine {
	struct tc_subpages processes;
	struct tc_flight flight[TC_FLIGHTS];
	unsigned int nr_flights;
	DECLARE_KFIFO(requests, struct tc_split_request, TC_FLIGHTS);
	u64 verdicts[TC_NR_VERDICTS];
	u64 by_profile[TC_NR_PROFILES];
	u64 orders[TC_BLOCK_ORDER];
	u64 promoted;
	u64 left;
	u64 lost;
	u32 copy_ns;
	u32 split_ns;
};

extern struct tc_granularity_engine tc_granularity_engine;

/* Before the workers begin. Context: process context. */
void tc_granularity_start(void);

/* When they have ended. Context: process context. */
void tc_granularity_stop(void);

/**
 * tc_granularity_apply() - settings may need memory
 * @config: the settings
 *
 * Without memory for the histograms of processes, only each huge page's own profile decides; a message says so.
 *
 * Context: process context, sleeps; one caller at a time.
 */
void tc_granularity_apply(const struct tc_config *config);

/* The settings of this round; forgets flights that were lost. Context: ksampled, each round. */
void tc_granularity_round(const struct tc_config *config, enum tc_mode mode);

/* A sample was accounted. @folio: of its page. Context: ksampled. */
void tc_granularity_sample(const struct tc_sample *sample, const struct folio *folio);

/* The counts halve. Context: ksampled. */
void tc_granularity_cooled(void);

/**
 * tc_granularity_takes() - a huge page is to be promoted: shall it be split before?
 * @node: its node, a slow one
 * @block: its block, not lagging
 * @folio: the folio, reference held
 * @page: number of the page whose access began this; TC_BLOCK_PAGES: not known
 * @tgid: process that accessed it; 0: not known
 *
 * Context: ksampled, between tc_offline_enter() and tc_offline_leave().
 *
 * Return: true when it was taken care of: it must not be queued as a whole.
 */
bool tc_granularity_takes(struct tc_node *node, struct tc_block *block, struct folio *folio,
			  unsigned int page, u32 tgid);

/**
 * tc_granularity_result() - tc_split has answered a request
 * @result: its answer, with @result->promote
 *
 * The hot pieces go on the queue of their node, those of them that are cold by the present thresholds (or, where touches decide,
 * not touched lately) do not: they are placed when they are accessed.
 *
 * Context: ksampled, between tc_offline_enter() and tc_offline_leave().
 */
void tc_granularity_result(const struct tc_result *result);

/* So many pages of 4 KiB were moved in this time. Context: a kmigrated. */
void tc_granularity_copied(u64 ns, unsigned long pages);

/* A huge page was split in this time. Context: tc_split. */
void tc_granularity_split_took(u64 ns);

#endif /* TC_ENGINE_GRANULARITY_H */
