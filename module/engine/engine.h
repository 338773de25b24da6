/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who runs when: ksampled turns samples into heat and candidates, one kmigrated per node turns
 * candidates into moves. Knows all layers below. Does not know parameters or files.
 */
#ifndef TC_ENGINE_ENGINE_H
#define TC_ENGINE_ENGINE_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/kfifo.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <thermocline/modes.h>

#include "../policy/interval.h"
#include "../policy/thresholds.h"
#include "../track/heatmap.h"
#include "../track/ring.h"
#include "config.h"
#include "node.h"

/**
 * struct tc_result - what a kmigrated tells ksampled of a candidate
 * @from: page frame of its first page when it was queued
 * @nid: node that it was to leave
 * @to: page frame it moved to; 0: it left the queue, where it is
 * @order: its order
 * @owner: owner tag of its first page when it moved
 * @taken: it was handed to the kernel to be moved
 * @refused: it was not moved for a reason that will last, or the kernel left it
 * @split: an answer of tc_split: @from was to be split into pieces of @order; @taken: it was
 * @promote: of these, asked for by promotion
 */
struct tc_result {
	unsigned long from;
	unsigned long to;
	short nid;
	u8 order;
	u8 owner;
	bool taken;
	bool refused;
	bool split;
	bool promote;
};

#define TC_RESULTS_SIZE 16384

/**
 * struct tc_sample_counts - what became of the samples that ksampled took out of the rings
 * @accounted: entered in the heat map
 * @gone: on a page that was free, offline or changing
 * @untracked: on memory that has no heat: the kernel's own, hugetlb, unevictable
 * @other_node: on a node that takes no part
 * @no_block: lost as the heat map had no memory
 */
struct tc_sample_counts {
	u64 accounted;
	u64 gone;
	u64 untracked;
	u64 other_node;
	u64 no_block;
};

/**
 * struct tc_engine - all that the workers share
 * @map: the heat map; written by ksampled
 * @thresholds: lowest hot and warm bin; written by ksampled
 * @budget: 4 KiB pages the hot set may have, when @thresholds was computed
 * @intervals: samples between adaptations and coolings, scaled to this machine
 * @touch_clock: by which marks of touches age; its steps are in @map.heat too
 * @touch_age: for how many samples, or ms with tpp_active_s, a touch counts
 * @counts: samples so far
 * @adaptations: threshold computations so far; @coolings: halvings so far
 * @adapted_at: @counts.accounted at the last adaptation; @cooled_at: at the last cooling
 * @hits: accounted samples, halved at each adaptation, in one word so that a reader sees two figures
 *	of one moment: see tc_engine_hits()
 * @selftested: own pages were moved and found right, or there is no node to try it with
 * @results: from the kmigrated to ksampled; @results_lost: those that did not fit
 * @results_missed: some did not fit since the last sweep began
 * @batches_posted: batches whose results are in @results
 * @results_lock: serializes the writers of @results
 * @fallback: why the engine put itself back to observing, a sentence; NULL: it did not
 * @scrub_at: when memory that a process or a node left is to be swept (jiffies); 0: none is
 * @next_scrub: when the next sweep without a cooling is due (jiffies)
 * @heeds_kswapd: ksampled runs when the kernel begins to reclaim on a fast node; written by ksampled
 * @kswapd_kicks: times that ksampled ran at once as the kernel began to reclaim on a fast node
 * @ready: memory that comes or goes may start and stop workers
 * @ksampled: the thread; @wait: where it sleeps; @kicked: it shall not
 */
struct tc_engine {
	struct tc_heatmap map;
	struct tc_thresholds thresholds;
	u64 budget;
	struct tc_intervals intervals;
	struct tc_touch_clock touch_clock;
	u64 touch_age;
	struct tc_sample_counts counts;
	u64 adaptations;
	u64 coolings;
	u64 adapted_at;
	u64 cooled_at;
	u64 hits;
	bool selftested;
	DECLARE_KFIFO_PTR(results, struct tc_result);
	u64 results_lost;
	bool results_missed;
	atomic_t batches_posted;
	spinlock_t results_lock;
	const char *fallback;
	unsigned long scrub_at;
	unsigned long next_scrub;
	bool heeds_kswapd;
	atomic_long_t kswapd_kicks;
	bool ready;
	struct task_struct *ksampled;
	wait_queue_head_t wait;
	bool kicked;
};

extern struct tc_engine tc_engine;

/**
 * tc_engine_start() - make the workers and the events, paused until tc_engine_apply()
 * @sampler: source of samples that was asked for
 * @cpus: CPUs to sample on
 *
 * Context: process context, sleeps; the nodes and the symbols are there.
 *
 * Return: 0 or a negative errno, then nothing is left running.
 */
int tc_engine_start(enum tc_sampler_kind sampler, const struct cpumask *cpus);

/* Finish what is in hand, move nothing more, leave nothing behind. */
void tc_engine_stop(void);

/**
 * tc_engine_check() - could these settings be put into effect on this machine?
 * @config: settings, not yet in tc_config
 *
 * Context: process context, while the engine runs.
 *
 * Return: 0 or -EINVAL, the message says why.
 */
int tc_engine_check(const struct tc_config *config);

/**
 * tc_engine_apply() - put settings into effect
 * @config: settings, as in tc_config
 *
 * Context: process context, sleeps; one caller at a time.
 *
 * Return: 0, or the sampler's refusal of a period.
 */
int tc_engine_apply(const struct tc_config *config);

/**
 * tc_engine_mode() - what is really done
 * @config: settings
 * @why: set to the reason when that is less than @config->mode, else to ""; may be NULL
 *
 * Nothing is moved on a machine with one tier, and nothing is moved without samples: memory of
 * which nothing is known would all look cold.
 */
enum tc_mode tc_engine_mode(const struct tc_config *config, const char **why);

/**
 * tc_engine_fall_back() - something is wrong: move nothing more until somebody sets the mode again
 * @why: a sentence, constant; only the first one counts
 *
 * Context: any but NMI.
 */
void tc_engine_fall_back(const char *why);

/*
 * Somebody set the mode: what happened before is forgiven, but a self-test that was never passed is
 * tried again. Context: process context, sleeps; the workers are there.
 */
void tc_engine_forgive(void);

/* Does this mode choose what to move? */
static inline bool tc_mode_decides(enum tc_mode mode)
{
	return mode >= TC_MODE_ADVISE;
}

/**
 * tc_temperature() - hot, warm or cold under the present thresholds
 * @bin: bin of a folio
 *
 * Memory without any heat is cold, also when everything that was sampled fits into fast memory and
 * the warm bin is bin 0: it is colder than all that has some.
 *
 * Context: any.
 */
static inline enum tc_temperature tc_temperature(unsigned int bin)
{
	struct tc_thresholds now = {
		.hot = READ_ONCE(tc_engine.thresholds.hot),
		.warm = READ_ONCE(tc_engine.thresholds.warm),
	};

	return bin ? tc_classify(&now, bin) : TC_COLD;
}

/* Adds a sample to tc_engine.hits. Context: ksampled. */
static inline void tc_engine_count_hit(bool fast)
{
	WRITE_ONCE(tc_engine.hits, tc_engine.hits + ((u64)fast << 32) + 1);
}

/* Halves both figures of tc_engine.hits. Context: ksampled. */
static inline void tc_engine_halve_hits(void)
{
	WRITE_ONCE(tc_engine.hits, tc_engine.hits >> 1 & 0x7fffffff7fffffffULL);
}

/**
 * tc_engine_hits() - sampled accesses of the last adaptations, the latest counting most
 * @all: set to all of them, below 2^32: an adaptation has at most 10^8 samples
 *
 * Context: any. Return: of these, those to fast memory.
 */
static inline u64 tc_engine_hits(u64 *all)
{
	u64 hits = READ_ONCE(tc_engine.hits);

	*all = lower_32_bits(hits);
	return upper_32_bits(hits);
}

/* Let ksampled run now. Context: any but NMI. */
void tc_engine_kick(void);

/* The same from where nothing may be woken. Context: any. Return: false when it is about to run anyway. */
bool tc_engine_kick_later(void);

/**
 * tc_engine_post() - tell ksampled what became of candidates
 * @results: one for each candidate that left a queue
 * @nr: entries of @results
 *
 * What does not fit is counted, and found again by the next sweep.
 *
 * Context: a kmigrated; takes results_lock.
 */
void tc_engine_post(const struct tc_result *results, unsigned int nr);

/* The thread function of ksampled. */
int tc_ksampled(void *unused);

/**
 * tc_kmigrated_start() - make the worker of a node
 * @node: node with a target and without a worker
 *
 * Context: process context, sleeps.
 *
 * Return: 0 or a negative errno.
 */
int tc_kmigrated_start(struct tc_node *node);

/**
 * tc_kmigrated_settle() - wait for the batches in hand
 *
 * When this returns, no batch is in hand that began under older settings than those in tc_config; unless
 * a signal came first.
 *
 * Context: process context, sleeps.
 */
void tc_kmigrated_settle(void);

/* Let a node's worker finish its batch and end; no worker is fine. Context: process, sleeps. */
void tc_kmigrated_stop(struct tc_node *node);

/**
 * tc_cursor_run() - look for what should leave a fast node, for about a millisecond
 * @node: the node
 * @config: settings of this round
 *
 * Context: ksampled, between tc_offline_enter() and tc_offline_leave().
 *
 * Return: false when there is nothing to look for, or it is too early to look again.
 */
bool tc_cursor_run(struct tc_node *node, const struct tc_config *config);

/* Another rule says what leaves a fast node: a pass begins that knows of none before it. Context: ksampled. */
void tc_cursor_forget_ranks(struct tc_node *node);

#endif /* TC_ENGINE_ENGINE_H */
