/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the tools end and how they complain. Knows exit statuses; does not know what went wrong.
 */
#ifndef TC_LIB_ERRORS_H
#define TC_LIB_ERRORS_H

#include <stdbool.h>

/**
 * enum tc_exit - exit status of every command; thermoctl(8) lists them
 * @TC_EXIT_OK: done
 * @TC_EXIT_FAILED: it could not be done, or doctor found a problem
 * @TC_EXIT_USAGE: the command line is wrong
 * @TC_EXIT_PERMISSION: needs root, or the kernel is locked down
 * @TC_EXIT_NO_MODULE: the module is not loaded, or its debugfs is not there
 * @TC_EXIT_VERSION: a table of debugfs has a version that this tool does not know
 * @TC_EXIT_REFUSED: a value is out of bounds, or the module refused it
 */
enum tc_exit {
	TC_EXIT_OK,
	TC_EXIT_FAILED,
	TC_EXIT_USAGE,
	TC_EXIT_PERMISSION,
	TC_EXIT_NO_MODULE,
	TC_EXIT_VERSION,
	TC_EXIT_REFUSED,
};

/* Name of the program in messages, and whether errors are told as JSON too; set by main(). */
extern const char *tc_program;
extern bool tc_json;

/**
 * tc_die() - say why, and end
 * @status: exit status
 * @format: one sentence that names the thing and the way out
 *
 * With --json the same is printed on standard output as {"error": {"status": N, "text": "..."}}.
 */
void tc_die(enum tc_exit status, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* A warning on standard error; goes on. */
void tc_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory or the end of the program. */
void *tc_alloc(unsigned long size);
char *tc_strdup(const char *text);

/* A formatted text in new memory. */
char *tc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* TC_LIB_ERRORS_H */
