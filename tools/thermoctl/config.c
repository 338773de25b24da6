// SPDX-License-Identifier: GPL-2.0
/*
 * thermoctl config: settings of the running module, and for its next load in modprobe.d. Knows how
 * they are written; which there are, and their bounds, is in lib/params.c.
 */
#include "thermoctl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/params.h"

#define MODPROBE_FILE "/etc/modprobe.d/thermocline.conf"
#define MOST_CHANGES 64

/* One NAME=VALUE of the command line. */
struct change {
	const struct tc_param *param;
	const char *value;
};

struct options {
	const char *action;
	struct change changes[MOST_CHANGES];
	int count;
	bool stdout_only;
};

/* The present value of a parameter, in new memory; NULL when it cannot be read. */
static char *present(const struct tc_param *param)
{
	char *path = tc_format(TC_PARAMETERS "/%s", param->name), *value = tc_file_line(path);

	free(path);
	/* A text that was never given. */
	if (value && !strcmp(value, "(null)"))
		*value = '\0';
	return value;
}

static void need_module(void)
{
	if (!tc_module_loaded())
		tc_die(TC_EXIT_NO_MODULE,
		       "the module is not loaded: modprobe thermocline, or 'thermoctl config save' for its next load");
}

/* What modprobe.d and tests leave out: it stands for others, or is for tests alone. */
static bool is_setting(const struct tc_param *param)
{
	return strcmp(param->name, "settings") && strcmp(param->name, "hide_symbols");
}

static json_t *param_json(const struct tc_param *param, const char *value)
{
	json_t *object = json_pack("{s:s, s:s?, s:s, s:s, s:b, s:s}", "name", param->name, "value",
				   value, "default", param->value, "unit", param->unit, "run_time",
				   param->run_time, "text", param->text);

	if (param->number) {
		json_object_set_new(object, "minimum", json_integer(param->minimum));
		json_object_set_new(object, "maximum", json_integer(param->maximum));
	}
	return object;
}

static void show_text(const struct tc_param *param, const char *value)
{
	bool changed = value && strcmp(value, param->value) && *param->value;

	printf("%s%-20s%s %s%-12s%s", tc_style(TC_BOLD), param->name, tc_style(TC_PLAIN),
	       tc_style(changed ? TC_WARN : TC_PLAIN),
	       !value ? "-" :
	       *value ? value :
			"\"\"",
	       tc_style(TC_PLAIN));
	if (param->number)
		printf(" %s, %u..%u, default %s", param->unit, param->minimum, param->maximum,
		       param->value);
	else if (*param->value)
		printf(" default %s", param->value);
	printf("%s\n", param->run_time ? "" : " (at load only)");
}

static int show(void)
{
	bool loaded = tc_module_loaded();
	json_t *array = json_array();
	char *value;
	int i;

	if (!loaded && !tc_json)
		puts("the module is not loaded; what it would be loaded with, but for modprobe.d:");
	for (i = 0; i < tc_nr_params; i++) {
		if (!is_setting(&tc_params[i]))
			continue;
		value = loaded ? present(&tc_params[i]) : tc_strdup(tc_params[i].value);
		if (tc_json)
			json_array_append_new(array, param_json(&tc_params[i], value));
		else
			show_text(&tc_params[i], value);
		free(value);
	}
	if (tc_json)
		tc_json_print(json_pack("{s:b, s:o}", "loaded", loaded, "parameters", array));
	else
		json_decref(array);
	return TC_EXIT_OK;
}

static void refuse_bad_values(const struct options *options)
{
	char *why;
	int i;

	for (i = 0; i < options->count; i++) {
		why = tc_param_check(options->changes[i].param, options->changes[i].value);
		if (why)
			tc_die(TC_EXIT_REFUSED, "%s", why);
	}
}

static void refuse_fixed(const struct options *options)
{
	int i;

	for (i = 0; i < options->count; i++)
		if (!options->changes[i].param->run_time)
			tc_die(TC_EXIT_REFUSED,
			       "%s is fixed once the module is loaded: 'thermoctl config save %s=%s', then load it anew",
			       options->changes[i].param->name, options->changes[i].param->name,
			       options->changes[i].value);
}

static void write_param(const char *name, const char *value)
{
	char *path = tc_format(TC_PARAMETERS "/%s", name);
	int err = tc_file_write(path, value);

	free(path);
	if (!err)
		return;
	if (err == -EACCES || err == -EPERM)
		tc_die(TC_EXIT_PERMISSION, "settings are changed by root alone: use sudo");
	if (err == -ENOENT)
		tc_die(TC_EXIT_VERSION,
		       "the loaded module has no parameter %s: it is another version", name);
	tc_die(TC_EXIT_REFUSED,
	       "the module refused %s (%s): 'dmesg | grep thermocline' has the reason", name,
	       strerror(-err));
}

/* Numbers and the mode take effect in one step, all or none; the lists one after the other. */
static void apply(const struct options *options)
{
	char *settings = tc_strdup(""), *more;
	const struct change *change;
	int i;

	for (i = 0; i < options->count; i++) {
		change = &options->changes[i];
		if (!tc_param_in_settings(change->param))
			continue;
		more = tc_format("%s%s%s=%s", settings, *settings ? " " : "", change->param->name,
				 change->value);
		free(settings);
		settings = more;
	}
	if (*settings)
		write_param("settings", settings);
	free(settings);
	for (i = 0; i < options->count; i++)
		if (!tc_param_in_settings(options->changes[i].param))
			write_param(options->changes[i].param->name, options->changes[i].value);
}

static void tell_changes(const struct options *options, const char *verb, char *const *before)
{
	json_t *array = json_array();
	int i;

	for (i = 0; i < options->count; i++) {
		if (tc_json)
			json_array_append_new(array, json_pack("{s:s, s:s?, s:s}", "name",
							       options->changes[i].param->name,
							       "before", before[i], "after",
							       options->changes[i].value));
		else
			printf("%s %s: %s -> %s%s%s\n", verb, options->changes[i].param->name,
			       before[i] ? before[i] : "-", options->changes[i].value,
			       *options->changes[i].param->unit ? " " : "",
			       options->changes[i].param->unit);
	}
	if (tc_json)
		tc_json_print(json_pack("{s:s, s:o}", "action", verb, "changes", array));
	else
		json_decref(array);
}

static int set(const struct options *options, bool really)
{
	char *before[MOST_CHANGES];
	int i;

	refuse_bad_values(options);
	need_module();
	refuse_fixed(options);
	for (i = 0; i < options->count; i++)
		before[i] = present(options->changes[i].param);
	if (really)
		apply(options);
	tell_changes(options, really ? "set" : "would set", before);
	for (i = 0; i < options->count; i++)
		free(before[i]);
	return TC_EXIT_OK;
}

static void add_option(char **line, const char *name, const char *value)
{
	const char *quote = strpbrk(value, " \t") ? "\"" : "";
	char *more = tc_format("%s %s=%s%s%s", *line, name, quote, value, quote);

	free(*line);
	*line = more;
}

/* What was named; or else every present value that is not the default. */
static char *modprobe_line(const struct options *options)
{
	char *line = tc_strdup("options thermocline"), *value;
	int i;

	for (i = 0; i < options->count; i++)
		add_option(&line, options->changes[i].param->name, options->changes[i].value);
	for (i = 0; i < tc_nr_params && !options->count; i++) {
		if (!is_setting(&tc_params[i]))
			continue;
		value = present(&tc_params[i]);
		if (value && *value && strcmp(value, tc_params[i].value))
			add_option(&line, tc_params[i].name, value);
		free(value);
	}
	return line;
}

static int save(const struct options *options)
{
	char *line, *text;
	int err = 0;

	refuse_bad_values(options);
	if (!options->count)
		need_module();
	line = modprobe_line(options);
	text = tc_format(
		"# Settings of the thermocline module at its next load, see thermocline(4).\n"
		"# Written by thermoctl config save; nothing here loads the module.\n%s\n",
		line);
	if (options->stdout_only)
		fputs(text, stdout);
	else
		err = tc_file_replace(MODPROBE_FILE, text);
	if (err == -EACCES || err == -EPERM)
		tc_die(TC_EXIT_PERMISSION, MODPROBE_FILE " is written by root alone: use sudo");
	if (err)
		tc_die(TC_EXIT_FAILED, MODPROBE_FILE ": %s", strerror(-err));
	if (tc_json && !options->stdout_only)
		tc_json_print(json_pack("{s:s, s:s}", "file", MODPROBE_FILE, "line", line));
	else if (!options->stdout_only)
		printf("wrote %s: %s\n", MODPROBE_FILE, line);
	free(text);
	free(line);
	return TC_EXIT_OK;
}

static void add_change(struct options *options, char *word, struct argp_state *state)
{
	char *equals = strchr(word, '=');
	struct change *change = &options->changes[options->count];

	if (!equals)
		argp_error(state, "'%s' is not NAME=VALUE", word);
	if (options->count == MOST_CHANGES)
		argp_error(state, "more than %d settings", MOST_CHANGES);
	change->param = tc_param_find(word, equals - word);
	if (!change->param || !is_setting(change->param))
		tc_die(TC_EXIT_REFUSED, "'%.*s' is no setting: 'thermoctl config show' lists them",
		       (int)(equals - word), word);
	change->value = equals + 1;
	options->count++;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'n':
		options->stdout_only = true;
		return 0;
	case ARGP_KEY_ARG:
		if (!options->action)
			options->action = arg;
		else
			add_change(options, arg, state);
		return 0;
	case ARGP_KEY_END:
		if (options->stdout_only && (!options->action || strcmp(options->action, "save")))
			argp_error(state, "--stdout goes with save");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_option option_table[] = {
	{ "stdout", 'n', NULL, 0, "With save: print the file instead of writing it", 0 },
	{ 0 },
};

static const char doc[] =
	"Shows and changes the settings of the module.\v"
	"show: every setting with its value, unit, bounds and default.\n"
	"set NAME=VALUE...: change the running module; all of them or none, lists one after the other.\n"
	"dry-run NAME=VALUE...: check as set does, and say what would change.\n"
	"save [NAME=VALUE...]: write " MODPROBE_FILE " for the next load: what is named, or all "
	"present values that are not the default.";

static int usage(const struct argp *argp, const char *why)
{
	fprintf(stderr, "%s: config: %s\n", tc_program, why);
	argp_help(argp, stderr, ARGP_HELP_STD_USAGE, "thermoctl config");
	return TC_EXIT_USAGE;
}

int tc_command_config(int argc, char **argv)
{
	struct argp_child children[] = TC_COMMON_CHILDREN;
	struct argp argp = { option_table, parse,    "show|set|save|dry-run [NAME=VALUE...]",
			     doc,	   children, NULL,
			     NULL };
	struct options options = { 0 };

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	if (!options.action || !strcmp(options.action, "show"))
		return options.count ? usage(&argp, "show takes no settings") : show();
	if (!strcmp(options.action, "save"))
		return save(&options);
	if (strcmp(options.action, "set") && strcmp(options.action, "dry-run"))
		return usage(&argp, "only show, set, save and dry-run");
	if (!options.count)
		return usage(&argp, "name at least one setting, as mode=observe");
	return set(&options, !strcmp(options.action, "set"));
}
