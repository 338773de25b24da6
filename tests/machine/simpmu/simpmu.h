/* SPDX-License-Identifier: GPL-2.0 */
/*
 * simpmu: an emulated AMD IBS op PMU or, with pebs=1, one of Intel with PEBS,
 * for tests only.
 *
 * Knows what its files share. Does not know where samples come from: the
 * shared window (tcmachine.h) is the simulated machine's memory or, without
 * that machine, ordinary memory that debugfs simpmu/feed fills.
 */
#ifndef SIMPMU_H
#define SIMPMU_H

#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/static_call.h>

#include "../include/tcmachine.h"

/* Bits of perf_event_attr.config, from asm/perf_event.h of both kernels (IBS_OP_*). */
#define SIMPMU_CNT_CTL (1ULL << 19)
#define SIMPMU_L3MISSONLY (1ULL << 16)
#define SIMPMU_MAX_CNT 0xffffULL
#define SIMPMU_MAX_CNT_EXT (0x7fULL << 20)
#define SIMPMU_CUR_CNT (0xfffffULL << 32 | 0x7fULL << 52)
#define SIMPMU_COUNT_BITS (SIMPMU_MAX_CNT | SIMPMU_MAX_CNT_EXT | SIMPMU_CUR_CNT)
#define SIMPMU_MAX_PERIOD (SIMPMU_MAX_CNT << 4 | SIMPMU_MAX_CNT_EXT)
/* attr.config2: the kernel filters by privilege (newer drivers) */
#define SIMPMU_SWFILT 1ULL

struct simpmu_cpu {
	struct perf_event *event; /* the one event that is scheduled in, or NULL */
	struct tcm_pmu *control;
	struct tcm_ring *ring;
	struct hrtimer timer;
	u64 armed_period; /* what the sampler counts to now */
	bool running;
};

/* Each counts samples, except the last three, which count events. */
struct simpmu_stats {
	atomic64_t fed; /* accepted by simpmu/feed */
	atomic64_t delivered; /* given to the event's overflow handler */
	atomic64_t filtered; /* discarded by swfilt */
	atomic64_t no_event; /* fed to, or left on, a CPU without an event */
	atomic64_t large_pebs; /* left in the PEBS buffer, where no handler sees them */
	atomic64_t period_changes; /* (re)starts with another period */
	atomic64_t throttled;
	atomic64_t refused; /* a second event on a CPU */
};

extern struct simpmu_stats simpmu_stats;
extern struct pmu simpmu_pmu;
extern struct pmu simpmu_pebs;
extern struct tcm_shared *simpmu_shared;
extern bool simpmu_l3missonly;
DECLARE_PER_CPU(struct simpmu_cpu, simpmu_cpus);

/* Samples that wait in a ring; for its consumer. */
static inline u64 simpmu_ring_waiting(struct tcm_ring *ring)
{
	/* pairs with the producer's release of head: what is counted has its contents */
	return smp_load_acquire(&ring->head) - ring->tail;
}

/* Gives slots back that were read or are not wanted. */
static inline void simpmu_ring_release(struct tcm_ring *ring, u64 slots)
{
	/* pairs with the producer's acquire of tail: a slot is read before it is used again */
	smp_store_release(&ring->tail, ring->tail + slots);
}

/* rules.c: what AMD's driver of the running kernel accepts */
extern const struct attribute_group *simpmu_attr_groups[];
void simpmu_rules_init(struct pmu *pmu);
u64 simpmu_min_period(void);
int simpmu_event_init(struct perf_event *event);

/* pmu.c: the life of an event; all called by perf on the event's CPU, interrupts off */
int simpmu_add(struct perf_event *event, int flags);
void simpmu_del(struct perf_event *event, int flags);
void simpmu_start(struct perf_event *event, int flags);
void simpmu_stop(struct perf_event *event, int flags);
void simpmu_read(struct perf_event *event);
bool simpmu_set_period(struct hw_perf_event *hwc, u64 *period);
void simpmu_arm(struct simpmu_cpu *cpu, u64 period, u64 flags);

/* deliver.c */
DECLARE_STATIC_CALL(simpmu_overflow, perf_event_overflow);
int simpmu_deliver_init(void);
void simpmu_timer_setup(struct hrtimer *timer);
ktime_t simpmu_poll_interval(void);

/* pebs.c: the accesses of one record, by the task that wrote it */
int simpmu_pebs_feed(const struct tcm_feed *feed);

/* feed.c */
int simpmu_debugfs_init(bool feed, bool pebs);
void simpmu_debugfs_exit(void);

#endif
