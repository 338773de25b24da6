/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Policy tpp takes over what the kernel's NUMA balancing would promote in a page fault: the kernel finds the page, the
 * fault goes on at once, and a kmigrated moves it. Knows tiers, queues and the settings. Does not know how the kernel is
 * asked, nor how a page is moved.
 */
#ifndef TC_ENGINE_TAKEOVER_H
#define TC_ENGINE_TAKEOVER_H

#include <linux/types.h>

#include "config.h"
#include "engine.h"

/*
 * A(enumerator, name in the statistics): what became of each page that NUMA balancing asked about. But for the first
 * one, the kernel's answer stands.
 *
 * TAKEN: the kernel would have migrated it, and a kmigrated will
 * NO: the kernel itself leaves it where it is
 * SOURCE: it is not on slow memory of the module's: it goes from fast to fast, or between nodes that take no part
 * TARGET: the processor that faulted is not at fast memory
 * IDLE: the module promotes nothing by recency now: another mode or policy, no sampler, or it fell back
 * SCOPE: the operator's lists leave it alone
 * UNMOVABLE: pinned, locked, on its way somewhere: the module does not move it now
 * REFUSED: a kmigrated found a reason that lasts not to move it, lately
 * FULL: the ring of the processor or the queue of the node is full
 */
#define TC_TAKEOVER_ANSWERS(A)       \
	A(TAKEN, taken)              \
	A(NO, left_no)               \
	A(SOURCE, left_source)       \
	A(TARGET, left_target)       \
	A(IDLE, left_idle)           \
	A(SCOPE, left_scope)         \
	A(UNMOVABLE, left_unmovable) \
	A(REFUSED, left_refused)     \
	A(FULL, left_full)

/*
 * F(enumerator, name in the statistics): what became of each page that was taken over, when ksampled came to it.
 *
 * QUEUED: it is on its node's queue, and one of promote_tried from there on
 * KNOWN: it was there already
 * GONE: freed, changed or another's meanwhile, or its memory went
 * STOPPED: the module stopped promoting meanwhile
 * LATE_REFUSED: as REFUSED, found meanwhile
 * LATE_FULL: the queue got full meanwhile
 * NO_BLOCK: the heat map had no memory for it
 */
#define TC_TAKEOVER_FATES(F)     \
	F(QUEUED, queued)        \
	F(KNOWN, known)          \
	F(GONE, gone)            \
	F(STOPPED, stopped)      \
	F(LATE_REFUSED, refused) \
	F(LATE_FULL, queue_full) \
	F(NO_BLOCK, no_block)

enum tc_takeover_answer {
#define TC_TAKEOVER_ANSWER(id, name) TC_TAKEOVER_##id,
	TC_TAKEOVER_ANSWERS(TC_TAKEOVER_ANSWER)
#undef TC_TAKEOVER_ANSWER
		TC_NR_TAKEOVER_ANSWERS
};

enum tc_takeover_fate {
#define TC_TAKEOVER_FATE(id, name) TC_TAKEOVER_##id,
	TC_TAKEOVER_FATES(TC_TAKEOVER_FATE)
#undef TC_TAKEOVER_FATE
		TC_NR_TAKEOVER_FATES
};

/**
 * struct tc_takeover_counts - what was taken over, of one reading
 * @asked: pages that NUMA balancing asked about: the sum of @answer, @missed and @in_hand
 * @answer: see TC_TAKEOVER_ANSWERS; the first one is the sum of @fate and @waiting
 * @missed: not seen by the probe, or still asked about when it was taken off: the kernel's answer stood
 * @in_hand: being answered at this moment
 * @fate: see TC_TAKEOVER_FATES
 * @waiting: on the way to ksampled
 */
struct tc_takeover_counts {
	u64 asked;
	u64 answer[TC_NR_TAKEOVER_ANSWERS];
	u64 missed;
	u64 in_hand;
	u64 fate[TC_NR_TAKEOVER_FATES];
	u64 waiting;
};

/* Read what was counted since load. Context: process context, sleeps. */
void tc_takeover_read(struct tc_takeover_counts *counts);

/**
 * tc_takeover_on() - does NUMA balancing ask the module now?
 * @why: set to a sentence when the settings want that and it cannot be, or nothing is taken over all the same; else
 *	to ""
 *
 * Context: process context, sleeps.
 */
bool tc_takeover_on(const struct tc_config *config, const char **why);

/**
 * tc_takeover_apply() - put the settings into effect
 * @config: settings
 *
 * Where the function cannot be probed or there is no memory, everything goes on without, the log and the status say
 * why. When it returns from taking the probe off, no handler runs, and NUMA balancing is the kernel's own again.
 *
 * Context: process context, sleeps; one caller at a time; the nodes and the heat map are there.
 */
void tc_takeover_apply(const struct tc_config *config);

/* Takes the probe off. Context: process context, sleeps; the workers may run. */
void tc_takeover_stop(void);

/* Gives the rings back. Context: process context; stopped, and ksampled is gone. */
void tc_takeover_exit(void);

/**
 * tc_takeover_drain() - put what was taken over on the queues
 * @mode: of the round
 *
 * Unless things are moved they stay where they are, and are counted.
 *
 * Context: ksampled, after tc_touch_round() and between tc_offline_enter() and tc_offline_leave(); with TC_MODE_OFF
 * anywhere.
 *
 * Return: how full the fullest ring was, in slots.
 */
unsigned long tc_takeover_drain(enum tc_mode mode);

#endif /* TC_ENGINE_TAKEOVER_H */
