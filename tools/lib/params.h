/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module's parameters, from the module's own tables: bounds, defaults, units. Knows what may be
 * written; does not know what a value does.
 */
#ifndef TC_LIB_PARAMS_H
#define TC_LIB_PARAMS_H

#include <stdbool.h>

/**
 * struct tc_param - one parameter
 * @name: its name
 * @value: its default, as text; "" when none is given
 * @unit: of a number; "" for texts
 * @minimum, @maximum: bounds of a number
 * @number: is it one?
 * @run_time: may it be changed while the module runs?
 * @text: what it is
 */
struct tc_param {
	const char *name;
	const char *value;
	const char *unit;
	unsigned int minimum;
	unsigned int maximum;
	bool number;
	bool run_time;
	const char *text;
};

extern const struct tc_param tc_params[];
extern const int tc_nr_params;

const struct tc_param *tc_param_find(const char *name, int length);

/**
 * tc_param_check() - may a parameter have this value?
 * @param: the parameter
 * @value: the value
 *
 * The same rules as in the module. Of texts only mode, sampler and scope can be judged here.
 *
 * Return: NULL, or in new memory a sentence that says what it may be.
 */
char *tc_param_check(const struct tc_param *param, const char *value);

/* Is this one of the settings that take effect together, through the parameter "settings"? */
bool tc_param_in_settings(const struct tc_param *param);

#endif /* TC_LIB_PARAMS_H */
