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
#include <linux/topology.h>

#include "sampler.h"

static const struct tc_sampler_ops *const tc_sources[] = { &tc_ibs_ops };

static DEFINE_PER_CPU(struct tc_sampler_cpu, tc_sampler_cpus);

/* @ops, @why, @cpus and @ring_slots are set before the hotplug state and constant with it. */
static struct {
	const struct tc_sampler_ops *ops;
	const char *why;
	struct cpumask cpus;
	unsigned int ring_slots;
	unsigned int period;
	bool enabled;
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

/* A CPU without an event is counted and shown; it must not keep the CPU from coming up. */
static int tc_sampler_online(unsigned int cpu)
{
	struct tc_sampler_cpu *sc = tc_sampler_cpu(cpu);
	struct perf_event *event;

	if (!cpumask_test_cpu(cpu, &tc_sampler.cpus))
		return 0;
	sc->error = tc_ring_alloc(&sc->ring, tc_sampler.ring_slots, cpu_to_node(cpu));
	if (sc->error)
		return 0;
	event = tc_sampler.ops->create(cpu, READ_ONCE(tc_sampler.period), sc);
	if (IS_ERR(event)) {
		sc->error = PTR_ERR(event);
		pr_warn("sampler %s: no event on CPU %u (%d)\n", tc_sampler.ops->name, cpu,
			sc->error);
		return 0;
	}
	if (!READ_ONCE(tc_sampler.enabled))
		perf_event_disable(event);
	WRITE_ONCE(sc->event, event);
	return 0;
}

static int tc_sampler_offline(unsigned int cpu)
{
	struct tc_sampler_cpu *sc = tc_sampler_cpu(cpu);
	struct perf_event *event = sc->event;

	if (!event)
		return 0;
	WRITE_ONCE(sc->event, NULL);
	perf_event_release_kernel(event);
	return 0;
}

/* Also turns 'auto' into what is there; leaves ops NULL and says why when nothing is. */
static int tc_sampler_choose(enum tc_sampler_kind kind)
{
	static const char *const names[] = TC_SAMPLER_NAMES;
	int i, err;

	tc_sampler.ops = NULL;
	if (kind == TC_SAMPLER_NONE) {
		tc_sampler.why = "sampler=none was asked for";
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(tc_sources); i++) {
		if (kind != TC_SAMPLER_AUTO && strcmp(tc_sources[i]->name, names[kind]))
			continue;
		err = tc_sources[i]->probe(&tc_sampler.why);
		if (!err) {
			tc_sampler.ops = tc_sources[i];
			tc_sampler.why = "";
			return 0;
		}
		if (kind != TC_SAMPLER_AUTO) {
			pr_err("sampler=%s: %s\n", names[kind], tc_sampler.why);
			return err;
		}
	}
	return 0;
}

int tc_sampler_start(enum tc_sampler_kind kind, const struct cpumask *cpus, unsigned int period,
		     unsigned int ring_slots)
{
	int err;

	err = tc_sampler_choose(kind);
	if (err || !tc_sampler.ops)
		return err;

	cpumask_copy(&tc_sampler.cpus, cpus);
	tc_sampler.period = period;
	tc_sampler.ring_slots = ring_slots;
	tc_sampler.enabled = false;
	err = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "thermocline:sampler", tc_sampler_online,
				tc_sampler_offline);
	if (err < 0)
		return err;
	tc_sampler.hp_state = err;
	return 0;
}

void tc_sampler_stop(void)
{
	int cpu;

	if (tc_sampler.hp_state != CPUHP_INVALID)
		cpuhp_remove_state(tc_sampler.hp_state);
	tc_sampler.hp_state = CPUHP_INVALID;
	for_each_possible_cpu(cpu)
		tc_ring_free(&tc_sampler_cpu(cpu)->ring);
}

void tc_sampler_enable(bool on)
{
	struct perf_event *event;
	int cpu;

	cpus_read_lock();
	WRITE_ONCE(tc_sampler.enabled, on);
	for_each_online_cpu(cpu) {
		event = tc_sampler_cpu(cpu)->event;
		if (event && on)
			perf_event_enable(event);
		else if (event)
			perf_event_disable(event);
	}
	cpus_read_unlock();
}

int tc_sampler_set_period(unsigned int period)
{
	struct perf_event *event;
	int cpu, err, first = 0;

	cpus_read_lock();
	WRITE_ONCE(tc_sampler.period, period);
	for_each_online_cpu(cpu) {
		event = tc_sampler_cpu(cpu)->event;
		err = event ? perf_event_period(event, period) : 0;
		if (err && !first)
			first = err;
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
		totals->cpus += !!READ_ONCE(sc->event);
		totals->errors += !!READ_ONCE(sc->error);
	}
}
