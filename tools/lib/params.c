// SPDX-License-Identifier: GPL-2.0
/*
 * The module's parameters, from the module's own tables. Knows what may be written; does not know
 * what a value does.
 */
#include "params.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <thermocline/modes.h>
#include <thermocline/params.h>

#include "../../module/policy/prime.h"
#include "errors.h"

#define RUN_TIME(permissions) (((permissions) & 0200) != 0)

const struct tc_param tc_params[] = {
#define T(n, permissions, default_value, what) \
	{ .name = #n,                          \
	  .value = default_value,              \
	  .unit = "",                          \
	  .run_time = RUN_TIME(permissions),   \
	  .text = what },
#include "text-params.h"
#undef T
#define NUMBER(n, default_value, low, high, permissions, u, what) \
	{ #n, #default_value, u, low, high, true, RUN_TIME(permissions), what },
	TC_PARAMS(NUMBER)
};

const int tc_nr_params = sizeof(tc_params) / sizeof(tc_params[0]);

const struct tc_param *tc_param_find(const char *name, int length)
{
	int i;

	for (i = 0; i < tc_nr_params; i++)
		if (!strncmp(tc_params[i].name, name, length) && !tc_params[i].name[length])
			return &tc_params[i];
	return NULL;
}

static char *check_rules(const struct tc_param *param, unsigned int value)
{
	if (!strcmp(param->name, "ibs_period") && !tc_ibs_period_legal(value))
		return tc_format(
			"ibs_period: %u is not 16 times a prime; the nearest that is: %llu", value,
			(unsigned long long)tc_ibs_period_nearest(value));
	if ((!strcmp(param->name, "pebs_load_period") ||
	     !strcmp(param->name, "pebs_store_period")) &&
	    !tc_is_prime(value))
		return tc_format("%s: %u is not a prime; a loop could then hide from the samples",
				 param->name, value);
	if (!strcmp(param->name, "ring_slots") && (value & (value - 1)))
		return tc_format("ring_slots: %u is not a power of two", value);
	return NULL;
}

static char *check_number(const struct tc_param *param, const char *text)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (!*text || *end || strchr("+- \t", *text) || errno || value < param->minimum ||
	    value > param->maximum)
		return tc_format("%s: '%.32s' is not a number from %u to %u (%s)", param->name,
				 text, param->minimum, param->maximum, param->unit);
	return check_rules(param, value);
}

static char *check_names(const struct tc_param *param, const char *text, const char *const *names,
			 int count)
{
	char *list = tc_strdup(""), *more;
	int i;

	for (i = 0; i < count; i++) {
		if (!strcmp(names[i], text)) {
			free(list);
			return NULL;
		}
		more = tc_format("%s%s%s", list, i ? ", " : "", names[i]);
		free(list);
		list = more;
	}
	more = tc_format("%s: '%.32s' is none of: %s", param->name, text, list);
	free(list);
	return more;
}

char *tc_param_check(const struct tc_param *param, const char *value)
{
	static const char *const modes[] = TC_MODE_NAMES, *const samplers[] = TC_SAMPLER_NAMES;
	static const char *const scopes[] = { "exclude", "include" };

	if (param->number)
		return check_number(param, value);
	if (!strcmp(param->name, "mode"))
		return check_names(param, value, modes, sizeof(modes) / sizeof(modes[0]));
	if (!strcmp(param->name, "sampler"))
		return check_names(param, value, samplers, sizeof(samplers) / sizeof(samplers[0]));
	if (!strcmp(param->name, "scope"))
		return check_names(param, value, scopes, 2);
	if (strpbrk(value, "\"\n"))
		return tc_format("%s: quotation marks and line ends cannot be written",
				 param->name);
	return NULL;
}

bool tc_param_in_settings(const struct tc_param *param)
{
	return param->run_time && (param->number || !strcmp(param->name, "mode"));
}
