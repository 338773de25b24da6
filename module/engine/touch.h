/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Policy tpp at work: marks what is touched, says which touch promotes, and who goes to and fro. Knows the settings of the
 * round and the clock of the marks; the rules are in policy/touch.h.
 */
#ifndef TC_ENGINE_TOUCH_H
#define TC_ENGINE_TOUCH_H

#include <linux/types.h>

#include "../policy/block.h"
#include "config.h"
#include "engine.h"

/* A round of ksampled begins: the clock goes on. Context: ksampled, as for all here that do not say more. */
void tc_touch_round(const struct tc_config *config);

/* Is it touches that decide, and not heat? Context: any. */
bool tc_touch_decides(void);

/**
 * tc_touch_sample() - a page was sampled
 * @block: its block; the sample is entered already, so that marks of another owner are gone
 * @folio: its folio
 * @page: its index in the block
 * @slow: it is on slow memory
 *
 * Return: does this touch promote the folio?
 */
bool tc_touch_sample(struct tc_block *block, struct folio *folio, unsigned int page, bool slow);

/* A folio was moved: does it go to and fro? Counts it, under any policy. */
void tc_touch_moved(const struct tc_result *result);

#endif /* TC_ENGINE_TOUCH_H */
