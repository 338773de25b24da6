// SPDX-License-Identifier: GPL-2.0
/*
 * The terminal and how figures are written. Knows NO_COLOR, whether someone looks, and units.
 */
#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static bool colours(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && strcmp(term, "dumb");
}

const char *tc_style(enum tc_style style)
{
	static const char *const sequences[TC_NR_STYLES] = {
		[TC_PLAIN] = "\033[0m", [TC_BOLD] = "\033[1m", [TC_GOOD] = "\033[32m",
		[TC_WARN] = "\033[33m", [TC_BAD] = "\033[31m", [TC_DIM] = "\033[2m",
	};
	static int on = -1;

	if (on < 0)
		on = colours();
	return on ? sequences[style] : "";
}

int tc_term_width(void)
{
	struct winsize size;

	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	return 80;
}

char *tc_bytes_text(char *text, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double value = bytes;
	unsigned int unit = 0;

	while (value >= 1024 && unit < sizeof(units) / sizeof(units[0]) - 1) {
		value /= 1024;
		unit++;
	}
	snprintf(text, TC_UNIT_SIZE, !unit || value >= 100 ? "%.0f %s" : "%.1f %s", value,
		 units[unit]);
	return text;
}

char *tc_pages_text(char *text, uint64_t pages)
{
	return tc_bytes_text(text, pages << 12);
}

char *tc_count_text(char *text, uint64_t count)
{
	char digits[TC_UNIT_SIZE];
	int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count), i, at = 0;

	for (i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			text[at++] = ',';
		text[at++] = digits[i];
	}
	text[at] = '\0';
	return text;
}

char *tc_share_text(char *text, uint64_t part, uint64_t all)
{
	if (all)
		snprintf(text, TC_UNIT_SIZE, "%.1f %%", 100.0 * part / all);
	else
		strcpy(text, "-");
	return text;
}

static bool progress_shown;

/* Nothing for the first second, then at most five times a second. */
void tc_progress(const char *what, uint64_t done, uint64_t all)
{
	static double began, last;
	struct timespec now;
	double t;

	clock_gettime(CLOCK_MONOTONIC, &now);
	t = now.tv_sec + now.tv_nsec / 1e9;
	if (began == 0)
		began = t;
	if (t - began < 1 || t - last < 0.2 || !isatty(STDERR_FILENO))
		return;
	last = t;
	progress_shown = true;
	fprintf(stderr, "\r%s: %.0f %%", what, all ? 100.0 * done / all : 0);
	fflush(stderr);
}

void tc_progress_end(void)
{
	if (progress_shown)
		fputs("\r\033[K", stderr);
	progress_shown = false;
}
