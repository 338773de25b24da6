/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sampling of memory accesses: one ring per CPU, whatever the source, and for hardware its perf
 * events. Knows perf and CPU hotplug. Does not know what a page is or what samples are used for.
 */
#ifndef TC_TRACK_SAMPLER_H
#define TC_TRACK_SAMPLER_H

#include <linux/cpumask.h>
#include <linux/perf_event.h>
#include <linux/sched/clock.h>
#include <linux/types.h>
#include <thermocline/modes.h>

#include "ring.h"

/* Events that a source needs on each CPU, at most: loads and stores. */
#define TC_SAMPLER_EVENTS 2

/**
 * struct tc_sampler_cpu - sampling on one CPU
 * @ring: samples on their way to ksampled
 * @event: the CPU's events; NULL: none. Written under the hotplug lock
 * @error: why an event is not there, a negative errno; 0: all are, or none is wanted
 * @received: times the overflow handler ran; written on the CPU itself
 * @no_address: of these, without a physical address (an operation that touched no memory)
 * @cache_hit: of these, served by a cache
 * @throttled: of these, at which perf stopped the event until the next tick, as too many came
 * @handler_ns: time in the handler, estimated from every 16th run
 */
struct tc_sampler_cpu {
	struct tc_ring ring;
	struct perf_event *event[TC_SAMPLER_EVENTS];
	int error;
	local_t received;
	local_t no_address;
	local_t cache_hit;
	local_t throttled;
	local_t handler_ns;
};

/* What perf writes into hw.interrupts of an event that it throttles (kernel/events/core.c). */
#define TC_MAX_INTERRUPTS (~0ULL)

/* Runs of the handler of which one is timed. */
#define TC_HANDLER_TIMED 16

/**
 * tc_handler_begin() - an overflow handler begins
 * @sc: the CPU
 * @event: the event; perf counted this interrupt before it called the handler
 *
 * Context: NMI, on the CPU.
 *
 * Return: for tc_handler_end().
 */
static __always_inline u64 tc_handler_begin(struct tc_sampler_cpu *sc,
					    const struct perf_event *event)
{
	local_inc(&sc->received);
	if (unlikely(READ_ONCE(event->hw.interrupts) == TC_MAX_INTERRUPTS))
		local_inc(&sc->throttled);
	return local_read(&sc->received) % TC_HANDLER_TIMED ? 0 : local_clock();
}

/* ... and ends. local_clock() is safe in an NMI. */
static __always_inline void tc_handler_end(struct tc_sampler_cpu *sc, u64 begin)
{
	if (unlikely(begin))
		local_add((local_clock() - begin) * TC_HANDLER_TIMED, &sc->handler_ns);
}

/* Accesses between two samples, by event of the source. */
struct tc_periods {
	unsigned int period[TC_SAMPLER_EVENTS];
};

/**
 * struct tc_sampler_ops - one source of samples
 * @name: as in sampler= and in the statistics
 * @events: events per CPU
 * @probe: is the source on this machine? 0, or a negative errno with *@why set to a sentence
 * @create: make event number @which of @cpu, paused, its samples go to @sc; an event or ERR_PTR
 * @period: the period that event number @which really gets when @wanted is asked for
 * @does: a source without events: what it does instead, as the rest of a sentence; NULL: it has events
 * @tells_tlb: its samples tell TLB misses (of Intel's, those of MEM_LOAD_RETIRED do not)
 * @tells_stores: its samples of loads and of stores stand for equally many accesses to memory (Intel's are of loads that missed the
 *	cache, and of all stores)
 * @asked_only: sampler=auto does not take it
 * @start: make it, paused; 0 or a negative errno. @stop: take it away, while it is paused
 * @enable: pause or resume it; when it returns from pausing, nothing is being looked at any more
 *
 * A source has either @create and @period, or @start, @stop and @enable, which may push samples into
 * the ring of whatever CPU they are on.
 *
 * Context of all: process context; @create runs in the CPU hotplug callback.
 */
struct tc_sampler_ops {
	const char *name;
	unsigned int events;
	int (*probe)(const char **why);
	struct perf_event *(*create)(int cpu, unsigned int which, unsigned int period,
				     struct tc_sampler_cpu *sc);
	unsigned int (*period)(unsigned int which, unsigned int wanted);
	const char *does;
	bool tells_tlb;
	bool tells_stores;
	bool asked_only;
	int (*start)(void);
	void (*stop)(void);
	void (*enable)(bool on);
};

extern const struct tc_sampler_ops tc_ibs_ops;
extern const struct tc_sampler_ops tc_pebs_ops;
extern const struct tc_sampler_ops tc_scan_ops;
extern const struct tc_sampler_ops tc_hint_ops;

/**
 * struct tc_sampler_totals - what the handlers of all CPUs counted
 * @received: samples that came from the hardware
 * @no_address: of these, without a physical address
 * @cache_hit: of these, served by a cache
 * @lost: of these, dropped as the CPU's ring was full
 * @throttled: of these, at which perf stopped the event for a while
 * @handler_ns: time that the handlers took
 * @cpus: CPUs with all their events
 * @errors: CPUs that should have one and have none
 */
struct tc_sampler_totals {
	u64 received;
	u64 no_address;
	u64 cache_hit;
	u64 lost;
	u64 throttled;
	u64 handler_ns;
	unsigned int cpus;
	unsigned int errors;
};

/**
 * tc_sampler_start() - choose a source and begin to sample
 * @kind: which source; TC_SAMPLER_AUTO takes the first that this machine has
 * @cpus: CPUs for hardware to sample on, those that come online later included
 * @periods: of each source's events, by enum tc_sampler_kind
 * @ring_slots: capacity of each CPU's ring, a power of two
 *
 * No source at all is no error: tc_sampler_name() is then "none" and tc_sampler_why() says
 * why.
 *
 * Context: process context, sleeps.
 *
 * Return: 0; -ENODEV when a source was named that this machine does not have; another
 * negative errno when memory or hotplug registration fails.
 */
int tc_sampler_start(enum tc_sampler_kind kind, const struct cpumask *cpus,
		     const struct tc_periods *periods, unsigned int ring_slots);

/* Release every event and every ring. No consumer may run any more. */
void tc_sampler_stop(void);

/**
 * tc_sampler_enable() - pause or resume all events
 * @on: resume
 *
 * Context: process context, sleeps.
 */
void tc_sampler_enable(bool on);

/* Are they running, or paused? Context: any. */
bool tc_sampler_enabled(void);

/**
 * tc_sampler_set_periods() - change the periods of all events while they run
 * @periods: as for tc_sampler_start(), legal for each source
 *
 * Context: process context, sleeps.
 *
 * Return: 0, or the first error; events that refused keep their period.
 */
int tc_sampler_set_periods(const struct tc_periods *periods);

/* State of one possible CPU; its ring may be popped by the one consumer. */
struct tc_sampler_cpu *tc_sampler_cpu(int cpu);

void tc_sampler_totals(struct tc_sampler_totals *totals);

/* Is there a source, and if it is hardware an event of it on some CPU? Context: any. */
bool tc_sampler_active(void);

/* What a source does that has no events, as the rest of a sentence; NULL: it has. Context: any. */
const char *tc_sampler_does(void);

/*
 * Do its samples tell the parts of a huge page apart? Without that, skew in one says nothing.
 * Context: any.
 */
bool tc_sampler_sees_parts(void);

/* Do its samples tell TLB misses? Context: any. */
bool tc_sampler_tells_tlb(void);

/* Do they tell how much of the traffic of memory is stores? Context: any. */
bool tc_sampler_tells_stores(void);

/**
 * tc_sampler_stands_for() - accesses that one sample stands for
 * @store: of a sample of a store
 *
 * Context: any.
 *
 * Return: the period of its event; 0 without events, as then nothing was counted.
 */
unsigned int tc_sampler_stands_for(bool store);

/* The period that event number @which of the source has now; 0 without a source. */
unsigned int tc_sampler_period(unsigned int which);

/* Name of the running source, "none" without one. */
const char *tc_sampler_name(void);

/* A sentence that says why there is no source, or not the best; empty when there is. */
const char *tc_sampler_why(void);

#endif /* TC_TRACK_SAMPLER_H */
