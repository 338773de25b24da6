/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The terminal and how figures are written. Knows NO_COLOR, whether someone looks, and units.
 */
#ifndef TC_LIB_TERM_H
#define TC_LIB_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tc_style { TC_PLAIN, TC_BOLD, TC_GOOD, TC_WARN, TC_BAD, TC_DIM, TC_NR_STYLES };

/*
 * The sequence that begins a style on standard output; "" when that is no terminal, NO_COLOR is set
 * (to anything but nothing) or TERM is dumb.
 */
const char *tc_style(enum tc_style style);

/* Columns of standard output; 80 when it is no terminal. */
int tc_term_width(void);

/* "12.3 MiB"; @size at least TC_UNIT_SIZE. Returns @text. */
#define TC_UNIT_SIZE 32
char *tc_bytes_text(char *text, uint64_t bytes);
char *tc_pages_text(char *text, uint64_t pages);

/* "1,234,567" */
char *tc_count_text(char *text, uint64_t count);

/* Share in 1/10000 as "12.3 %"; of nothing, "-". */
char *tc_share_text(char *text, uint64_t part, uint64_t all);

/* Progress of something that takes over a second, on standard error when that is a terminal. */
void tc_progress(const char *what, uint64_t done, uint64_t all);
void tc_progress_end(void);

#endif /* TC_LIB_TERM_H */
