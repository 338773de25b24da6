/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Should more be in fast memory, or less? By the loaded latencies of both tiers, window by window.
 * Knows latencies and shares.
 * Does not know nodes, nor what is moved.
 */
#ifndef TC_POLICY_BALANCE_H
#define TC_POLICY_BALANCE_H

#include "types.h"

/* Latencies that differ by less than this, in 1/10000, are equal. */
#define TC_BALANCE_SLACK_BP 500U

/* Windows in a row in which fast memory is the slower one, after which it gives something away. */
#define TC_BALANCE_WINDOWS 3U

/* What it gives away in one step, and takes back in one window, and has given away at most, in 1/10000 of it. */
#define TC_BALANCE_STEP_BP 200U
#define TC_BALANCE_BACK_BP 100U
#define TC_BALANCE_MAX_BP 4000U

/**
 * struct tc_balance - what the windows so far led to
 * @stopped: nothing is promoted
 * @reserve_bp: share of fast memory that is to be free beside the head-room, in 1/10000
 * @windows: windows in which fast memory was the slower one, since it began to be or since the last step
 * @steps: steps so far
 */
struct tc_balance {
	bool stopped;
	u32 reserve_bp;
	u32 windows;
	u64 steps;
};

/**
 * tc_balance_window - a window is over
 * @b: the balance, zeroed at first
 * @fast_ns: loaded latency of fast memory; 0: not known
 * @slow_ns: loaded latency of slow memory; 0: not known
 * @settled: what the last step gives away has left, so that the latencies are those after it
 *
 * When fast memory is the slower one, promotions stop, and when it stays so, it gives away a step at a time, each after the one
 * before has shown. When it is the quicker one, or nothing is known, promotions go on, and it takes back what it gave.
 * While both are about equal, things stay as they are.
 *
 * Source: Colloid (SOSP 2024), balancing of access latencies; steps and slack are this project's.
 *
 * Context: The owner of @b.
 */
void tc_balance_window(struct tc_balance *b, u32 fast_ns, u32 slow_ns, bool settled);

#endif /* TC_POLICY_BALANCE_H */
