// SPDX-License-Identifier: GPL-2.0
/*
 * The table of what samples say of each node's memory, and the lines about contention. Knows their form; the figures are
 * made in engine/tier.c.
 */
#include <linux/seq_file.h>

#include "../engine/admit.h"
#include "../engine/balance.h"
#include "../engine/tier.h"
#include "ui.h"

static const char *const tc_contention_names[] = TC_CONTENTION_NAMES;
static const char *const tc_traffic_names[] = TC_TRAFFIC_NAMES;

int tc_tiers_show(struct seq_file *m, void *unused)
{
	struct tc_config config;
	u64 read_kib, written_kib;
	unsigned int tlb_miss_bp;
	struct tc_node *node;

	tc_config_read(&config);
	seq_puts(
		m,
		"# thermocline tiers v1: node tier latency_ns idle_ns read_kib_s written_kib_s traffic tlb_miss_bp (0 ns and -1 bp stand for what is not known)\n");
	tc_for_each_node(node) {
		tc_tier_rates(node, &read_kib, &written_kib);
		seq_printf(m, "%d %s %u %u %llu %llu %s %d\n", node->nid,
			   node->fast ? "fast" : "slow", READ_ONCE(node->tier.latency.loaded_ns),
			   tc_tier_idle_ns(node, &config), read_kib, written_kib,
			   tc_traffic_names[tc_tier_traffic(node)],
			   tc_tier_tlb_miss_bp(node, &tlb_miss_bp) ? (int)tlb_miss_bp : -1);
	}
	return 0;
}

void tc_tiers_status(struct seq_file *m)
{
	u32 over = tc_tier_over_bp();

	seq_printf(m, "contention: %s", tc_contention_names[tc_tier_contention()]);
	if (tc_tier_contention() == TC_CONTENTION_UNKNOWN)
		seq_puts(m, " (no samples with latencies yet)\n");
	else
		seq_printf(m, " (slow memory is %u bp slower than when idle)\n", over);
}

static void tc_admit_stats(struct seq_file *m)
{
	static const char *const pages[] = TC_PAGE_KIND_NAMES;
	struct tc_admit_counts counts;
	int traffic, page;

	tc_admit_read(&counts);
	seq_printf(m, "duplex_bytes %llu\n", counts.bytes);
	seq_printf(m, "duplex_no_memory %llu\n", counts.no_memory);
	seq_printf(m, "duplex_prevented %llu\n", counts.prevented);
	for (traffic = 0; traffic < TC_NR_TRAFFIC_KINDS; traffic++)
		for (page = 0; page < TC_NR_PAGE_KINDS; page++)
			seq_printf(m, "duplex_%s_%s %llu\n", tc_traffic_names[traffic], pages[page],
				   counts.by[traffic][page]);
}

void tc_tiers_stats(struct seq_file *m)
{
	struct tc_balance balance;

	seq_printf(m, "contention_level %u\n", tc_tier_contention());
	seq_printf(m, "contention_over_bp %u\n", tc_tier_over_bp());
	tc_balance_read(&balance);
	seq_printf(m, "balance_stopped %u\n", balance.stopped);
	seq_printf(m, "balance_reserve_bp %u\n", balance.reserve_bp);
	seq_printf(m, "balance_steps %llu\n", balance.steps);
	tc_admit_stats(m);
}
