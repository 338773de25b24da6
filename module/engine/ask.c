// SPDX-License-Identifier: GPL-2.0
/*
 * The questions of ask.h, put to the callbacks of the one policy that is attached. Knows what an answer may be.
 *
 * Callbacks are called through pointers. That is what the kernel itself does with its struct_ops, and they are made
 * for it: the kernel writes a trampoline for each program (arch_prepare_bpf_trampoline()), which begins with an ENDBR and,
 * under kCFI, the type hash of the stub in bpf/hooks.c. A resolved symbol is no such thing: of functions whose address
 * the kernel does not take it overwrites the ENDBR, see kernel/symbols.h.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "../policy/types.h"
#include "ask.h"

/* What a callback may return; all else is no answer. */
struct tc_answers {
	int low;
	int high;
};

static const struct tc_answers tc_answers[TC_NR_QUESTIONS] = {
	[TC_QUESTION_SPLIT_ORDER] = { THERMOCLINE_SMALLEST, THERMOCLINE_WHOLE },
	[TC_QUESTION_PIECE_IS_COLD] = { false, true },
	[TC_QUESTION_ADMIT] = { false, true },
};

/* Of all threads that ask. */
static struct tc_ask_tally {
	atomic64_t asked;
	atomic64_t changed;
	atomic64_t invalid;
} tc_ask_tally[TC_NR_QUESTIONS];

/* NULL: no policy is attached. */
static const struct thermocline_ops __rcu *tc_ask_ops;

/* Serializes those who replace it; a leaf. */
static DEFINE_MUTEX(tc_ask_lock);

typedef int (*tc_callback_t)(const struct thermocline_page *page);

static tc_callback_t tc_ask_callback(const struct thermocline_ops *ops, enum tc_question question)
{
	switch (question) {
	case TC_QUESTION_SPLIT_ORDER:
		return ops->split_order;
	case TC_QUESTION_PIECE_IS_COLD:
		return ops->piece_is_cold;
	default:
		return ops->admit;
	}
}

static unsigned int tc_ask_judge(enum tc_question question, int answer, unsigned int verdict)
{
	struct tc_ask_tally *tally = &tc_ask_tally[question];

	atomic64_inc(&tally->asked);
	if (answer < tc_answers[question].low || answer > tc_answers[question].high) {
		atomic64_inc(&tally->invalid);
		return verdict;
	}
	if (answer != verdict)
		atomic64_inc(&tally->changed);
	return answer;
}

/*
 * RCU keeps the policy. Its programs need no more: the trampoline of each disables migration and enters RCU by itself
 * (__bpf_prog_enter()), and those that sleep are not let in.
 */
static unsigned int tc_ask(enum tc_question question, const struct tc_ask_page *about,
			   unsigned int verdict)
{
	const struct thermocline_page page = {
		.pfn = about->pfn,
		.order = about->order,
		.nid = about->nid,
		.target = about->target,
		.verdict = verdict,
		.reads = about->reads,
		.writes = about->writes,
		.about = about,
	};
	const struct thermocline_ops *ops;
	tc_callback_t callback;

	rcu_read_lock();
	ops = rcu_dereference(tc_ask_ops);
	callback = ops ? tc_ask_callback(ops, question) : NULL;
	if (callback)
		verdict = tc_ask_judge(question, callback(&page), verdict);
	rcu_read_unlock();
	return verdict;
}

unsigned int tc_ask_split_order(const struct tc_ask_page *page, unsigned int order)
{
	return tc_ask(TC_QUESTION_SPLIT_ORDER, page, order);
}

bool tc_ask_piece_cold(const struct tc_ask_page *page, bool cold)
{
	return tc_ask(TC_QUESTION_PIECE_IS_COLD, page, cold);
}

bool tc_ask_admit(const struct tc_ask_page *page, bool admit)
{
	return tc_ask(TC_QUESTION_ADMIT, page, admit);
}

int tc_ask_attach(const struct thermocline_ops *ops)
{
	int err = -EBUSY;

	BUILD_BUG_ON(THERMOCLINE_WHOLE != TC_BLOCK_ORDER);
	mutex_lock(&tc_ask_lock);
	if (!rcu_access_pointer(tc_ask_ops)) {
		rcu_assign_pointer(tc_ask_ops, ops);
		err = 0;
	}
	mutex_unlock(&tc_ask_lock);
	return err;
}

void tc_ask_detach(const struct thermocline_ops *ops)
{
	mutex_lock(&tc_ask_lock);
	if (rcu_access_pointer(tc_ask_ops) == ops)
		RCU_INIT_POINTER(tc_ask_ops, NULL);
	mutex_unlock(&tc_ask_lock);
	synchronize_rcu();
}

void tc_ask_name(char *name)
{
	const struct thermocline_ops *ops;

	rcu_read_lock();
	ops = rcu_dereference(tc_ask_ops);
	strscpy(name, ops ? ops->name : "none", THERMOCLINE_NAME_LEN);
	rcu_read_unlock();
}

void tc_ask_counts(enum tc_question question, struct tc_ask_counts *counts)
{
	const struct tc_ask_tally *tally = &tc_ask_tally[question];

	counts->asked = atomic64_read(&tally->asked);
	counts->changed = atomic64_read(&tally->changed);
	counts->invalid = atomic64_read(&tally->invalid);
}
