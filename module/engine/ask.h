/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The three questions that a policy program may answer instead of the module's own rules. Without a program each
 * answer is the one that the caller brings. Knows the questions, not who asks, nor how a program comes in (bpf/hooks.h).
 */
#ifndef TC_ENGINE_ASK_H
#define TC_ENGINE_ASK_H

#include <linux/types.h>
#include <thermocline/bpf.h>

struct folio;

/**
 * struct tc_ask_page - the page that a question is about
 * @pfn: page frame of its first page (of a piece: the piece's)
 * @order: its order
 * @nid: its node; @target: the node that it would go to
 * @folio: its folio, a reference is held, for its cgroup; of a piece: the huge page; NULL: not known
 * @reads, @writes: accesses of each kind that were estimated; both 0: not known
 */
struct tc_ask_page {
	unsigned long pfn;
	unsigned int order;
	int nid;
	int target;
	const struct folio *folio;
	u32 reads;
	u32 writes;
};

/* Q(enumerator, name: the callback of struct thermocline_ops, and in the statistics) */
#define TC_QUESTIONS(Q)                 \
	Q(SPLIT_ORDER, split_order)     \
	Q(PIECE_IS_COLD, piece_is_cold) \
	Q(ADMIT, admit)

enum tc_question {
#define TC_QUESTION_ENUM(id, name) TC_QUESTION_##id,
	TC_QUESTIONS(TC_QUESTION_ENUM)
#undef TC_QUESTION_ENUM
		TC_NR_QUESTIONS
};

/**
 * struct tc_ask_counts - what programs answered to one question since the module was loaded
 * @asked: times that a program was asked
 * @changed: of these, the answer was another than the module's own rule gives
 * @invalid: of these, the answer was none: the module's own was taken
 */
struct tc_ask_counts {
	u64 asked;
	u64 changed;
	u64 invalid;
};

/**
 * tc_ask_split_order() - into pieces of which order shall this huge page be split?
 * @page: folio of TC_BLOCK_ORDER that should be promoted
 * @order: what the module's rule says; TC_BLOCK_ORDER: leave it whole
 *
 * Context: ksampled, between tc_offline_enter() and tc_offline_leave(). Return: an order; the caller checks that the
 * kernel can do it.
 */
unsigned int tc_ask_split_order(const struct tc_ask_page *page, unsigned int order);

/* Shall this piece of a split huge page stay on slow memory? @cold: what the module's rule says. Context: as above. */
bool tc_ask_piece_cold(const struct tc_ask_page *page, bool cold);

/**
 * tc_ask_admit() - may this folio be moved to @page->target now?
 * @page: the folio, about to be taken
 * @admit: what the module's rule says
 *
 * Asked for promotions and for demotions. Context: a kmigrated, between tc_offline_enter() and tc_offline_leave().
 */
bool tc_ask_admit(const struct tc_ask_page *page, bool admit);

/**
 * tc_ask_attach() - from here on this policy is asked
 * @ops: the policy; stays until tc_ask_detach()
 *
 * Context: process context; takes tc_ask_lock.
 *
 * Return: 0; -EBUSY when another one is.
 */
int tc_ask_attach(const struct thermocline_ops *ops);

/* Nobody is asked any more. When this returns, no callback of the policy runs. Context: process context, sleeps. */
void tc_ask_detach(const struct thermocline_ops *ops);

/* The name of the policy that is asked; "none". @name: of THERMOCLINE_NAME_LEN. Context: any but NMI. */
void tc_ask_name(char *name);

/* What came of one question so far. Context: any. */
void tc_ask_counts(enum tc_question question, struct tc_ask_counts *counts);

#endif /* TC_ENGINE_ASK_H */
