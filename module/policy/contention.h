/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How hard the slow tier is pressed. Knows figures of latency and traffic.
 * Does not know where they come from, nor what is done about it.
 */
#ifndef TC_POLICY_CONTENTION_H
#define TC_POLICY_CONTENTION_H

#include "types.h"

/**
 * enum tc_contention_level - pressure on the slow tier
 * @TC_CONTENTION_UNKNOWN: not enough is known yet
 * @TC_CONTENTION_NONE: its loaded latency is about its idle one
 * @TC_CONTENTION_MODERATE: splits pay, and so does admission by the direction of traffic
 * @TC_CONTENTION_HIGH: splits pay, duplex admission does not
 *
 * Source: TierBPF, contention gate and its results by antagonist bandwidth.
 */
enum tc_contention_level {
	TC_CONTENTION_UNKNOWN,
	TC_CONTENTION_NONE,
	TC_CONTENTION_MODERATE,
	TC_CONTENTION_HIGH,
	TC_NR_CONTENTION_LEVELS
};

#define TC_CONTENTION_NAMES { "unknown", "none", "moderate", "high" }

/**
 * enum tc_traffic_kind - in which direction a tier's link is used
 * @TC_TRAFFIC_UNKNOWN: not enough is known yet
 * @TC_TRAFFIC_READ: read-dominant
 * @TC_TRAFFIC_BALANCED: neither
 * @TC_TRAFFIC_WRITE: write-dominant
 */
enum tc_traffic_kind {
	TC_TRAFFIC_UNKNOWN,
	TC_TRAFFIC_READ,
	TC_TRAFFIC_BALANCED,
	TC_TRAFFIC_WRITE,
	TC_NR_TRAFFIC_KINDS
};

#define TC_TRAFFIC_NAMES { "unknown", "read", "balanced", "write" }

/* Samples with a latency that make a mean worth telling. */
#define TC_LATENCY_SAMPLES_MIN 32U

/* Samples of which shares are taken: at 1 %, 256 of them are off by less than 2 points in 95 of 100 windows. */
#define TC_SHARE_SAMPLES_MIN 256U

/* Idle latency that was learned rises by 1/128 in a minute without contention: what changed for good is learned in the end. */
#define TC_IDLE_CREEP_SHIFT 7
#define TC_IDLE_CREEP_MS 60000U

/* Share of writes up to which traffic is read-dominant, and from which it is write-dominant, in 1/10000. */
#define TC_TRAFFIC_READ_BP 3333U
#define TC_TRAFFIC_WRITE_BP 6667U

/* What a level, or a kind of traffic, keeps by: a figure must pass its bound by so much to leave it, in 1/10000. */
#define TC_TRAFFIC_SLACK_BP 500U

/**
 * struct tc_window_counts - samples of a node in one window
 * @loads, @stores: samples; @tlb_misses: of both
 * @latencies: samples that told a latency; @latency_ns: sum of these
 */
struct tc_window_counts {
	u32 loads;
	u32 stores;
	u32 tlb_misses;
	u32 latencies;
	u64 latency_ns;
};

/**
 * struct tc_latency - latency of a node, as samples tell it
 * @loaded_ns: mean of the last windows, the latest counting a quarter; 0: none yet
 * @idle_ns: the least that a window had, see TC_IDLE_CREEP_SHIFT; 0: none yet
 * @crept_at: when @idle_ns last changed, in ms
 */
struct tc_latency {
	u32 loaded_ns;
	u32 idle_ns;
	u64 crept_at;
};

/**
 * tc_latency_window - a window is over
 * @l: the latency, zeroed at first
 * @w: its samples; with less than TC_LATENCY_SAMPLES_MIN latencies nothing changes
 * @quiet: no contention is known: the idle latency may rise
 * @now_ms: time of now
 *
 * Source: Colloid (SOSP 2024), loaded latency per tier.
 *
 * Context: The owner of @l.
 */
void tc_latency_window(struct tc_latency *l, const struct tc_window_counts *w, bool quiet,
		       u64 now_ms);

/**
 * tc_latency_over - how much a tier is slower than when idle
 * @loaded_ns: its loaded latency; 0: not known
 * @idle_ns: its idle one; 0: not known
 *
 * Context: Any.
 * Return: in 1/10000 of the idle latency, 0 when it is not slower; ~0 when one is not known.
 */
u32 tc_latency_over(u32 loaded_ns, u32 idle_ns);

/**
 * tc_contention_next - level after a window
 * @level: level before it
 * @over_bp: of tc_latency_over()
 * @moderate_bp: from which on there is contention; it ends below half of this
 * @high_bp: from which on it is high, not below @moderate_bp; it is no longer below three quarters of this
 *
 * Source: TierBPF, contention gate; the paper names no threshold, these are this project's.
 *
 * Context: Any.
 */
enum tc_contention_level tc_contention_next(enum tc_contention_level level, u32 over_bp,
					    u32 moderate_bp, u32 high_bp);

/**
 * tc_traffic_next - kind of traffic after a window
 * @kind: kind before it
 * @reads: accesses that read; @writes: that write, both weighed by what one sample stands for, below 2^50
 *
 * Context: Any.
 * Return: the kind; @kind when there was no traffic.
 */
enum tc_traffic_kind tc_traffic_next(enum tc_traffic_kind kind, u64 reads, u64 writes);

#endif /* TC_POLICY_CONTENTION_H */
