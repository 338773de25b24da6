// SPDX-License-Identifier: GPL-2.0
/*
 * The lines of stats about splitting at promotion. Knows their form; what they count is in engine/granularity.h.
 */
#include <linux/seq_file.h>

#include "../engine/granularity.h"
#include "ui.h"

static const char *const tc_verdict_names[] = {
#define TC_VERDICT_NAME(id, name) #name,
	TC_VERDICTS(TC_VERDICT_NAME)
#undef TC_VERDICT_NAME
};

void tc_granularity_stats(struct seq_file *m)
{
	const struct tc_granularity_engine *engine = &tc_granularity_engine;
	int i;

	for (i = 0; i < TC_NR_VERDICTS; i++)
		seq_printf(m, "granularity_%s %llu\n", tc_verdict_names[i],
			   READ_ONCE(engine->verdicts[i]));
	seq_printf(m, "granularity_by_block %llu\n",
		   READ_ONCE(engine->by_profile[TC_PROFILE_BLOCK]));
	seq_printf(m, "granularity_by_process %llu\n",
		   READ_ONCE(engine->by_profile[TC_PROFILE_PROCESS]));
	for (i = TC_PIECE_ORDER_MIN; i < TC_BLOCK_ORDER; i++)
		seq_printf(m, "split_order_%d %llu\n", i, READ_ONCE(engine->orders[i]));
	seq_printf(m, "split_pieces_promoted %llu\n", READ_ONCE(engine->promoted));
	seq_printf(m, "split_pieces_left %llu\n", READ_ONCE(engine->left));
	seq_printf(m, "split_pending %u\n", READ_ONCE(engine->nr_flights));
	seq_printf(m, "split_lost %llu\n", READ_ONCE(engine->lost));
	seq_printf(m, "copy_ns %u\n", READ_ONCE(engine->copy_ns));
	seq_printf(m, "split_ns %u\n", READ_ONCE(engine->split_ns));
}
