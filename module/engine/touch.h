/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Policy tpp at work: marks what is touched, and says which touch promotes. Knows the settings of the
 * round and the clock of the marks; the rules are in policy/touch.h.
 */
#ifndef TC_ENGINE_TOUCH_H
#define TC_ENGINE_TOUCH_H

#include <linux/types.h>

#include "../policy/block.h"
#include "config.h"

/* A round of ksampled begins: the clock goes on. Context: ksampled, all functions here. */
void tc_touch_round(const struct tc_config *config);

/* Is it touches that decide, and not heat? */
bool tc_touch_decides(void);

/**
 * tc_touch_sample() - a page was sampled
 * @block: its block; the sample is entered already, so that marks of another owner are gone
 * @page: its index there
 * @head: index of its folio's first page
 * @order: the folio's order
 *
 * Return: does this touch promote the folio, if it is on slow memory?
 */
bool tc_touch_sample(struct tc_block *block, unsigned int page, unsigned int head,
		     unsigned int order);

#endif /* TC_ENGINE_TOUCH_H */
