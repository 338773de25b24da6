/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory made of pages of a given size, on a given node.
 *
 * Knows madvise(2), the kernel's switches for huge pages, and how to see what
 * was really given (pagemap). Does not know what the memory is for. Needs root.
 */
#ifndef TC_BACKING_H
#define TC_BACKING_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "placement.h"

#define BACKING_HUGE (2UL << 20)
#define BACKING_FRAME ((1ULL << 55) - 1)
#define BACKING_PRESENT (1ULL << 63)

struct backing {
	const char *name;
	unsigned long bytes; /* of a page */
};

static const struct backing backing_base = { "4 KiB", 4096 };
static const struct backing backing_middle = { "64 KiB", 65536 };
static const struct backing backing_huge = { "2 MiB", BACKING_HUGE };

/* Only this size is given by the kernel from here on, where a program asks for huge pages. */
static inline void backing_switch(const struct backing *backing)
{
	static const unsigned long sizes[] = { 65536, BACKING_HUGE };
	char path[96];
	size_t i;

	for (i = 0; i < 2; i++) {
		FILE *file;

		snprintf(path, sizeof(path),
			 "/sys/kernel/mm/transparent_hugepage/hugepages-%lukB/enabled",
			 sizes[i] >> 10);
		file = fopen(path, "w");
		if (!file || fputs(sizes[i] == backing->bytes ? "madvise" : "never", file) < 0 ||
		    fclose(file)) {
			perror(path);
			exit(2);
		}
	}
}

static inline uint64_t backing_frame(int pagemap, const char *address)
{
	uint64_t entry;

	if (pread(pagemap, &entry, sizeof(entry), (uintptr_t)address / 4096 * sizeof(entry)) !=
		    sizeof(entry) ||
	    !(entry & BACKING_PRESENT)) {
		fprintf(stderr, "backing: a page is not there\n");
		exit(2);
	}
	return entry & BACKING_FRAME;
}

/* Every page of this size is whole: adjacent frames, from a multiple of its size on. */
static inline void backing_verify(const char *start, unsigned long bytes,
				  const struct backing *backing)
{
	int pagemap = open("/proc/self/pagemap", O_RDONLY);
	uint64_t pages = backing->bytes / 4096, first = 0;
	unsigned long i;

	for (i = 0; i < bytes / 4096; i++) {
		uint64_t frame = backing_frame(pagemap, start + i * 4096);

		if (i % pages == 0)
			first = frame;
		if (first % pages || frame != first + i % pages) {
			fprintf(stderr, "backing: the kernel gave no pages of %s\n", backing->name);
			exit(2);
		}
	}
	close(pagemap);
}

/* Anonymous memory, aligned to 2 MiB, filled with zeros. */
static inline char *backing_map(unsigned long bytes, const struct backing *backing, int node)
{
	char *map = mmap(NULL, bytes + BACKING_HUGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long i;

	if (map == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
	map += -(uintptr_t)map & (BACKING_HUGE - 1);
	backing_switch(backing);
	madvise(map, bytes, backing->bytes == 4096 ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
	place_on(node);
	for (i = 0; i < bytes; i += 4096)
		*(volatile char *)(map + i) = 0;
	place_anywhere();
	backing_verify(map, bytes, backing);
	return map;
}

#endif
