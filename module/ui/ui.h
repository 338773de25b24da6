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

/* From now on (until off) a changed parameter is applied to the running engine. */
void tc_params_live(bool on);

/* Create and remove /sys/kernel/debug/thermocline. A kernel without debugfs goes without. */
void tc_debugfs_init(void);
void tc_debugfs_exit(void);

#endif /* TC_UI_UI_H */
