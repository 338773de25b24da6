// SPDX-License-Identifier: GPL-2.0
/*
 * The region of interest: one process's virtual range and its per-page counts.
 *
 * Knows which range it is, whose, and how to write the page file. Does not
 * know when a window starts (windows.c); the counting itself is in access.c.
 *
 * The region belongs to the page table that was in use when it was named: an
 * access counts if its address lies in the range while that page table is
 * loaded. Another process with the same addresses has another page table.
 * The kernel's own accesses to these addresses (a read() into the region)
 * count too, as they are accesses to the same pages.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

#define PAGE_MASK ((1ULL << TCM_PAGE_SHIFT) - 1)

/* The first vCPU after v (NULL: of all) that is there; NULL if none is. */
struct vcpu *tcm_next_vcpu(struct vcpu *v)
{
	for (v = v ? v + 1 : machine.vcpu; v < machine.vcpu + TCM_MAX_CPUS; v++)
		if (v->present)
			return v;
	return NULL;
}

/* Names the region; counts of an earlier one are gone. */
int tcm_region_set(struct vcpu *caller, uint64_t start, uint64_t bytes)
{
	uint64_t nr_pages = bytes >> TCM_PAGE_SHIFT;
	struct vcpu *v = NULL;

	if (!bytes || (start | bytes) & PAGE_MASK || nr_pages > TCM_MAX_PAGES)
		return -EINVAL;
	machine.region = (struct region){ 0 };
	while ((v = tcm_next_vcpu(v))) {
		free(v->page);
		v->page = calloc(nr_pages, sizeof(*v->page));
		if (!v->page)
			return -ENOMEM;
	}
	caller->cr3 = tcm_read_cr3(caller);
	machine.region = (struct region){
		.start = start,
		.bytes = bytes,
		.cr3 = caller->cr3,
		.nr_pages = nr_pages,
	};
	memset(machine.shared->node, TCM_NODE_ABSENT, nr_pages);
	return 0;
}

void tcm_region_clear_counts(void)
{
	struct vcpu *v = NULL;

	while ((v = tcm_next_vcpu(v)))
		if (v->page)
			memset(v->page, 0, machine.region.nr_pages * sizeof(*v->page));
}

/* Of all vCPUs, in the current window. */
struct page_count tcm_region_page(uint64_t page)
{
	struct page_count sum = { 0 };
	struct vcpu *v = NULL;

	while ((v = tcm_next_vcpu(v))) {
		sum.misses += v->page[page].misses;
		sum.fast += v->page[page].fast;
	}
	return sum;
}

static void write_pages(FILE *file)
{
	uint64_t page;

	fputs("page,accesses,node,fast_accesses\n", file);
	for (page = 0; page < machine.region.nr_pages; page++) {
		struct page_count sum = tcm_region_page(page);
		uint8_t node = machine.shared->node[page];

		fprintf(file, "%llu,%u,%d,%u\n", (unsigned long long)page, sum.misses,
			node == TCM_NODE_ABSENT ? -1 : node, sum.fast);
	}
}

/* One line per page: accesses that reached memory in the last window, and the page's node. */
int tcm_region_write(const char *path)
{
	FILE *file;
	int failed;

	if (!machine.region.bytes)
		return -ENOENT;
	file = fopen(path, "w");
	if (!file)
		return -errno;
	write_pages(file);
	failed = ferror(file);
	if (fclose(file) || failed)
		return -EIO;
	return 0;
}
