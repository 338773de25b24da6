// SPDX-License-Identifier: GPL-2.0
/*
 * How hard the slow tier is pressed. Knows figures of latency and traffic.
 * Does not know where they come from, nor what is done about it.
 */
#include "contention.h"

#define BP 10000U

void tc_latency_window(struct tc_latency *l, const struct tc_window_counts *w, bool quiet,
		       u64 now_ms)
{
	u64 mean;

	if (w->latencies < TC_LATENCY_SAMPLES_MIN)
		return;
	mean = tc_min_u64(w->latency_ns / w->latencies, ~0U);
	tc_write_once(l->loaded_ns, l->loaded_ns ? (3 * (u64)l->loaded_ns + mean) / 4 : mean);
	if (!l->idle_ns || mean < l->idle_ns) {
		tc_write_once(l->idle_ns, mean);
		l->crept_at = now_ms;
	} else if (quiet && now_ms - l->crept_at >= TC_IDLE_CREEP_MS) {
		/* By time, not by window: what presses the tier for a while must not be taken for idle. */
		tc_write_once(l->idle_ns,
			      tc_min_u64(mean, (u64)l->idle_ns +
						       (l->idle_ns >> TC_IDLE_CREEP_SHIFT) + 1));
		l->crept_at = now_ms;
	}
}

u32 tc_latency_over(u32 loaded_ns, u32 idle_ns)
{
	if (!loaded_ns || !idle_ns)
		return ~0U;
	if (loaded_ns <= idle_ns)
		return 0;
	/* ~0 means something else. */
	return tc_min_u64((u64)(loaded_ns - idle_ns) * BP / idle_ns, ~0U - 1);
}

enum tc_contention_level tc_contention_next(enum tc_contention_level level, u32 over_bp,
					    u32 moderate_bp, u32 high_bp)
{
	bool was_high = level == TC_CONTENTION_HIGH;
	bool was_open = was_high || level == TC_CONTENTION_MODERATE;

	if (over_bp == ~0U)
		return TC_CONTENTION_UNKNOWN;
	if (over_bp >= high_bp || (was_high && over_bp >= (u64)high_bp * 3 / 4))
		return TC_CONTENTION_HIGH;
	if (over_bp >= moderate_bp || (was_open && over_bp >= moderate_bp / 2))
		return TC_CONTENTION_MODERATE;
	return TC_CONTENTION_NONE;
}

enum tc_traffic_kind tc_traffic_next(enum tc_traffic_kind kind, u64 reads, u64 writes)
{
	u64 share;

	if (!reads && !writes)
		return kind;
	share = writes * BP / (reads + writes);
	if (share <= TC_TRAFFIC_READ_BP + (kind == TC_TRAFFIC_READ ? TC_TRAFFIC_SLACK_BP : 0))
		return TC_TRAFFIC_READ;
	if (share >= TC_TRAFFIC_WRITE_BP - (kind == TC_TRAFFIC_WRITE ? TC_TRAFFIC_SLACK_BP : 0))
		return TC_TRAFFIC_WRITE;
	return TC_TRAFFIC_BALANCED;
}
