/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What people see and set: parameters and debugfs. Knows how to read and print everything;
 * nothing below knows of it.
 */
#ifndef TC_UI_UI_H
#define TC_UI_UI_H

#include <linux/cpumask.h>
#include <linux/nodemask.h>
#include <thermocline/modes.h>

/**
 * struct tc_load_options - parameters that are read once, at load
 * @sampler: source of samples
 * @fast: fast_nodes=, empty when not given; @slow: slow_nodes=, alike
 * @cpus: CPUs to sample on
 * @hidden: names of symbols to treat as absent, for tests; NULL: none
 */
struct tc_load_options {
	enum tc_sampler_kind sampler;
	nodemask_t fast;
	nodemask_t slow;
	struct cpumask cpus;
	const char *hidden;
};

/**
 * tc_params_load() - read the parameters given at load
 * @options: filled
 *
 * Context: process context; once.
 *
 * Return: 0, or -EINVAL with a message that names the parameter and what it may be.
 */
int tc_params_load(struct tc_load_options *options);

/* Apply the parameters to the running engine, now and (until off) whenever one changes. */
void tc_params_live(bool on);

/**
 * tc_scope_load() - put the scope_ parameters into effect
 *
 * Context: process context, sleeps; once, before anything is moved. tc_scope_unload() is its
 * mirror, when nothing is moved any more.
 *
 * Return: 0 or a negative errno, with a message that names the entry.
 */
int tc_scope_load(void);
void tc_scope_unload(void);

/* Create and remove /sys/kernel/debug/thermocline. A kernel without debugfs goes without. */
void tc_debugfs_init(void);
void tc_debugfs_exit(void);

/* The table of memory by page type, and the lines of stats about it. Context: process context. */
int tc_temperature_show(struct seq_file *m, void *unused);
void tc_temperature_stats(struct seq_file *m);

/* The lines of stats about huge pages that are to be promoted. Context: process context. */
void tc_granularity_stats(struct seq_file *m);

/* The table of what samples say of nodes, the line of the status and those of stats about it. Context: process context. */
int tc_tiers_show(struct seq_file *m, void *unused);
void tc_tiers_status(struct seq_file *m);
void tc_tiers_stats(struct seq_file *m);

#endif /* TC_UI_UI_H */
