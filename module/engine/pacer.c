// SPDX-License-Identifier: GPL-2.0
/*
 * The pacer of pacer.h.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/atomic.h>
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/string.h>

#include "../track/scan.h"
#include "pacer.h"

/* Time between two checks; the average over four is about MEMTIS's 15 s. */
#define TC_CHECK (4 * HZ)

/* After a flood the new period gets this long to show. */
#define TC_SETTLE (HZ / 4)

static atomic64_t tc_cpu[TC_NR_CPU_USERS];

/*
 * @lock serializes changes of the period: settings and ksampled. @start are the settings that the ladder
 * was made for. @checked_at, @sampling_before and @other_before are of the last check (ns); @lost_before
 * are the losses that were acted upon, @flooded_at when (jiffies).
 */
static struct {
	struct mutex lock;
	struct tc_pacer pacer;
	struct tc_pacer_figures figures;
	struct tc_periods start[TC_NR_SAMPLERS];
	unsigned int limit_bp;
	u64 checked_at;
	u64 sampling_before;
	u64 other_before;
	u64 lost_before;
	unsigned long flooded_at;
} tc_pace = { .lock = __MUTEX_INITIALIZER(tc_pace.lock) };

void tc_cpu_spent(enum tc_cpu_user user, s64 ns)
{
	atomic64_add(ns, &tc_cpu[user]);
}

void tc_cpu_account(enum tc_cpu_user user, u64 *before)
{
	u64 now = READ_ONCE(current->se.sum_exec_runtime);

	tc_cpu_spent(user, now - *before);
	*before = now;
}

u64 tc_cpu_ns(enum tc_cpu_user user)
{
	struct tc_sampler_totals totals;

	if (user == TC_CPU_SCAN)
		return tc_scan_busy_ns();
	if (user != TC_CPU_HANDLER)
		return max(atomic64_read(&tc_cpu[user]), 0LL);
	tc_sampler_totals(&totals);
	return totals.handler_ns;
}

static u64 tc_sampling_ns(void)
{
	return tc_cpu_ns(TC_CPU_HANDLER) + tc_cpu_ns(TC_CPU_SAMPLES);
}

static u64 tc_other_ns(void)
{
	return tc_cpu_ns(TC_CPU_UPKEEP) + tc_cpu_ns(TC_CPU_SCAN) + tc_cpu_ns(TC_CPU_MOVE);
}

void tc_pacer_periods(const struct tc_config *config, struct tc_periods *periods)
{
	periods[TC_SAMPLER_IBS].period[0] = config->ibs_period;
	periods[TC_SAMPLER_PEBS].period[0] = config->pebs_load_period;
	periods[TC_SAMPLER_PEBS].period[1] = config->pebs_store_period;
}

static int tc_set_step(u32 step)
{
	struct tc_periods periods[TC_NR_SAMPLERS];
	u32 *ibs = &periods[TC_SAMPLER_IBS].period[0], *pebs = periods[TC_SAMPLER_PEBS].period;

	memcpy(periods, tc_pace.start, sizeof(periods));
	*ibs = tc_ladder_period(TC_LADDER_IBS, *ibs, step);
	pebs[0] = tc_ladder_period(TC_LADDER_PRIME, pebs[0], step);
	pebs[1] = tc_ladder_period(TC_LADDER_PRIME, pebs[1], step);
	return tc_sampler_set_periods(periods);
}

/*
 * The ladder of the source that runs, which is at step 0; of two events, the one that goes on longer
 * counts. IBS may have a longer period than it was asked for.
 */
static u32 tc_top(void)
{
	const struct tc_periods *start = tc_pace.start;

	if (!strcmp(tc_sampler_name(), "ibs"))
		return tc_ladder_top(TC_LADDER_IBS, tc_sampler_period(0));
	return max(tc_ladder_top(TC_LADDER_PRIME, start[TC_SAMPLER_PEBS].period[0]),
		   tc_ladder_top(TC_LADDER_PRIME, start[TC_SAMPLER_PEBS].period[1]));
}

static void tc_count_from_here(void)
{
	struct tc_sampler_totals totals;

	tc_sampler_totals(&totals);
	tc_pace.checked_at = local_clock();
	tc_pace.sampling_before = tc_sampling_ns();
	tc_pace.other_before = tc_other_ns();
	tc_pace.lost_before = totals.lost + totals.throttled;
	tc_pace.flooded_at = jiffies;
}

int tc_pacer_begin(const struct tc_config *config)
{
	struct tc_periods start[TC_NR_SAMPLERS] = {};
	int err;

	tc_pacer_periods(config, start);
	mutex_lock(&tc_pace.lock);
	if (tc_pace.limit_bp != config->cpu_limit_bp ||
	    memcmp(start, tc_pace.start, sizeof(start))) {
		memcpy(tc_pace.start, start, sizeof(start));
		tc_pace.limit_bp = config->cpu_limit_bp;
		tc_pacer_init(&tc_pace.pacer);
		tc_count_from_here();
	}
	err = tc_set_step(tc_pace.pacer.step);
	if (!tc_pace.pacer.step)
		WRITE_ONCE(tc_pace.figures.top, tc_top());
	mutex_unlock(&tc_pace.lock);
	return err;
}

/* More than a core at most: no product below overflows. */
static u32 tc_ppm(u64 ns, u64 of_ns)
{
	return min(div64_u64(ns * 1000, max(div64_u64(of_ns, 1000), 1ULL)), 100000000ULL);
}

/* Lost samples, and those at which the kernel stopped the event until the next tick. */
static enum tc_pace tc_see_flood(void)
{
	struct tc_sampler_totals totals;
	u64 lost;

	if (time_before(jiffies, tc_pace.flooded_at + TC_SETTLE))
		return TC_PACE_KEEP;
	tc_sampler_totals(&totals);
	lost = totals.lost + totals.throttled;
	if (lost == tc_pace.lost_before)
		return TC_PACE_KEEP;
	tc_pace.lost_before = lost;
	tc_pace.flooded_at = jiffies;
	WRITE_ONCE(tc_pace.figures.floods, tc_pace.figures.floods + 1);
	return tc_pacer_flood(&tc_pace.pacer, tc_pace.figures.top);
}

static enum tc_pace tc_see_cost(void)
{
	u64 now = local_clock(), span = now - tc_pace.checked_at;
	struct tc_pacer_figures *figures = &tc_pace.figures;
	u64 sampling = tc_sampling_ns(), other = tc_other_ns();
	enum tc_pace pace;
	u32 other_ppm;

	if (span < jiffies_to_nsecs(TC_CHECK))
		return TC_PACE_KEEP;
	other_ppm = tc_ppm(other - min(other, tc_pace.other_before), span);
	WRITE_ONCE(figures->other_ppm, (3 * figures->other_ppm + other_ppm) / 4);
	pace = tc_pacer_check(&tc_pace.pacer,
			      tc_ppm(sampling - min(sampling, tc_pace.sampling_before), span),
			      tc_pacer_share(100 * tc_pace.limit_bp, figures->other_ppm),
			      figures->top);
	tc_pace.checked_at = now;
	tc_pace.sampling_before = sampling;
	tc_pace.other_before = other;
	if (pace == TC_PACE_LONGER)
		WRITE_ONCE(figures->longer, figures->longer + 1);
	else if (pace == TC_PACE_SHORTER)
		WRITE_ONCE(figures->shorter, figures->shorter + 1);
	return pace;
}

void tc_pacer_round(const struct tc_config *config)
{
	enum tc_pace pace;

	/* Sources without a period have limits of their own. */
	if (config->mode == TC_MODE_OFF || !tc_sampler_active() || !tc_sampler_period(0))
		return;
	mutex_lock(&tc_pace.lock);
	if (tc_pace.limit_bp) {
		pace = tc_see_flood();
		if (pace == TC_PACE_KEEP)
			pace = tc_see_cost();
		if (pace != TC_PACE_KEEP && tc_set_step(tc_pace.pacer.step))
			WRITE_ONCE(tc_pace.figures.refused, tc_pace.figures.refused + 1);
	}
	mutex_unlock(&tc_pace.lock);
}

void tc_pacer_read(struct tc_pacer_figures *figures)
{
	/* Each member for itself: whoever tells of them does not need one moment. */
	*figures = data_race(tc_pace.figures);
	figures->step = READ_ONCE(tc_pace.pacer.step);
	figures->sampling_ppm = READ_ONCE(tc_pace.pacer.use_ppm);
}
