// SPDX-License-Identifier: GPL-2.0
/*
 * Windows: the stretches of time that counts and oracles are made of.
 *
 * Knows when one ends and what is kept of it: a line of counters, the counts of
 * its pages, and what the best placements would have served. Does not know how
 * a page is counted nor how a best placement is found (oracle.c).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "oracle.h"

static struct {
	struct tcm_counts began; /* totals when the window started */
	struct tcm_counts last; /* the window that ended last */
	char label[TCM_LABEL_BYTES + 1];
	uint64_t ended; /* windows since BEGIN */
	uint64_t *all; /* misses per page in those */
	uint64_t misses; /* sum of all[] */
	uint64_t best[TCM_MAX_ORACLES]; /* of each window, summed up */
	uint64_t sizes[TCM_MAX_ORACLES];
	unsigned int nr_sizes;
} windows;

/* For a text file with commas: whatever else a program wrote becomes an underline. */
static void take_label(void)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
	size_t i;

	memset(windows.label, 0, sizeof(windows.label));
	memcpy(windows.label, machine.shared->mailbox.label, TCM_LABEL_BYTES);
	for (i = 0; windows.label[i]; i++)
		if (!strchr(plain, windows.label[i]))
			windows.label[i] = '_';
}

int tcm_set_oracles(void)
{
	unsigned int i;

	if (machine.running)
		return -EBUSY;
	for (i = 0; i < TCM_MAX_ORACLES && machine.shared->mailbox.oracle_pages[i]; i++)
		windows.sizes[i] = machine.shared->mailbox.oracle_pages[i];
	windows.nr_sizes = i;
	return 0;
}

void tcm_windows_begin(void)
{
	memset(&windows.began, 0, sizeof(windows.began));
	memset(windows.best, 0, sizeof(windows.best));
	windows.ended = 0;
	windows.misses = 0;
	free(windows.all);
	windows.all = calloc(machine.region.nr_pages + 1, sizeof(*windows.all));
	take_label();
}

static uint64_t *count_pages(void)
{
	uint64_t page, nr = machine.region.nr_pages;
	uint64_t *count = malloc((nr + 1) * sizeof(*count));

	for (page = 0; count && page < nr; page++) {
		count[page] = tcm_region_page(page).misses;
		windows.all[page] += count[page];
		windows.misses += count[page];
	}
	return count;
}

/* Lines "window,page,misses,fast", without pages that had none. */
static int write_pages(void)
{
	const char *mode = windows.ended ? "a" : "w";
	uint64_t page;
	FILE *file;
	int failed;

	if (!machine.windows_path)
		return 0;
	file = fopen(machine.windows_path, mode);
	if (!file)
		return -errno;
	if (!windows.ended)
		fputs("window,page,misses,fast\n", file);
	for (page = 0; page < machine.region.nr_pages; page++) {
		struct page_count count = tcm_region_page(page);

		if (count.misses)
			fprintf(file, "%llu,%llu,%u,%u\n", (unsigned long long)windows.ended,
				(unsigned long long)page, count.misses, count.fast);
	}
	failed = ferror(file);
	return fclose(file) || failed ? -EIO : 0;
}

static int add_best(void)
{
	uint64_t best[TCM_MAX_ORACLES], *count = count_pages();
	unsigned int i;
	bool found = count && tcm_oracle_best(count, machine.region.nr_pages, windows.sizes,
					      windows.nr_sizes, best);

	free(count);
	for (i = 0; found && i < windows.nr_sizes; i++)
		windows.best[i] += best[i];
	return found ? 0 : -ENOMEM;
}

/* Ends the window and starts the next one, under the mailbox's label if relabel says so. */
int tcm_windows_next(bool relabel)
{
	struct tcm_counts total = tcm_total();
	int err, pages_err;

	if (!machine.running)
		return -EINVAL;
	windows.last = tcm_difference(&total, &windows.began);
	err = tcm_write_counts(windows.label, windows.ended, &windows.last);
	pages_err = write_pages();
	if (!err)
		err = pages_err;
	if (!err)
		err = add_best();
	windows.ended++;
	windows.began = total;
	if (relabel)
		take_label();
	return err;
}

/* Fills in the mailbox. */
void tcm_windows_answer(void)
{
	struct tcm_mailbox *box = &machine.shared->mailbox;
	uint64_t fixed[TCM_MAX_ORACLES] = { 0 };
	unsigned int i;

	box->total = tcm_total();
	box->window = machine.running ? tcm_difference(&box->total, &windows.began) : windows.last;
	box->windows = windows.ended;
	box->oracle_misses = windows.misses;
	memset(box->oracle, 0, sizeof(box->oracle));
	if (!windows.all || !tcm_oracle_best(windows.all, machine.region.nr_pages, windows.sizes,
					     windows.nr_sizes, fixed))
		return;
	for (i = 0; i < windows.nr_sizes; i++)
		box->oracle[i] = (struct tcm_oracle){ fixed[i], windows.best[i] };
}
