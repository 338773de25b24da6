/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a program says that checks the simulated machine: one line per figure,
 * with what it should be and what it was.
 *
 * Knows the form of the line, which tests/machine/check makes a table of. Does
 * not know what is measured.
 */
#ifndef TC_GAUGE_H
#define TC_GAUGE_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static bool gauge_all_right = true;

/* least and most are the bounds that the figure has to keep to. */
static inline void gauge_line(const char *what, const char *expected, double measured, double least,
			      double most)
{
	bool right = measured >= least && measured <= most;

	gauge_all_right &= right;
	printf("gauge| %s | %s | %.6g | %.6g to %.6g | %s\n", what, expected, measured, least, most,
	       right ? "ok" : "WRONG");
	fflush(stdout);
}

/* Within a share of what is expected, and so much more. */
static inline void gauge(const char *what, double expected, double measured, double share,
			 double more)
{
	double off = fabs(expected) * share + more;
	char text[32];

	snprintf(text, sizeof(text), "%.6g", expected);
	gauge_line(what, text, measured, expected - off, expected + off);
}

/* A name made of parts; valid until the next call. */
__attribute__((format(printf, 1, 2))) static inline const char *gauge_name(const char *format, ...)
{
	static char name[160];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	return name;
}

/* The program's exit status. */
static inline int gauge_end(const char *program)
{
	printf("%s: %s\n", program, gauge_all_right ? "ok" : "FAILED");
	return !gauge_all_right;
}

#endif
