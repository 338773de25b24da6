/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Duplex admission at work: what pages of slow memory are used for, and whether that speaks against a promotion now. Knows
 * samples, tiers and settings; filter and table are in policy/.
 */
#ifndef TC_ENGINE_ADMIT_H
#define TC_ENGINE_ADMIT_H

#include "../policy/admit.h"
#include "../track/ring.h"
#include "config.h"
#include "node.h"

struct folio;

/**
 * struct tc_admit_counts - what was decided of promotions
 * @by: by direction of the traffic and kind of the page, while the table was asked
 * @prevented: of these, not admitted
 * @bytes: memory of the filters; 0: there are none
 * @no_memory: times that there was none for them
 */
struct tc_admit_counts {
	u64 by[TC_NR_TRAFFIC_KINDS][TC_NR_PAGE_KINDS];
	u64 prevented;
	u64 bytes;
	u64 no_memory;
};

/**
 * tc_admit_apply() - settings changed: make the filters, or give them back
 * @config: the settings
 *
 * They are there while duplex admission may be asked: by duplex=full, or auto with a slow node of CXL, in a mode that decides, with a source of
 * samples that tells loads of memory from stores. Without memory for them everything is admitted. The next change of settings tries again, and sees nodes that came meanwhile.
 *
 * Context: process context, sleeps; one caller at a time.
 */
void tc_admit_apply(const struct tc_config *config);

/* Gives them back; nobody samples or moves any more. Context: process context. */
void tc_admit_stop(void);

/* A sample was accounted. @folio: of its page. Context: ksampled. */
void tc_admit_sample(const struct tc_sample *sample, const struct folio *folio);

/**
 * tc_admit_promotion() - does the direction of traffic speak for this promotion?
 * @node: slow node that it would leave
 * @candidate: the folio
 * @reads: set to accesses that read it, about; 0 without filters
 * @writes: set to accesses that wrote it
 *
 * The table is asked while the contention is moderate: without any there is nothing to gain, and at a high level it takes away more than it
 * gives (TierBPF).
 *
 * Context: a kmigrated.
 */
bool tc_admit_promotion(const struct tc_node *node, const struct tc_candidate *candidate,
			u32 *reads, u32 *writes);

/* Context: any but NMI. */
void tc_admit_read(struct tc_admit_counts *counts);

#endif /* TC_ENGINE_ADMIT_H */
