// SPDX-License-Identifier: GPL-2.0
/*
 * thermoctl: what the thermocline module does and how it is told what to do. This file chooses the
 * command; it does not know what one does.
 */
#include "thermoctl.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thermocline/version.h>

const char *argp_program_version = "thermoctl " TC_VERSION;

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} commands[] = {
#define COMMAND_ROW(name, summary) { #name, tc_command_##name, summary },
	TC_COMMANDS(COMMAND_ROW)
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
	if (key != 'j')
		return ARGP_ERR_UNKNOWN;
	tc_json = true;
	return 0;
}

static const struct argp_option common_options[] = {
	{ "json", 'j', NULL, 0, "Print JSON, also of errors", 0 },
	{ 0 },
};

const struct argp tc_common_argp = { common_options, parse_common, NULL, NULL, NULL, NULL, NULL };

/* The command, and where its word is on the command line. */
struct choice {
	const struct command *command;
	int at;
};

static const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

/* The first word that is no option is the command; all behind it is the command's. */
static error_t parse_main(int key, char *arg, struct argp_state *state)
{
	struct choice *choice = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		choice->command = find_command(arg);
		if (!choice->command)
			argp_error(state, "'%s' is no command", arg);
		choice->at = state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_state_help(state, stderr, ARGP_HELP_STD_ERR);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static char *commands_text(void)
{
	char *text = tc_strdup(
		     "Tells what the thermocline module does, and changes its settings.\vCommands:\n"),
	     *more;
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++) {
		more = tc_format("%s  %-9s %s\n", text, commands[i].name, commands[i].summary);
		free(text);
		text = more;
	}
	more = tc_format(
		"%s\n'thermoctl COMMAND --help' tells more. Exit status: 0 done, 1 failed, 2 "
		"wrong command line, 3 needs root, 4 module not loaded, 5 another version's "
		"tables, 6 value refused.\n",
		text);
	free(text);
	return more;
}

int main(int argc, char **argv)
{
	struct choice choice = { 0 };
	struct argp_child children[] = TC_COMMON_CHILDREN;
	struct argp argp = {
		NULL, parse_main, "COMMAND [ARGUMENTS...]", NULL, children, NULL, NULL
	};

	setlocale(LC_CTYPE, "");
	argp_err_exit_status = TC_EXIT_USAGE;
	argp.doc = commands_text();
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice);
	if (!choice.command)
		return TC_EXIT_USAGE;
	/* Messages of the command's own parser name both words. */
	argv[choice.at] = tc_format("thermoctl %s", choice.command->name);
	return choice.command->run(argc - choice.at, argv + choice.at);
}
