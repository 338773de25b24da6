// SPDX-License-Identifier: GPL-2.0
/*
 * How the tools end and how they complain. Knows exit statuses; does not know what went wrong.
 */
#include "errors.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tc_program = "thermoctl";
bool tc_json;

static void error_as_json(enum tc_exit status, const char *text)
{
	json_t *error = json_pack("{s:{s:i,s:s}}", "error", "status", status, "text", text);

	if (error) {
		json_dumpf(error, stdout, JSON_INDENT(2));
		putchar('\n');
	}
	json_decref(error);
}

static char *format_args(const char *format, va_list args)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = tc_alloc(length + 1);
	vsnprintf(text, length + 1, format, args);
	return text;
}

void tc_die(enum tc_exit status, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = format_args(format, args);
	va_end(args);
	fflush(stdout);
	fprintf(stderr, "%s: %s\n", tc_program, text);
	if (tc_json)
		error_as_json(status, text);
	exit(status);
}

void tc_warn(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = format_args(format, args);
	va_end(args);
	fflush(stdout);
	fprintf(stderr, "%s: %s\n", tc_program, text);
	free(text);
}

void *tc_alloc(unsigned long size)
{
	void *memory = calloc(1, size ? size : 1);

	if (!memory) {
		fprintf(stderr, "%s: no memory for %lu bytes\n", tc_program, size);
		exit(TC_EXIT_FAILED);
	}
	return memory;
}

char *tc_strdup(const char *text)
{
	return strcpy(tc_alloc(strlen(text) + 1), text);
}

char *tc_format(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = format_args(format, args);
	va_end(args);
	return text;
}
