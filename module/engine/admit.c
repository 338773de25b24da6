// SPDX-License-Identifier: GPL-2.0
/*
 * The decisions of admit.h.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/atomic.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "../kernel/memory.h"
#include "../policy/bloom.h"
#include "../policy/subpage.h"
#include "../track/folio.h"
#include "../track/sampler.h"
#include "admit.h"
#include "engine.h"
#include "headroom.h"
#include "tier.h"

/* Pages of 4 KiB for each line of a filter: of these, eight are about as many as are sampled within an epoch or two. */
#define TC_PAGES_PER_LINE 64

/* Lines of a filter: from 64 KiB to 64 MiB. */
#define TC_LINES_MIN 1024UL
#define TC_LINES_MAX (1UL << 20)

/* The filters, as one: they come and go together. Counts are by folio. */
struct tc_filters {
	struct tc_bloom reads;
	struct tc_bloom writes;
	struct tc_bloom_line line[];
};

/* NULL: there are none. */
static struct tc_filters __rcu *tc_filters;

static struct {
	atomic64_t by[TC_NR_TRAFFIC_KINDS][TC_NR_PAGE_KINDS];
	atomic64_t prevented;
	u64 bytes;
	u64 no_memory;
} tc_admitted;

static bool tc_slow_is_cxl(void)
{
	struct tc_node *node;

	tc_for_each_node(node)
		if (!node->fast && tc_node_is_cxl(node->nid))
			return true;
	return false;
}

static bool tc_filters_wanted(const struct tc_config *config)
{
	if (!tc_mode_decides(config->mode) || !tc_sampler_tells_stores())
		return false;
	return config->duplex == TC_DUPLEX_FULL ||
	       (config->duplex == TC_DUPLEX_AUTO && tc_slow_is_cxl());
}

static size_t tc_filters_bytes(unsigned long lines)
{
	return sizeof(struct tc_filters) + 2 * lines * sizeof(struct tc_bloom_line);
}

static void tc_filters_make(void)
{
	unsigned long lines = clamp(roundup_pow_of_two(tc_covered_pages() / TC_PAGES_PER_LINE + 1),
				    TC_LINES_MIN, TC_LINES_MAX);
	struct tc_filters *filters = kvzalloc(tc_filters_bytes(lines), GFP_KERNEL);

	if (!filters) {
		WRITE_ONCE(tc_admitted.no_memory, tc_admitted.no_memory + 1);
		pr_warn("no memory for duplex admission: everything is admitted\n");
		return;
	}
	filters->reads = (struct tc_bloom){ .line = filters->line, .nr = lines };
	filters->writes = (struct tc_bloom){ .line = filters->line + lines, .nr = lines };
	WRITE_ONCE(tc_admitted.bytes, tc_filters_bytes(lines));
	rcu_assign_pointer(tc_filters, filters);
}

static void tc_filters_drop(void)
{
	struct tc_filters *filters = rcu_dereference_protected(tc_filters, true);

	if (!filters)
		return;
	RCU_INIT_POINTER(tc_filters, NULL);
	WRITE_ONCE(tc_admitted.bytes, 0);
	synchronize_rcu();
	kvfree(filters);
}

void tc_admit_apply(const struct tc_config *config)
{
	if (!tc_filters_wanted(config))
		tc_filters_drop();
	else if (!rcu_access_pointer(tc_filters))
		tc_filters_make();
}

void tc_admit_stop(void)
{
	tc_filters_drop();
}

static u32 tc_admit_epoch(void)
{
	return (u32)ktime_get_seconds() / TC_SUBPAGE_EPOCH_S;
}

/* A page that became another owner's is another key. */
static u64 tc_admit_key(unsigned long pfn, u8 owner)
{
	return (u64)pfn << 8 | owner;
}

void tc_admit_sample(const struct tc_sample *sample, const struct folio *folio)
{
	struct tc_filters *filters;
	u64 key;

	rcu_read_lock();
	filters = rcu_dereference(tc_filters);
	if (filters) {
		key = tc_admit_key(folio_pfn((struct folio *)folio), tc_folio_owner(folio));
		tc_bloom_add(sample->flags & TC_SAMPLE_STORE ? &filters->writes : &filters->reads,
			     key, tc_admit_epoch());
	}
	rcu_read_unlock();
}

/* Returns false when nothing is known. */
static bool tc_admit_uses(const struct tc_candidate *candidate, u32 *reads, u32 *writes)
{
	u64 key = tc_admit_key(candidate->pfn, candidate->owner);
	struct tc_filters *filters;
	u32 epoch;

	*reads = 0;
	*writes = 0;
	rcu_read_lock();
	filters = rcu_dereference(tc_filters);
	if (filters) {
		epoch = tc_admit_epoch();
		*reads = tc_bloom_get(&filters->reads, key, epoch);
		*writes = tc_bloom_get(&filters->writes, key, epoch);
	}
	rcu_read_unlock();
	return filters;
}

bool tc_admit_promotion(const struct tc_node *node, const struct tc_candidate *candidate,
			u32 *reads, u32 *writes)
{
	enum tc_traffic_kind traffic = tc_tier_traffic(node);
	enum tc_page_kind page;

	if (!tc_admit_uses(candidate, reads, writes) ||
	    tc_tier_contention() != TC_CONTENTION_MODERATE)
		return true;
	page = tc_page_kind(*reads, *writes);
	atomic64_inc(&tc_admitted.by[traffic][page]);
	if (tc_duplex_admits(traffic, page))
		return true;
	atomic64_inc(&tc_admitted.prevented);
	return false;
}

void tc_admit_read(struct tc_admit_counts *counts)
{
	int traffic, page;

	for (traffic = 0; traffic < TC_NR_TRAFFIC_KINDS; traffic++)
		for (page = 0; page < TC_NR_PAGE_KINDS; page++)
			counts->by[traffic][page] = atomic64_read(&tc_admitted.by[traffic][page]);
	counts->prevented = atomic64_read(&tc_admitted.prevented);
	counts->bytes = READ_ONCE(tc_admitted.bytes);
	counts->no_memory = READ_ONCE(tc_admitted.no_memory);
}
