// SPDX-License-Identifier: GPL-2.0
/*
 * The life of an event on its CPU: add, start, stop, del, and the period.
 *
 * Knows perf's contract with a PMU driver and follows AMD's driver in it (one
 * event per CPU, a full update at each stop). Does not know the sources of
 * samples nor their contents.
 *
 * One thing is simpler than on the hardware: what was counted when an event
 * stops is forgotten, and the period starts over.
 */
#include <linux/hrtimer.h>

#include "simpmu.h"

DEFINE_PER_CPU(struct simpmu_cpu, simpmu_cpus);

/* The sampler reloads when generation changes, and must then find the rest in place. */
void simpmu_arm(struct simpmu_cpu *cpu, u64 period, u64 flags)
{
	struct tcm_pmu *control = cpu->control;

	if (period && period != cpu->armed_period)
		atomic64_inc(&simpmu_stats.period_changes);
	if (period)
		cpu->armed_period = period;
	WRITE_ONCE(control->period, period);
	WRITE_ONCE(control->flags, flags);
	/* pairs with the sampler's acquire of generation */
	smp_store_release(&control->generation, control->generation + 1);
}

/*
 * Decides what the sampler counts to next; true if perf's period is through,
 * so that a sample is due. A period beyond the counter's reach takes several
 * rounds, none of them shorter than the driver's minimum.
 */
bool simpmu_set_period(struct hw_perf_event *hwc, u64 *period)
{
	s64 left = local64_read(&hwc->period_left);
	s64 whole = hwc->sample_period;
	s64 min = simpmu_min_period();
	bool due = false;

	if (left <= -whole) {
		left = whole;
		due = true;
	} else if (left < min) {
		left += whole;
		due = true;
	}
	if (due) {
		local64_set(&hwc->period_left, left);
		hwc->last_period = whole;
	}
	if (left > (s64)SIMPMU_MAX_PERIOD)
		left = clamp_t(s64, left - SIMPMU_MAX_PERIOD, min, SIMPMU_MAX_PERIOD);
	*period = left;
	return due;
}

static u64 sampler_flags(const struct hw_perf_event *hwc)
{
	return hwc->config & SIMPMU_L3MISSONLY ? TCM_PMU_L3MISSONLY : 0;
}

void simpmu_start(struct perf_event *event, int flags)
{
	struct simpmu_cpu *cpu = this_cpu_ptr(&simpmu_cpus);
	struct hw_perf_event *hwc = &event->hw;
	u64 period;

	if (WARN_ON_ONCE(!(hwc->state & PERF_HES_STOPPED)))
		return;
	hwc->state = 0;
	if (event->attr.freq && hwc->sample_period < simpmu_min_period())
		hwc->sample_period = simpmu_min_period();
	simpmu_set_period(hwc, &period);
	cpu->running = true;
	simpmu_arm(cpu, period, sampler_flags(hwc));
	hrtimer_start(&cpu->timer, simpmu_poll_interval(), HRTIMER_MODE_REL_PINNED_HARD);
	perf_event_update_userpage(event);
}

/* Also called from within the timer's own function, when perf throttles. */
void simpmu_stop(struct perf_event *event, int flags)
{
	struct simpmu_cpu *cpu = this_cpu_ptr(&simpmu_cpus);
	struct hw_perf_event *hwc = &event->hw;

	if (hwc->state & PERF_HES_STOPPED)
		return;
	hwc->state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
	cpu->running = false;
	simpmu_arm(cpu, 0, 0);
	hrtimer_try_to_cancel(&cpu->timer);
}

/* Samples of an earlier event are not this one's. */
static void discard_samples(struct simpmu_cpu *cpu)
{
	u64 waiting = simpmu_ring_waiting(cpu->ring);

	atomic64_add(waiting, &simpmu_stats.no_event);
	simpmu_ring_release(cpu->ring, waiting);
}

int simpmu_add(struct perf_event *event, int flags)
{
	struct simpmu_cpu *cpu = this_cpu_ptr(&simpmu_cpus);

	if (!cpu->control)
		return -ENODEV;
	if (cpu->event) {
		atomic64_inc(&simpmu_stats.refused);
		return -ENOSPC;
	}
	discard_samples(cpu);
	event->hw.state = PERF_HES_UPTODATE | PERF_HES_STOPPED;
	cpu->event = event;
	if (flags & PERF_EF_START)
		simpmu_start(event, PERF_EF_RELOAD);
	return 0;
}

void simpmu_del(struct perf_event *event, int flags)
{
	struct simpmu_cpu *cpu = this_cpu_ptr(&simpmu_cpus);

	if (cpu->event != event)
		return;
	simpmu_stop(event, PERF_EF_UPDATE);
	cpu->event = NULL;
	discard_samples(cpu);
	perf_event_update_userpage(event);
}

/* As in AMD's driver: the count moves at each sample, and there is nothing to read. */
void simpmu_read(struct perf_event *event)
{
}
