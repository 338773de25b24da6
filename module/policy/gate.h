/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When moving pages does not pay any more: how many may be promoted, and how much colder a page must
 * be than the one that takes its place.
 * Knows samples, promotions and thresholds of one window after the other.
 * Does not know nodes, queues or time.
 */
#ifndef TC_POLICY_GATE_H
#define TC_POLICY_GATE_H

#include "types.h"

/* A window has this many adaptations: a quarter of a cooling interval. */
#define TC_GATE_ADAPTATIONS 5U

/* A window of fewer samples says nothing: it goes on. */
#define TC_GATE_SAMPLES_MIN 500U

/* The hit ratio must rise by more than this to have risen, and fall by more to have fallen. */
#define TC_GATE_GAIN_BP 100U
#define TC_GATE_FALL_BP 200U

/* So much of the fast tier's budget (1/16) must have been promoted before that is found fruitless. */
#define TC_GATE_TURN 16U

/* A window may always promote so much of the budget (1/256): the gate goes on trying. */
#define TC_GATE_TRIAL 256U

/* By so many bins a margin is widened at most. */
#define TC_GATE_MARGIN_MAX 3U

/**
 * enum tc_gate_verdict - what a window showed
 * @TC_GATE_SHORT: too few samples to tell, the window goes on
 * @TC_GATE_WAIT: the hit ratio stayed, and not much was promoted so far
 * @TC_GATE_GAIN: the hit ratio rose
 * @TC_GATE_FRUITLESS: the hit ratio stayed, although much was promoted
 * @TC_GATE_SHIFT: the hit ratio fell or the hot bin moved: another profile
 */
enum tc_gate_verdict {
	TC_GATE_SHORT,
	TC_GATE_WAIT,
	TC_GATE_GAIN,
	TC_GATE_FRUITLESS,
	TC_GATE_SHIFT,
	TC_GATE_VERDICTS,
};

#define TC_GATE_VERDICT_NAMES { "short", "wait", "gain", "fruitless", "shift" }

/**
 * struct tc_gate_window - what happened in a window
 * @fast: accounted samples that the fast tier served
 * @all: accounted samples
 * @promoted: 4 KiB pages promoted
 * @budget: 4 KiB pages that the fast tier may hold
 * @hot: lowest hot bin at its end
 */
struct tc_gate_window {
	u64 fast;
	u64 all;
	u64 promoted;
	u64 budget;
	u8 hot;
};

/**
 * struct tc_gate - the stop gate
 * @allowed: 4 KiB pages that a window may promote; TC_U64_MAX: the gate is open
 * @halvings: how often that was halved
 * @hit_bp: hit ratio in 1/10000, smoothed over windows
 * @mark_bp: @hit_bp when the last gain or halving was
 * @peak_bp: highest @hit_bp since the profile shifted
 * @promoted: 4 KiB pages promoted since then; @windows: windows
 * @hot: lowest hot bin when the profile shifted or, later, before the first halving
 * @known: there was a window to compare with
 */
struct tc_gate {
	u64 allowed;
	u32 halvings;
	u32 hit_bp;
	u32 mark_bp;
	u32 peak_bp;
	u64 promoted;
	u32 windows;
	u8 hot;
	bool known;
};

/**
 * tc_gate_init - an open gate that knows nothing
 * @g: the gate
 *
 * Context: Any; the caller serializes all use of one gate but reads of single members.
 */
void tc_gate_init(struct tc_gate *g);

/**
 * tc_gate_judge - a window is over
 * @g: the gate
 * @w: the window
 *
 * The hit ratio r of a window of n samples has the standard deviation d = sqrt(r (1 - r) / n). The
 * smoothed one follows it by a quarter of the difference, which makes its deviation less than d / 2.
 *
 * - r is below the peak by 4 d and 2 %, or the hot bin is two bins from where it was: the profile
 *   shifted. The gate opens, and everything is measured anew.
 * - The smoothed ratio is above the mark by d and 1 %: promotions pay. What is allowed doubles; the
 *   second such window in a row opens the gate.
 * - Neither, and since the mark 1/16 of the budget was promoted: that was for nothing. What is allowed
 *   halves, the first time to half of what the windows since the mark promoted on average. It never is
 *   less than 1/256 of the budget.
 * - Else nothing changes.
 *
 * A gain or a halving sets the mark to the smoothed ratio.
 *
 * Source: this project's rule, against the ping-pong of pages whose heat is nearly equal.
 *
 * Context: The caller serializes all use of one gate.
 * Return: what the window showed; TC_GATE_SHORT: nothing was done, let it grow.
 */
enum tc_gate_verdict tc_gate_judge(struct tc_gate *g, const struct tc_gate_window *w);

/**
 * tc_gate_margin - bins by which a page must be colder than one that takes its place
 * @halvings: of the gate; 0 without one
 * @bin: bin of the page that would leave
 * @order: order of its folio
 *
 * One bin, a factor of two in hotness; but counts are few and random: what was sampled once and what
 * was sampled twice can be equally hot. While moves are for nothing, the margin of folios of less than
 * four samples grows by one bin with each halving, as far as their counts leave doubt: by one for a
 * folio of two to four samples, by two for one to two, by three for less.
 *
 * Context: Any.
 * Return: 1 .. 1 + TC_GATE_MARGIN_MAX.
 */
unsigned int tc_gate_margin(u32 halvings, unsigned int bin, unsigned int order);

#endif /* TC_POLICY_GATE_H */
