// SPDX-License-Identifier: GPL-2.0
/*
 * The command line that all workloads share.
 *
 * Knows names, bounds and defaults. Does not act on any of them.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "work.h"

#define MOST_MIB 4096UL /* a region of the simulated machine */
#define DEFAULT_MIB 64UL
#define WINDOWS 8UL /* of the default run */

struct work_options option = {
	.size_mib = DEFAULT_MIB,
	.seed = 1,
	.window = 0,
	.run = 0,
	.huge = HUGE_SYSTEM,
};

static bool huge_given, reserve_given;

enum {
	KEY_SIZE = 0x100,
	KEY_SEED,
	KEY_WARM_UP,
	KEY_WINDOW,
	KEY_RUN,
	KEY_PLACE,
	KEY_KEEP_FREE,
	KEY_RESERVE,
	KEY_HUGE,
	KEY_START,
	KEY_ORACLE,
	KEY_CORRUPT,
};

static const struct argp_option common_options[] = {
	{ "size", KEY_SIZE, "MIB", 0, "working set (default 64)", 0 },
	{ "seed", KEY_SEED, "N", 0, "of everything random (default 1)", 0 },
	{ "warm-up", KEY_WARM_UP, "OPS", 0, "operations before the first window (default 0)", 0 },
	{ "window", KEY_WINDOW, "OPS", 0, "operations a window (default: by size)", 0 },
	{ "run", KEY_RUN, "OPS", 0, "operations of all windows (default: 8 windows)", 0 },
	{ "place", KEY_PLACE, "WHERE", 0,
	  "start: fast-first, cold-first, interleave or none (default: none)", 0 },
	{ "keep-free", KEY_KEEP_FREE, "MIB", 0,
	  "lock memory of the fast node until so much of it is free (default: all is)", 0 },
	{ "reserve", KEY_RESERVE, "MIB", 0,
	  "left free on the fast node by --place (default: keep-free / 16 + 3)", 0 },
	{ "huge", KEY_HUGE, "WHEN", 0, "huge pages: never, always or system (as the kernel is set)",
	  0 },
	{ "oracle", KEY_ORACLE, NULL, 0, "compute the best placement that fast memory had room for",
	  0 },
	{ "start", KEY_START, "COMMAND", 0, "run by sh after warm-up, before the first window", 0 },
	{ "corrupt", KEY_CORRUPT, "WORD", OPTION_HIDDEN, NULL, 0 },
	{ 0 },
};

void work_die(const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", work.name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(2);
}

/* Decimal digits alone. */
unsigned long option_number(const char *text, const struct argp_state *state)
{
	unsigned long value;

	errno = 0;
	value = strtoul(text, NULL, 10);
	if (errno || !*text || strspn(text, "0123456789") != strlen(text))
		argp_error(state, "'%s' is not a number", text);
	return value;
}

/* The index of a word in a list that ends with NULL. */
static int option_word(const char *text, const char *const *words, const struct argp_state *state)
{
	int i;

	for (i = 0; words[i]; i++)
		if (!strcmp(text, words[i]))
			return i;
	argp_error(state, "'%s' is unknown", text);
	return 0;
}

static unsigned long *number_of(int key)
{
	switch (key) {
	case KEY_SIZE:
		return &option.size_mib;
	case KEY_SEED:
		return &option.seed;
	case KEY_WARM_UP:
		return &option.warm_up;
	case KEY_WINDOW:
		return &option.window;
	case KEY_RUN:
		return &option.run;
	case KEY_KEEP_FREE:
		return &option.keep_free_mib;
	case KEY_RESERVE:
		return &option.reserve_mib;
	case KEY_CORRUPT:
		return &option.corrupt_word;
	default:
		return NULL;
	}
}

static error_t parse_other(int key, char *text, const struct argp_state *state)
{
	static const char *const places[] = {
		[PLACE_NONE] = "none",
		[PLACE_FAST_FIRST] = "fast-first",
		[PLACE_COLD_FIRST] = "cold-first",
		[PLACE_INTERLEAVE] = "interleave",
		[PLACE_INTERLEAVE + 1] = NULL,
	};
	static const char *const whens[] = {
		[HUGE_SYSTEM] = "system",
		[HUGE_NEVER] = "never",
		[HUGE_ALWAYS] = "always",
		[HUGE_ALWAYS + 1] = NULL,
	};

	if (key == KEY_PLACE)
		option.place = option_word(text, places, state);
	else if (key == KEY_HUGE)
		option.huge = option_word(text, whens, state);
	else if (key == KEY_START)
		option.start = text;
	else if (key == KEY_ORACLE)
		option.oracle = true;
	else if (key == ARGP_KEY_ARG)
		argp_error(state, "'%s' is one word too many", text);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static error_t parse_common(int key, char *text, struct argp_state *state)
{
	unsigned long *number = number_of(key);

	huge_given |= key == KEY_HUGE;
	reserve_given |= key == KEY_RESERVE;
	option.corrupt |= key == KEY_CORRUPT;
	if (!number)
		return parse_other(key, text, state);
	*number = option_number(text, state);
	return 0;
}

static void set_defaults(void)
{
	if (option.size_mib < 1 || option.size_mib > MOST_MIB)
		work_die("--size is from 1 to %lu", MOST_MIB);
	if (!option.window)
		option.window = option.size_mib * work.window_per_mib;
	if (!option.run)
		option.run = WINDOWS * option.window;
	if (!reserve_given)
		option.reserve_mib = option.keep_free_mib / 16 + 3;
	if (!huge_given && work.huge)
		option.huge = HUGE_ALWAYS;
}

void options_parse(int argc, char **argv)
{
	const struct argp_child children[] = { { work.options, 0, NULL, 0 }, { 0 } };
	const struct argp argp = {
		.options = common_options,
		.parser = parse_common,
		.doc = work.doc,
		.children = children,
	};

	argp_err_exit_status = 2;
	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	set_defaults();
}
