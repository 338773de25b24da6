/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Policy balance at work: whether promotions go on, and how much of fast memory is given away. Knows the latencies of tiers; the
 * rule is in policy/balance.h.
 */
#ifndef TC_ENGINE_BALANCE_H
#define TC_ENGINE_BALANCE_H

#include "../policy/balance.h"
#include "config.h"

/* A window of the tiers is over. Context: ksampled. */
void tc_balance_run(const struct tc_config *config);

/* Is nothing to be promoted now? Context: any. */
bool tc_balance_stops(const struct tc_config *config);

/* Share of fast memory to be free beside its head-room, in 1/10000. Context: any. */
unsigned int tc_balance_reserve_bp(const struct tc_config *config);

/* The balance, for those who tell of it; its members may be of different moments. Context: any. */
void tc_balance_read(struct tc_balance *balance);

#endif /* TC_ENGINE_BALANCE_H */
