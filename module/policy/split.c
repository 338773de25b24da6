// SPDX-License-Identifier: GPL-2.0
/*
 * Whether huge pages should be split now, how many, and into what.
 * Knows numbers of samples, hit ratios and latencies.
 * Does not know which huge pages there are, nor how one is split.
 */
#include "split.h"

/* Shares of the prototype of MEMTIS: of eHR that can be had, and of Ns that is split at a time. */
#define EHR_PERCENT 95U
#define SCALE_TENTHS 4U

/* Bounds that keep products below 2^64: huge pages (2 TiB), and latency ratio in 1/1000. */
#define HUGE_MAX ((u64)1 << 20)
#define RATIO_MAX 100000U

u32 tc_window_gap_bp(const struct tc_window *w)
{
	u32 estimated = tc_window_bp(w->base, w->all), real = tc_window_bp(w->fast, w->all);

	return estimated > real ? estimated - real : 0;
}

u64 tc_split_samples(u64 pages, u32 adaptation)
{
	return pages / 4 > adaptation ? pages / 4 : adaptation;
}

/* Did the last round pay? */
static void judge(struct tc_split_pace *pace, const struct tc_window *w)
{
	if (tc_window_bp(w->fast, w->all) >= pace->before_bp + TC_SPLIT_GAIN_BP) {
		pace->backoff = 0;
		pace->paid++;
		return;
	}
	pace->backoff = pace->backoff ? tc_min_u64(2 * (u64)pace->backoff, TC_SPLIT_WAIT_MAX) :
					TC_SPLIT_WAIT_FIRST;
	pace->wait = pace->backoff;
	pace->unpaid++;
}

bool tc_split_due(struct tc_split_pace *pace, const struct tc_window *w, u32 gap_bp)
{
	if (pace->settle) {
		if (--pace->settle)
			return false;
		judge(pace, w);
	}
	if (pace->wait) {
		pace->wait--;
		return false;
	}
	return tc_window_gap_bp(w) >= gap_bp && tc_window_gap_bp(w);
}

void tc_split_began(struct tc_split_pace *pace, const struct tc_window *w)
{
	pace->settle = 2;
	pace->before_bp = tc_window_bp(w->fast, w->all);
}

u64 tc_split_count(const struct tc_window *w, u64 huge, u32 fast_ns, u32 slow_ns)
{
	u64 wanted = w->base * EHR_PERCENT / 100, gap, ratio_pm, count;

	if (!w->all || !huge || wanted <= w->fast || slow_ns <= fast_ns || !fast_ns)
		return 0;
	ratio_pm = tc_min_u64((u64)(slow_ns - fast_ns) * 1000 / fast_ns, RATIO_MAX);
	gap = tc_min_u64(wanted - w->fast, ~(u32)0);
	count = (gap * tc_min_u64(huge, HUGE_MAX) << 10) / w->all;
	count = (count * ratio_pm * SCALE_TENTHS / 10000) >> 10;
	return count ? count : 1;
}

unsigned int tc_split_order(enum tc_split_policy policy, const struct tc_profile *p)
{
	(void)p;
	switch (policy) {
	case TC_SPLIT_MEMTIS:
		return 0;
	default:
		return TC_BLOCK_ORDER;
	}
}
