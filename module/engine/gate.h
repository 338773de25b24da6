/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stop gate at work: counts what each window promoted, and says how much may still be. Knows the
 * engine's counts; the rule is in policy/gate.h.
 */
#ifndef TC_ENGINE_GATE_H
#define TC_ENGINE_GATE_H

#include <linux/types.h>

#include "../policy/gate.h"
#include "config.h"

/* What the windows so far showed, by enum tc_gate_verdict. Written by ksampled. */
extern u64 tc_gate_verdicts[TC_GATE_VERDICTS];

/* Begin with an open gate. Context: process context; nobody promotes yet, or ksampled. */
void tc_gate_open(void);

/**
 * tc_gate_left() - pages that this window may still promote
 * @config: settings of this round; with gate=0, and in any mode but tier, all
 *
 * Context: any.
 *
 * Return: 4 KiB pages.
 */
unsigned long tc_gate_left(const struct tc_config *config);

/* So many pages were promoted. Context: a kmigrated. */
void tc_gate_promoted(unsigned long pages);

/* The thresholds were just computed: judges the window when it is over. Context: ksampled. */
void tc_gate_adapted(const struct tc_config *config);

/* See tc_gate_margin(). Context: any. */
unsigned int tc_gate_margin_now(unsigned int bin, unsigned int order);

/**
 * tc_gate_read() - the gate, for those who tell of it
 * @gate: filled; its members may be of different moments
 * @promoted: set to the pages that the present window promoted
 *
 * Context: any.
 */
void tc_gate_read(struct tc_gate *gate, u64 *promoted);

#endif /* TC_ENGINE_GATE_H */
