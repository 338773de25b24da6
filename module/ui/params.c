// SPDX-License-Identifier: GPL-2.0
/*
 * Module parameters: parse, check against the table, apply. A bad value is refused with a message
 * and the old one stays. Does not know what a value does.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/sched/isolation.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <thermocline/params.h>

#include "../engine/engine.h"
#include "../policy/prime.h"
#include "ui.h"

/* Serializes changes of the settings, and them with load and unload. */
static DEFINE_MUTEX(tc_params_lock);
static bool tc_params_are_live;

static const char *const tc_mode_names[] = TC_MODE_NAMES;
static const char *const tc_split_names[] = TC_SPLIT_POLICY_NAMES;
static const char *const tc_policy_names[] = TC_POLICY_NAMES;
static const char *const tc_duplex_names[] = TC_DUPLEX_NAMES;
static const char *const tc_sampler_names[] = TC_SAMPLER_NAMES;

/* One row of params.h, with the place of the value in struct tc_config. */
struct tc_param {
	const char *name;
	const char *unit;
	unsigned int minimum;
	unsigned int maximum;
	bool fixed; /* once the module runs */
	size_t offset;
};

enum {
#define TC_PARAM_ENUM(name, ...) TC_PARAM_##name,
	TC_PARAMS(TC_PARAM_ENUM) TC_NR_PARAMS
};

static const struct tc_param tc_params[TC_NR_PARAMS] = {
#define TC_PARAM_ROW(n, value, low, high, perm, u, text) \
	[TC_PARAM_##n] = { .name = #n,                   \
			   .unit = u,                    \
			   .minimum = low,               \
			   .maximum = high,              \
			   .fixed = !((perm) & 0200),    \
			   .offset = offsetof(struct tc_config, n) },
	TC_PARAMS(TC_PARAM_ROW)
};

static unsigned int *tc_param_value(struct tc_config *config, const struct tc_param *param)
{
	return (void *)config + param->offset;
}

/* One change at a time. One that the hardware refuses is undone. */
static int tc_params_change(const struct tc_config *old, const struct tc_config *new)
{
	int err = tc_params_are_live ? tc_engine_check(new) : 0;

	if (err)
		return err;
	tc_config_write(new);
	if (!tc_params_are_live)
		return 0;
	err = tc_engine_apply(new);
	if (err) {
		tc_config_write(old);
		tc_engine_apply(old);
	}
	return err;
}

/* What the bounds of the table do not say. */
static int tc_param_check(const struct tc_param *param, unsigned int value)
{
	if (param == &tc_params[TC_PARAM_ibs_period] && !tc_ibs_period_legal(value)) {
		pr_err("ibs_period: %u is not 16 times a prime; the nearest that is: %llu\n", value,
		       tc_ibs_period_nearest(value));
		return -EINVAL;
	}
	if ((param == &tc_params[TC_PARAM_pebs_load_period] ||
	     param == &tc_params[TC_PARAM_pebs_store_period]) &&
	    !tc_is_prime(value)) {
		pr_err("%s: %u is not a prime; a loop could then hide from the samples\n",
		       param->name, value);
		return -EINVAL;
	}
	if (param == &tc_params[TC_PARAM_ring_slots] && !is_power_of_2(value)) {
		pr_err("ring_slots: %u is not a power of two\n", value);
		return -EINVAL;
	}
	if (param == &tc_params[TC_PARAM_temperature_step] && value && !is_power_of_2(value)) {
		pr_err("temperature_step: %u is not a power of two\n", value);
		return -EINVAL;
	}
	return 0;
}

static int tc_param_parse(const struct tc_param *param, const char *text, struct tc_config *config)
{
	unsigned int value;
	int err;

	if (text && param->maximum == 1 && sysfs_streq(text, "on")) {
		value = 1;
	} else if (text && param->maximum == 1 && sysfs_streq(text, "off")) {
		value = 0;
	} else if (!text || kstrtouint(text, 0, &value) || value < param->minimum ||
		   value > param->maximum) {
		pr_err("%s: '%.32s' is not a number from %u to %u (%s)\n", param->name,
		       text ? text : "", param->minimum, param->maximum, param->unit);
		return -EINVAL;
	}
	err = tc_param_check(param, value);
	if (err)
		return err;
	*tc_param_value(config, param) = value;
	return 0;
}

static int tc_param_set(const char *text, const struct kernel_param *kp)
{
	struct tc_config old, new;
	int err;

	mutex_lock(&tc_params_lock);
	tc_config_read(&old);
	new = old;
	err = tc_param_parse(kp->arg, text, &new);
	if (!err)
		err = tc_params_change(&old, &new);
	mutex_unlock(&tc_params_lock);
	return err;
}

static int tc_param_get(char *buffer, const struct kernel_param *kp)
{
	struct tc_config config;

	tc_config_read(&config);
	return sysfs_emit(buffer, "%u\n", *tc_param_value(&config, kp->arg));
}

static const struct kernel_param_ops tc_param_ops = {
	.set = tc_param_set,
	.get = tc_param_get,
};

#define TC_PARAM_DEFINE(name, value, low, high, perm, unit, text)                        \
	module_param_cb(name, &tc_param_ops, (void *)&tc_params[TC_PARAM_##name], perm); \
	MODULE_PARM_DESC(name, text " (" unit ", " #low ".." #high ", default " #value ")");
TC_PARAMS(TC_PARAM_DEFINE)

static int tc_match(const char *const *names, int count, const char *text, const char *param)
{
	int i = text ? __sysfs_match_string(names, count, text) : -EINVAL;

	if (i < 0)
		pr_err("%s: '%.32s' is none of the values it may have, see modinfo\n", param,
		       text ? text : "");
	return i;
}

/* A parameter that is one of some words, with the place of its number in struct tc_config. */
struct tc_choice {
	const char *name;
	const char *const *words;
	int count;
	size_t offset;
};

enum { TC_CHOICE_MODE, TC_CHOICE_SPLIT, TC_CHOICE_POLICY, TC_CHOICE_DUPLEX, TC_NR_CHOICES };

static const struct tc_choice tc_choices[TC_NR_CHOICES] = {
	[TC_CHOICE_MODE] = { "mode", tc_mode_names, ARRAY_SIZE(tc_mode_names),
			     offsetof(struct tc_config, mode) },
	[TC_CHOICE_SPLIT] = { "split", tc_split_names, ARRAY_SIZE(tc_split_names),
			      offsetof(struct tc_config, split) },
	[TC_CHOICE_POLICY] = { "policy", tc_policy_names, ARRAY_SIZE(tc_policy_names),
			       offsetof(struct tc_config, policy) },
	[TC_CHOICE_DUPLEX] = { "duplex", tc_duplex_names, ARRAY_SIZE(tc_duplex_names),
			       offsetof(struct tc_config, duplex) },
};

/* Enumerations are as large as an int. */
static unsigned int *tc_choice_value(struct tc_config *config, const struct tc_choice *choice)
{
	return (void *)config + choice->offset;
}

static int tc_choice_parse(const struct tc_choice *choice, const char *text,
			   struct tc_config *config)
{
	int i = tc_match(choice->words, choice->count, text, choice->name);

	if (i < 0)
		return i;
	*tc_choice_value(config, choice) = i;
	return 0;
}

static int tc_choice_set(const char *text, const struct kernel_param *kp)
{
	const struct tc_choice *choice = kp->arg;
	struct tc_config old, new;
	int err;

	mutex_lock(&tc_params_lock);
	tc_config_read(&old);
	new = old;
	err = tc_choice_parse(choice, text, &new);
	if (!err)
		err = tc_params_change(&old, &new);
	if (!err && choice == &tc_choices[TC_CHOICE_MODE] && tc_params_are_live)
		tc_engine_forgive();
	mutex_unlock(&tc_params_lock);
	return err;
}

static int tc_choice_get(char *buffer, const struct kernel_param *kp)
{
	const struct tc_choice *choice = kp->arg;
	struct tc_config config;

	tc_config_read(&config);
	return sysfs_emit(buffer, "%s\n", choice->words[*tc_choice_value(&config, choice)]);
}

static const struct kernel_param_ops tc_choice_ops = {
	.set = tc_choice_set,
	.get = tc_choice_get,
};

module_param_cb(mode, &tc_choice_ops, (void *)&tc_choices[TC_CHOICE_MODE], 0644);
MODULE_PARM_DESC(
	mode,
	"off, observe (move nothing), advise (count what would be moved) or tier (default tier)");
module_param_cb(split, &tc_choice_ops, (void *)&tc_choices[TC_CHOICE_SPLIT], 0644);
MODULE_PARM_DESC(
	split,
	"off; memtis: huge pages with few hot pages are split into base pages; tierbpf: into hot pieces when promoted under contention; joint: when that pays (default memtis)");

module_param_cb(policy, &tc_choice_ops, (void *)&tc_choices[TC_CHOICE_POLICY], 0644);
MODULE_PARM_DESC(
	policy,
	"memtis: promote and demote by heat; tpp: by how lately pages were touched; balance: by heat while fast memory is quicker under load (default memtis)");

module_param_cb(duplex, &tc_choice_ops, (void *)&tc_choices[TC_CHOICE_DUPLEX], 0644);
MODULE_PARM_DESC(
	duplex,
	"does the link of slow memory carry reads and writes at once: auto (that of CXL does), full, half, or off: do not ask (default auto)");

/* One word of settings, NAME=VALUE. */
static int tc_setting_parse(char *word, struct tc_config *config, bool *mode_set)
{
	char *value = word;
	const char *name = strsep(&value, "=");
	int i;

	for (i = 0; i < TC_NR_CHOICES; i++) {
		if (strcmp(name, tc_choices[i].name))
			continue;
		*mode_set |= i == TC_CHOICE_MODE;
		return tc_choice_parse(&tc_choices[i], value, config);
	}
	for (i = 0; i < TC_NR_PARAMS; i++) {
		if (strcmp(name, tc_params[i].name))
			continue;
		if (!tc_params[i].fixed || !tc_params_are_live)
			return tc_param_parse(&tc_params[i], value, config);
		pr_err("settings: %s is fixed once the module is loaded\n", name);
		return -EPERM;
	}
	pr_err("settings: '%.32s' is no setting; write NAME=VALUE, separated by blanks\n", name);
	return -EINVAL;
}

static int tc_settings_parse(char *text, struct tc_config *config, bool *mode_set)
{
	char *word;
	int err = 0;

	while (!err && (word = strsep(&text, " \t\n")) != NULL)
		if (*word)
			err = tc_setting_parse(word, config, mode_set);
	return err;
}

/* All of them or none. */
static int tc_settings_set(const char *text, const struct kernel_param *kp)
{
	char *copy = kstrdup(text ?: "", GFP_KERNEL);
	struct tc_config old, new;
	bool mode_set = false;
	int err;

	if (!copy)
		return -ENOMEM;
	mutex_lock(&tc_params_lock);
	tc_config_read(&old);
	new = old;
	err = tc_settings_parse(copy, &new, &mode_set);
	if (!err)
		err = tc_params_change(&old, &new);
	if (!err && mode_set && tc_params_are_live)
		tc_engine_forgive();
	mutex_unlock(&tc_params_lock);
	kfree(copy);
	return err;
}

static int tc_settings_get(char *buffer, const struct kernel_param *kp)
{
	struct tc_config config;
	int i, at;

	tc_config_read(&config);
	at = sysfs_emit(buffer, "mode=%s split=%s policy=%s duplex=%s", tc_mode_names[config.mode],
			tc_split_names[config.split], tc_policy_names[config.policy],
			tc_duplex_names[config.duplex]);
	for (i = 0; i < TC_NR_PARAMS; i++)
		if (!tc_params[i].fixed)
			at += sysfs_emit_at(buffer, at, " %s=%u", tc_params[i].name,
					    *tc_param_value(&config, &tc_params[i]));
	return at + sysfs_emit_at(buffer, at, "\n");
}

static const struct kernel_param_ops tc_settings_ops = {
	.set = tc_settings_set,
	.get = tc_settings_get,
};

module_param_cb(settings, &tc_settings_ops, NULL, 0644);
MODULE_PARM_DESC(settings,
		 "several settings at once, all or none: NAME=VALUE, separated by blanks");

static enum tc_sampler_kind tc_sampler_kind;

static int tc_sampler_set(const char *text, const struct kernel_param *kp)
{
	int kind = tc_match(tc_sampler_names, ARRAY_SIZE(tc_sampler_names), text, "sampler");

	if (kind < 0)
		return kind;
	tc_sampler_kind = kind;
	return 0;
}

static int tc_sampler_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", tc_sampler_names[tc_sampler_kind]);
}

static const struct kernel_param_ops tc_sampler_ops = {
	.set = tc_sampler_set,
	.get = tc_sampler_get,
};

module_param_cb(sampler, &tc_sampler_ops, NULL, 0444);
MODULE_PARM_DESC(
	sampler,
	"source of samples: auto, ibs (AMD), pebs (Intel), scan (accessed bits), hint (NUMA hint faults) or none (default auto)");

static char *fast_nodes;
module_param(fast_nodes, charp, 0444);
MODULE_PARM_DESC(fast_nodes, "list of fast memory nodes, as 0-1 (default: the kernel's top tier)");

static char *slow_nodes;
module_param(slow_nodes, charp, 0444);
MODULE_PARM_DESC(slow_nodes, "list of slow memory nodes, as 2,3 (default: all that are not fast)");

static char *sample_cpus;
module_param(sample_cpus, charp, 0444);
MODULE_PARM_DESC(sample_cpus, "list of CPUs to sample on (default: all that keep their tick)");

static char *hide_symbols;
module_param(hide_symbols, charp, 0400);
MODULE_PARM_DESC(hide_symbols, "for tests: comma separated kernel symbols to treat as absent");

static int tc_parse_nodes(const char *name, const char *text, nodemask_t *nodes)
{
	nodes_clear(*nodes);
	if (!text || (!nodelist_parse(text, *nodes) && !nodes_empty(*nodes)))
		return 0;
	pr_err("%s: '%.64s' is not a list of nodes, as 0 or 0-1,3\n", name, text);
	return -EINVAL;
}

static int tc_parse_cpus(const char *text, struct cpumask *cpus)
{
	if (!text) {
		cpumask_copy(cpus, housekeeping_cpumask(HK_TYPE_TICK));
		return 0;
	}
	if (!cpulist_parse(text, cpus) && cpumask_intersects(cpus, cpu_possible_mask))
		return 0;
	pr_err("sample_cpus: '%.64s' is not a list of CPUs of this machine, as 0-3,8\n", text);
	return -EINVAL;
}

int tc_params_load(struct tc_load_options *options)
{
	int err;

	options->sampler = tc_sampler_kind;
	options->hidden = hide_symbols;
	err = tc_parse_nodes("fast_nodes", fast_nodes, &options->fast);
	if (!err)
		err = tc_parse_nodes("slow_nodes", slow_nodes, &options->slow);
	if (!err)
		err = tc_parse_cpus(sample_cpus, &options->cpus);
	return err;
}

void tc_params_live(bool on)
{
	struct tc_config config;

	mutex_lock(&tc_params_lock);
	tc_params_are_live = on;
	tc_config_read(&config);
	if (on)
		tc_engine_apply(&config);
	mutex_unlock(&tc_params_lock);
}
