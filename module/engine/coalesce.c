// SPDX-License-Identifier: GPL-2.0
/*
 * Regions whose pages are all hot, of coalesce.h.
 */
#include <linux/mm.h>
#include <linux/timekeeping.h>
#include <linux/wait.h>

#include "../kernel/symbols.h"
#include "../track/folio.h"
#include "coalesce.h"
#include "engine.h"
#include "split.h"

/* A region is asked for at most once in this time. */
#define TC_COALESCE_AGAIN_S 60

struct tc_coalesce_engine tc_coalesce_engine;

/* Heat of a region of which every page is just hot as a base page, see tc_base_bin(). */
static u32 tc_hot_region_heat(void)
{
	u32 least = (((1U << READ_ONCE(tc_split_engine.base.hot)) - 1) * TC_SAMPLE_UNIT) >>
		    TC_BLOCK_ORDER;

	return max(least, TC_SAMPLE_UNIT) * TC_BLOCK_PAGES;
}

static bool tc_asked_lately(u64 region, u32 now_s)
{
	const struct tc_coalesce_engine *coalesce = &tc_coalesce_engine;
	int i;

	for (i = 0; i < TC_COALESCE_LATELY; i++)
		if (coalesce->lately[i] == region &&
		    now_s - coalesce->lately_s[i] < TC_COALESCE_AGAIN_S)
			return true;
	return false;
}

void tc_coalesce_sample(struct folio *folio, u64 region, u32 heat)
{
	struct tc_coalesce_request request = {
		.pfn = folio_pfn(folio),
		.owner = tc_folio_owner(folio),
	};
	struct tc_coalesce_engine *coalesce = &tc_coalesce_engine;
	u32 now_s = ktime_get_seconds();
	unsigned int i;

	if (!coalesce->wanted || heat < tc_hot_region_heat() || !folio_test_anon(folio) ||
	    tc_asked_lately(region, now_s) || !kfifo_put(&coalesce->requests, request))
		return;
	i = coalesce->lately_next++ % TC_COALESCE_LATELY;
	coalesce->lately[i] = region;
	coalesce->lately_s[i] = now_s;
	wake_up(&tc_split_engine.wait);
}

void tc_coalesce_allow(bool wanted)
{
	WRITE_ONCE(tc_coalesce_engine.wanted, wanted && tc_symbol_found(TC_SYMBOL_do_madvise));
}

static bool tc_page_is_hot(unsigned long pfn)
{
	return tc_heatmap_base_bin(&tc_engine.map, pfn) >= READ_ONCE(tc_split_engine.base.hot);
}

static void tc_coalesce_one(const struct tc_coalesce_request *request)
{
	struct tc_coalesce_engine *coalesce = &tc_coalesce_engine;
	enum tc_coalesce_outcome outcome;
	struct tc_config config;

	tc_config_read(&config);
	if (!config.coalesce || tc_engine_mode(&config, NULL) != TC_MODE_TIER)
		return;
	outcome = tc_coalesce_try(request, tc_page_is_hot);
	WRITE_ONCE(coalesce->tried, coalesce->tried + 1);
	WRITE_ONCE(coalesce->outcome[outcome], coalesce->outcome[outcome] + 1);
}

void tc_coalesce_pass(void)
{
	struct tc_coalesce_engine *coalesce = &tc_coalesce_engine;
	struct tc_coalesce_request request;

	while (kfifo_get(&coalesce->requests, &request)) {
		mutex_lock(&tc_split_engine.in_hand);
		tc_coalesce_one(&request);
		mutex_unlock(&tc_split_engine.in_hand);
	}
}
