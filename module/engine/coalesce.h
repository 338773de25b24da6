/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which regions are made one huge page again: those whose pages are all hot. ksampled notices them,
 * the thread tc_split asks the kernel. Does not know how it is asked.
 */
#ifndef TC_ENGINE_COALESCE_H
#define TC_ENGINE_COALESCE_H

#include <linux/kfifo.h>
#include <linux/types.h>

#include "../move/coalesce.h"

struct folio;

/* Requests that wait; it is rare. */
#define TC_COALESCE_REQUESTS 8

/* Regions that were asked for lately and are not asked for again at once. */
#define TC_COALESCE_LATELY 64

/**
 * struct tc_coalesce_engine - all about coalescing
 * @wanted: the operator wants it, and there is something that could be asked
 * @lately: keys of the regions asked for last; @lately_s: when, in seconds; @lately_next: the oldest
 * @requests: from ksampled to tc_split
 * @tried: requests taken up; @outcome: what became of them; written by tc_split
 *
 * What is not said to be another's is written by ksampled.
 */
struct tc_coalesce_engine {
	bool wanted;
	u64 lately[TC_COALESCE_LATELY];
	u32 lately_s[TC_COALESCE_LATELY];
	unsigned int lately_next;
	DECLARE_KFIFO(requests, struct tc_coalesce_request, TC_COALESCE_REQUESTS);
	u64 tried;
	u64 outcome[TC_NR_COALESCE_OUTCOMES];
};

extern struct tc_coalesce_engine tc_coalesce_engine;

/**
 * tc_coalesce_sample() - a page of a region was sampled
 * @folio: its folio, smaller than the region, reference held
 * @region: the region's key
 * @heat: the region's heat in 1/16 sample
 *
 * A region that has the heat it would have if each of its pages were just hot is asked for. That it
 * is not on few pages is for tc_split to find out, page by page.
 *
 * Context: ksampled.
 */
void tc_coalesce_sample(struct folio *folio, u64 region, u32 heat);

/* May it be asked for now? Context: ksampled. */
void tc_coalesce_allow(bool wanted);

/* Takes up what waits. Context: tc_split, outside of tc_offline_enter(). */
void tc_coalesce_pass(void);

#endif /* TC_ENGINE_COALESCE_H */
