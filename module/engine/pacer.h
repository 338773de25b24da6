/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pacer at work: adds up what the module costs and sets the sampling period. Knows threads, the
 * samplers' counts and time; the rule is in policy/pacer.h.
 */
#ifndef TC_ENGINE_PACER_H
#define TC_ENGINE_PACER_H

#include <linux/types.h>

#include "../policy/pacer.h"
#include "../track/sampler.h"
#include "config.h"

/**
 * enum tc_cpu_user - what processor time is spent on
 * @TC_CPU_HANDLER: the overflow handlers, estimated from every 16th run
 * @TC_CPU_SAMPLES: taking in samples
 * @TC_CPU_UPKEEP: ksampled without that: its rounds, sweeps, the search for what to demote or split
 * @TC_CPU_SCAN: scanners of page tables
 * @TC_CPU_MOVE: the migration workers
 *
 * The first two depend on the sampling period.
 */
enum tc_cpu_user {
	TC_CPU_HANDLER,
	TC_CPU_SAMPLES,
	TC_CPU_UPKEEP,
	TC_CPU_SCAN,
	TC_CPU_MOVE,
	TC_NR_CPU_USERS,
};

#define TC_CPU_USER_NAMES { "handler", "samples", "upkeep", "scan", "move" }

/* Time spent by a user that is no thread of its own. Context: any but NMI. */
void tc_cpu_spent(enum tc_cpu_user user, s64 ns);

/**
 * tc_cpu_account() - what the running thread spent since it called this last
 * @user: what for
 * @before: the thread's own memory, 0 at first
 *
 * The scheduler's count, which is as of its last tick: nothing is lost, it comes with the next call.
 *
 * Context: a kernel thread of the module.
 */
void tc_cpu_account(enum tc_cpu_user user, u64 *before);

/* Time spent so far, in ns. Context: any. */
u64 tc_cpu_ns(enum tc_cpu_user user);

/* Periods of every source, as the parameters say. @periods has TC_NR_SAMPLERS entries, zeroed. */
void tc_pacer_periods(const struct tc_config *config, struct tc_periods *periods);

/**
 * tc_pacer_begin() - new settings, or the first
 * @config: settings; @config->cpu_limit_bp 0: the periods are as the parameters say
 *
 * Begins at the finest step when a period or the limit is another than before.
 *
 * Context: process context, sleeps.
 *
 * Return: 0, or the sampler's refusal of a period.
 */
int tc_pacer_begin(const struct tc_config *config);

/**
 * tc_pacer_round() - see whether the period has to be another
 * @config: settings of this round
 *
 * Context: ksampled, outside tc_offline_enter(): it waits for CPU hotplug, which may wait for memory.
 */
void tc_pacer_round(const struct tc_config *config);

/**
 * struct tc_pacer_figures - what there is to tell
 * @step: step of the ladder; @top: the last one
 * @sampling_ppm: share of a core that sampling takes, smoothed, in 1/1000000
 * @other_ppm: share of the rest, smoothed
 * @longer: times that the period was lengthened for its cost; @shorter: shortened
 * @floods: lengthened at once, as samples were lost or the kernel throttled
 * @refused: the sampler refused a period
 */
struct tc_pacer_figures {
	u32 step;
	u32 top;
	u32 sampling_ppm;
	u32 other_ppm;
	u64 longer;
	u64 shorter;
	u64 floods;
	u64 refused;
};

/* Figures, each of its own moment. Context: any. */
void tc_pacer_read(struct tc_pacer_figures *figures);

#endif /* TC_ENGINE_PACER_H */
