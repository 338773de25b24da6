// SPDX-License-Identifier: GPL-2.0
/*
 * Life of the per-CPU events: made and released by CPU hotplug callbacks, paused, changed.
 * Knows nothing of any one source; those are behind struct tc_sampler_ops.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "sampler.h"

/* The best first. */
static const struct tc_sampler_ops *const tc_sources[] = { &tc_ibs_ops, &tc_pebs_ops, &tc_scan_ops,
							   &tc_hint_ops };

static DEFINE_PER_CPU(struct tc_sampler_cpu, tc_sampler_cpus);

/* What is said when hardware cannot sample. */
static char tc_sampler_instead[160];

/*
 * @ops, @kind, @why, @cpus and @ring_slots are set before the hotplug state and constant with it.
 * @periods are those that were asked for; @events are the events that exist.
 */
static struct {
	const struct tc_sampler_ops *ops;
	const char *why;
	struct cpumask cpus;
	unsigned int ring_slots;
	struct tc_periods periods[TC_NR_SAMPLERS];
	enum tc_sampler_kind kind;
	bool enabled;
	atomic_t events;
	enum cpuhp_state hp_state;
} tc_sampler = { .why = "not started", .hp_state = CPUHP_INVALID };

struct tc_sampler_cpu *tc_sampler_cpu(int cpu)
{
	return per_cpu_ptr(&tc_sampler_cpus, cpu);
}

const char *tc_sampler_name(void)
{
	return tc_sampler.ops ? tc_sampler.ops->name : "none";
}

const char *tc_sampler_why(void)
{
	return tc_sampler.why;
}

static bool tc_sampler_has_events(void)
{
	return tc_sampler.ops && tc_sampler.ops->create;
}

const char *tc_sampler_does(void)
{
	return tc_sampler.ops ? tc_sampler.ops->does : NULL;
}

bool tc_sampler_tells_tlb(void)
{
	return tc_sampler.ops && tc_sampler.ops->tells_tlb;
}

bool tc_sampler_tells_stores(void)
{
	return tc_sampler.ops && tc_sampler.ops->tells_stores;
}

unsigned int tc_sampler_stands_for(bool store)
{
	unsigned int events = tc_sampler.ops ? tc_sampler.ops->events : 0;

	/* A source with one event has both kinds in it. */
	return events ? tc_sampler_period(store && events > 1) : 0;
}

bool tc_sampler_sees_parts(void)
{
	return tc_sampler.ops != &tc_scan_ops;
}

unsigned int tc_sampler_period(unsigned int which)
{
	if (!tc_sampler_has_events())
		return 0;
	return tc_sampler.ops->period(which,
				      READ_ONCE(tc_sampler.periods[tc_sampler.kind].period[which]));
}

bool tc_sampler_active(void)
{
	return tc_sampler_does() || atomic_read(&tc_sampler.events) > 0;
}

static int tc_sampler_create(unsigned int cpu, struct tc_sampler_cpu *sc, unsigned int which)
{
	const struct tc_periods *wanted = &tc_sampler.periods[tc_sampler.kind];
	struct perf_event *event;

	event = tc_sampler.ops->create(cpu, which, READ_ONCE(wanted->period[which]), sc);
	if (IS_ERR(event)) {
		pr_warn_once("sampler %s: no event %u on CPU %u (%ld)\n", tc_sampler.ops->name,
			     which, cpu, PTR_ERR(event));
		return PTR_ERR(event);
	}
	if (READ_ONCE(tc_sampler.enabled))
		perf_event_enable(event);
	WRITE_ONCE(sc->event[which], event);
	atomic_inc(&tc_sampler.events);
	return 0;
}

/* A CPU without its events is counted and shown; it must not keep the CPU from coming up. */
static int tc_sampler_online(unsigned int cpu)
{
	struct tc_sampler_cpu *sc = tc_sampler_cpu(cpu);
	unsigned int i;

	/* What has no events may push samples anywhere. */
	if (tc_sampler_has_events() && !cpumask_test_cpu(cpu, &tc_sampler.cpus))
		return 0;
	sc->error = tc_ring_alloc(&sc->ring, tc_sampler.ring_slots, cpu_to_node(cpu));
	for (i = 0; i < tc_sampler.ops->events && !sc->error; i++)
		sc->error = tc_sampler_create(cpu, sc, i);
	return 0;
}

static int tc_sampler_offline(unsigned int cpu)
{
	struct tc_sampler_cpu *sc = tc_sampler_cpu(cpu);
	struct perf_event *event;
	unsigned int i;

	for (i = 0; i < TC_SAMPLER_EVENTS; i++) {
		event = sc->event[i];
		WRITE_ONCE(sc->event[i], NULL);
		if (!event)
			continue;
		perf_event_release_kernel(event);
		atomic_dec(&tc_sampler.events);
	}
	sc->error = 0;
	return 0;
}

/* The kind of a source, by its name. */
static enum tc_sampler_kind tc_sampler_kind(const struct tc_sampler_ops *ops)
{
	static const char *const names[] = TC_SAMPLER_NAMES;

	return match_string(names, ARRAY_SIZE(names), ops->name);
}

/* Takes a source that is there; one that 'auto' takes for want of hardware says so. */
static void tc_sampler_take(const struct tc_sampler_ops *ops, enum tc_sampler_kind wanted)
{
	tc_sampler.ops = ops;
	if (wanted == TC_SAMPLER_AUTO && ops->does) {
		snprintf(tc_sampler_instead, sizeof(tc_sampler_instead), "%s; %s instead",
			 tc_sampler.why, ops->does);
		tc_sampler.why = tc_sampler_instead;
	} else {
		tc_sampler.why = "";
	}
}

/* Turns 'auto' into what is there; leaves ops NULL and says why when nothing is. */
static int tc_sampler_choose(enum tc_sampler_kind wanted)
{
	static const char *const names[] = TC_SAMPLER_NAMES;
	int i, err = 0;

	tc_sampler.ops = NULL;
	tc_sampler.why = "sampler=none was asked for";
	for (i = 0; i < ARRAY_SIZE(tc_sources) && wanted != TC_SAMPLER_NONE; i++) {
		tc_sampler.kind = tc_sampler_kind(tc_sources[i]);
		if (wanted == TC_SAMPLER_AUTO ? tc_sources[i]->asked_only :
						wanted != tc_sampler.kind)
			continue;
		err = tc_sources[i]->probe(&tc_sampler.why);
		if (!err) {
			tc_sampler_take(tc_sources[i], wanted);
			return 0;
		}
	}
	if (wanted == TC_SAMPLER_AUTO || !err)
		return 0;
	pr_err("sampler=%s: %s\n", names[wanted], tc_sampler.why);
	return err;
}

static void tc_sampler_free(void)
{
	int cpu;

	if (tc_sampler.hp_state != CPUHP_INVALID)
		cpuhp_remove_state(tc_sampler.hp_state);
	tc_sampler.hp_state = CPUHP_INVALID;
	for_each_possible_cpu(cpu)
		tc_ring_free(&tc_sampler_cpu(cpu)->ring);
}

int tc_sampler_start(enum tc_sampler_kind kind, const struct cpumask *cpus,
		     const struct tc_periods *periods, unsigned int ring_slots)
{
	int err;

	err = tc_sampler_choose(kind);
	if (err || !tc_sampler.ops)
		return err;

	cpumask_copy(&tc_sampler.cpus, cpus);
	memcpy(tc_sampler.periods, periods, sizeof(tc_sampler.periods));
	tc_sampler.ring_slots = ring_slots;
	tc_sampler.enabled = false;
	err = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "thermocline:sampler", tc_sampler_online,
				tc_sampler_offline);
	if (err < 0)
		return err;
	tc_sampler.hp_state = err;
	err = tc_sampler_has_events() ? 0 : tc_sampler.ops->start();
	if (err)
		tc_sampler_free();
	return err;
}

void tc_sampler_stop(void)
{
	if (tc_sampler_does())
		tc_sampler.ops->stop();
	tc_sampler_free();
}

void tc_sampler_enable(bool on)
{
	struct perf_event *event;
	unsigned int i;
	int cpu;

	/* Not under the hotplug lock: setting a kprobe takes that itself. */
	if (tc_sampler_does())
		tc_sampler.ops->enable(on);
	cpus_read_lock();
	WRITE_ONCE(tc_sampler.enabled, on);
	for_each_online_cpu(cpu)
		for (i = 0; i < TC_SAMPLER_EVENTS; i++) {
			event = tc_sampler_cpu(cpu)->event[i];
			if (event && on)
				perf_event_enable(event);
			else if (event)
				perf_event_disable(event);
		}
	cpus_read_unlock();
}

bool tc_sampler_enabled(void)
{
	return READ_ONCE(tc_sampler.enabled);
}

int tc_sampler_set_periods(const struct tc_periods *periods)
{
	struct perf_event *event;
	int cpu, err, first = 0;
	unsigned int i;

	cpus_read_lock();
	memcpy(tc_sampler.periods, periods, sizeof(tc_sampler.periods));
	for_each_online_cpu(cpu)
		for (i = 0; i < TC_SAMPLER_EVENTS; i++) {
			event = tc_sampler_cpu(cpu)->event[i];
			err = event ? perf_event_period(event, tc_sampler_period(i)) : 0;
			first = first ?: err;
		}
	cpus_read_unlock();
	return first;
}

void tc_sampler_totals(struct tc_sampler_totals *totals)
{
	struct tc_sampler_cpu *sc;
	int cpu;

	memset(totals, 0, sizeof(*totals));
	for_each_possible_cpu(cpu) {
		sc = tc_sampler_cpu(cpu);
		totals->received += local_read(&sc->received);
		totals->no_address += local_read(&sc->no_address);
		totals->cache_hit += local_read(&sc->cache_hit);
		totals->lost += tc_ring_lost(&sc->ring);
		totals->throttled += local_read(&sc->throttled);
		totals->handler_ns += local_read(&sc->handler_ns);
		totals->cpus += READ_ONCE(sc->event[0]) && !READ_ONCE(sc->error);
		totals->errors += !!READ_ONCE(sc->error);
	}
}
