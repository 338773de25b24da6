// SPDX-License-Identifier: GPL-2.0
/*
 * The counters of all vCPUs together, and where they are written.
 *
 * Knows how sums and differences are made and the names of the columns. Does
 * not know when a window starts.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"

#define NR_COUNTERS (sizeof(struct tcm_counts) / sizeof(uint64_t))

/* A member, and how many counters it holds. */
struct column {
	const char *name;
	size_t at;
	size_t nr;
};

#define COLUMN(member)                                                     \
	{ #member, offsetof(struct tcm_counts, member) / sizeof(uint64_t), \
	  sizeof(((struct tcm_counts *)0)->member) / sizeof(uint64_t) }

static const struct column columns[] = {
	COLUMN(time_ps),       COLUMN(kernel_time_ps),
	COLUMN(instructions),  COLUMN(kernel_instructions),
	COLUMN(accesses),      COLUMN(unplaced),
	COLUMN(loads),	       COLUMN(stores),
	COLUMN(write_backs),   COLUMN(memory_ps),
	COLUMN(region),	       COLUMN(region_second),
	COLUMN(region_walks),  COLUMN(tlb_second),
	COLUMN(walks),	       COLUMN(walk_loads),
	COLUMN(walk_misses),   COLUMN(translation_ps),
	COLUMN(flushes),       COLUMN(page_flushes),
	COLUMN(mistranslated), COLUMN(tags),
	COLUMN(samples),       COLUMN(samples_lost),
};

#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void add(struct tcm_counts *to, const struct tcm_counts *from, bool subtract)
{
	const uint64_t *source = (const uint64_t *)from;
	uint64_t *target = (uint64_t *)to;
	size_t i;

	for (i = 0; i < NR_COUNTERS; i++)
		target[i] += subtract ? -source[i] : source[i];
}

struct tcm_counts tcm_total(void)
{
	struct tcm_counts total = { 0 };
	struct vcpu *v = NULL;

	while ((v = tcm_next_vcpu(v))) {
		uint64_t all = *v->ops - v->ops_at_begin;
		uint64_t kernel = *v->kernel_ops - v->kernel_ops_at_begin;

		add(&total, &v->count, false);
		total.instructions += all;
		total.kernel_instructions += kernel;
		total.time_ps += all * machine.config.insn_ps + v->wait_ps;
		total.kernel_time_ps += kernel * machine.config.insn_ps + v->kernel_wait_ps;
	}
	return total;
}

struct tcm_counts tcm_difference(const struct tcm_counts *later, const struct tcm_counts *earlier)
{
	struct tcm_counts difference = *later;

	add(&difference, earlier, true);
	return difference;
}

static void write_names(FILE *file)
{
	size_t i, j;

	fputs("label,window", file);
	for (i = 0; i < NR_COLUMNS; i++)
		for (j = 0; j < columns[i].nr; j++)
			fprintf(file, columns[i].nr > 1 ? ",%s_%zu" : ",%s", columns[i].name, j);
	fputc('\n', file);
}

static void write_values(FILE *file, const char *label, uint64_t window,
			 const struct tcm_counts *counts)
{
	const uint64_t *value = (const uint64_t *)counts;
	size_t i, j;

	fprintf(file, "%.*s,%llu", TCM_LABEL_BYTES, label, (unsigned long long)window);
	for (i = 0; i < NR_COLUMNS; i++)
		for (j = 0; j < columns[i].nr; j++)
			fprintf(file, ",%llu", (unsigned long long)value[columns[i].at + j]);
	fputc('\n', file);
}

/* Appends a line to the file of counts, which the first call makes anew. */
int tcm_write_counts(const char *label, uint64_t window, const struct tcm_counts *counts)
{
	static bool begun;
	FILE *file;
	int failed;

	if (!machine.counts_path)
		return 0;
	file = fopen(machine.counts_path, begun ? "a" : "w");
	if (!file)
		return -errno;
	if (!begun)
		write_names(file);
	begun = true;
	write_values(file, label, window, counts);
	failed = ferror(file);
	return fclose(file) || failed ? -EIO : 0;
}

void tcm_print_speed(const struct tcm_counts *total, double seconds)
{
	fprintf(stderr,
		"tcmachine: %.1f million instructions and %.1f million accesses in %.1f s: %.2f million accesses a second; %llu samples, %llu lost\n",
		total->instructions / 1e6, total->accesses / 1e6, seconds,
		total->accesses / 1e6 / seconds, (unsigned long long)total->samples,
		(unsigned long long)total->samples_lost);
}

_Static_assert(sizeof(struct tcm_counts) % sizeof(uint64_t) == 0, "counters only");
