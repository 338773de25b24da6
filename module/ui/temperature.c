// SPDX-License-Identifier: GPL-2.0
/*
 * The table of memory by cgroup and page type. Knows its form and turns tracked pages into estimates; the
 * figures are made in engine/usage.c.
 */
#include <linux/seq_file.h>

#include "../engine/usage.h"
#include "ui.h"

static const char *const tc_page_type_names[] = TC_PAGE_TYPE_NAMES;

/* One line of the table, before it is scaled up. */
struct tc_row {
	struct tc_use_tally tally;
	u64 again[TC_NR_SPANS];
};

static void tc_row_add(struct tc_row *row, unsigned int slot, unsigned int type)
{
	const struct tc_use_table *table = tc_usage.shown;
	unsigned int span;

	tc_use_tally_add(&row->tally, &table->tally[slot][type]);
	for (span = 0; span < TC_NR_SPANS; span++)
		row->again[span] += table->again[slot][type][span];
}

static bool tc_row_empty(const struct tc_row *row)
{
	u64 sum = tc_use_pages(&row->tally);
	unsigned int span;

	for (span = 0; span < TC_NR_SPANS; span++)
		sum += row->again[span];
	return !sum;
}

static void tc_show_estimate(struct seq_file *m, u64 tracked)
{
	seq_printf(m, " %llu", tracked << tc_usage.shift);
}

static void tc_row_show(struct seq_file *m, const struct tc_row *row, const char *type)
{
	static const u32 shares_bp[] = { 9000, 9500, 9900 };
	const struct tc_use_tally *tally = &row->tally;
	u64 within = 0, sampled, samples = tc_use_samples(tally, &sampled);
	unsigned int i;

	seq_printf(m, " %s", type);
	tc_show_estimate(m, tc_use_pages(tally));
	for (i = 0; i < TC_SPAN_LONGER; i++) {
		within += tally->accessed[i];
		tc_show_estimate(m, within);
	}
	tc_show_estimate(m, (u64)tally->accessed[TC_SPAN_LONGER] + tally->untouched);
	tc_show_estimate(m, tally->fresh);
	for (i = 0; i < TC_NR_SPANS; i++)
		tc_show_estimate(m, row->again[i]);
	tc_show_estimate(m, samples);
	tc_show_estimate(m, sampled);
	tc_show_estimate(m, tally->sampled[0]);
	for (i = 0; i < ARRAY_SIZE(shares_bp); i++)
		tc_show_estimate(m, tc_use_needed(tally, shares_bp[i]));
	seq_putc(m, '\n');
}

static void tc_show_cgroup(struct seq_file *m, unsigned int first, unsigned int end)
{
	if (end - first > 1)
		seq_puts(m, "machine");
	else if (first == TC_GROUP_OTHER)
		seq_puts(m, "other");
	else
		seq_printf(m, "%llu", tc_usage.shown->id[first]);
}

/* The lines of the slots @first to below @end together: each type that there is, and all types. */
static void tc_show_slots(struct seq_file *m, unsigned int first, unsigned int end)
{
	struct tc_row all = {}, row;
	unsigned int slot, type;

	for (type = 0; type < TC_NR_PAGE_TYPES; type++) {
		row = (struct tc_row){};
		for (slot = first; slot < end; slot++) {
			tc_row_add(&row, slot, type);
			tc_row_add(&all, slot, type);
		}
		if (tc_row_empty(&row))
			continue;
		tc_show_cgroup(m, first, end);
		tc_row_show(m, &row, tc_page_type_names[type]);
	}
	if (tc_row_empty(&all))
		return;
	tc_show_cgroup(m, first, end);
	tc_row_show(m, &all, "all");
}

int tc_temperature_show(struct seq_file *m, void *unused)
{
	unsigned int slot;

	seq_puts(
		m,
		"# thermocline temperature v1: cgroup type pages within_1 within_2 within_5 within_10 longer fresh again_1 again_2 again_5 again_10 again_longer samples sampled once ws_90 ws_95 ws_99 (pages of 4 KiB; times in temperature_unit_s)\n");
	mutex_lock(&tc_usage.lock);
	if (tc_usage.passes) {
		tc_show_slots(m, 0, TC_GROUP_SLOTS);
		for (slot = 0; slot < TC_GROUP_SLOTS; slot++)
			tc_show_slots(m, slot, slot + 1);
	}
	mutex_unlock(&tc_usage.lock);
	return 0;
}

void tc_temperature_stats(struct seq_file *m)
{
	const struct tc_usage *t = &tc_usage;

	seq_printf(m, "temperature_step %u\n", READ_ONCE(t->on) ? 1U << READ_ONCE(t->shift) : 0);
	seq_printf(m, "temperature_bytes %llu\n", tc_usage_bytes());
	seq_printf(m, "temperature_samples %llu\n", READ_ONCE(t->samples));
	seq_printf(m, "temperature_dropped %llu\n", READ_ONCE(t->dropped));
	seq_printf(m, "temperature_passes %llu\n", READ_ONCE(t->passes));
	seq_printf(m, "temperature_windows %llu\n", READ_ONCE(t->windows));
	seq_printf(m, "temperature_no_memory %llu\n", READ_ONCE(t->no_memory));
}
