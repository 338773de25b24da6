// SPDX-License-Identifier: GPL-2.0
/*
 * Should more be in fast memory, or less? By the loaded latencies of both tiers, window by window.
 * Knows latencies and shares.
 * Does not know nodes, nor what is moved.
 */
#include "balance.h"

#define BP 10000U

static bool slower(u32 a_ns, u32 b_ns)
{
	return (u64)a_ns * BP > (u64)b_ns * (BP + TC_BALANCE_SLACK_BP);
}

static void give_away(struct tc_balance *b, bool settled)
{
	tc_write_once(b->stopped, true);
	if (!settled || ++b->windows < TC_BALANCE_WINDOWS)
		return;
	b->windows = 0;
	if (b->reserve_bp >= TC_BALANCE_MAX_BP)
		return;
	tc_write_once(b->reserve_bp, b->reserve_bp + TC_BALANCE_STEP_BP);
	tc_write_once(b->steps, b->steps + 1);
}

static void take_back(struct tc_balance *b)
{
	tc_write_once(b->stopped, false);
	b->windows = 0;
	tc_write_once(b->reserve_bp,
		      b->reserve_bp > TC_BALANCE_BACK_BP ? b->reserve_bp - TC_BALANCE_BACK_BP : 0);
}

void tc_balance_window(struct tc_balance *b, u32 fast_ns, u32 slow_ns, bool settled)
{
	if (!fast_ns || !slow_ns || slower(slow_ns, fast_ns))
		take_back(b);
	else if (slower(fast_ns, slow_ns))
		give_away(b, settled);
	else
		b->windows = 0;
}
