/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The three questions that a policy program may answer instead of the module's own rules. Without a program each
 * answer is the one that the caller brings. Knows the questions, not who asks.
 */
#ifndef TC_ENGINE_ASK_H
#define TC_ENGINE_ASK_H

#include <linux/types.h>

struct folio;

/**
 * struct tc_ask_page - the page that a question is about
 * @pfn: page frame of its first page (of a piece: the piece's)
 * @order: its order
 * @nid: its node; @target: the node that it would go to
 * @folio: its folio, a reference is held, for its cgroup; of a piece: the huge page; NULL: not known
 */
struct tc_ask_page {
	unsigned long pfn;
	unsigned int order;
	int nid;
	int target;
	const struct folio *folio;
};

/**
 * tc_ask_split_order() - into pieces of which order shall this huge page be split?
 * @page: folio of TC_BLOCK_ORDER that should be promoted
 * @order: what the module's rule says; TC_BLOCK_ORDER: leave it whole
 *
 * Context: ksampled. Return: an order; the caller checks that the kernel can do it.
 */
unsigned int tc_ask_split_order(const struct tc_ask_page *page, unsigned int order);

/* Shall this piece of a split huge page stay on slow memory? @cold: what the module's rule says. Context: ksampled. */
bool tc_ask_piece_cold(const struct tc_ask_page *page, bool cold);

/**
 * tc_ask_admit() - may this folio be moved to @page->target now?
 * @page: the folio, about to be taken
 * @admit: what the module's rule says
 *
 * Asked for promotions and for demotions. Context: a kmigrated.
 */
bool tc_ask_admit(const struct tc_ask_page *page, bool admit);

#endif /* TC_ENGINE_ASK_H */
