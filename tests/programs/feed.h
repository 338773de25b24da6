/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Handing samples of one's own pages to the emulated PMU.
 *
 * Knows debugfs simpmu/feed and its record. Does not know what becomes of
 * the samples.
 */
#ifndef TC_FEED_H
#define TC_FEED_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../machine/include/tcmachine.h"

#define FEED_FILE "/sys/kernel/debug/simpmu/feed"
#define FEED_STATS "/sys/kernel/debug/simpmu/stats"
#define FEED_PAGE 4096UL
#define FEED_BATCH 512UL

static inline int feed_open(void)
{
	int fd = open(FEED_FILE, O_WRONLY);

	if (fd < 0) {
		perror(FEED_FILE);
		exit(2);
	}
	return fd;
}

/* "count" samples of each of the pages; returns when all were delivered or dropped. */
static inline void feed_pages(int fd, const char *start, unsigned long pages, unsigned int count,
			      unsigned int flags)
{
	static struct tcm_feed batch[FEED_BATCH];
	unsigned long done, i;

	for (done = 0; done < pages; done += i) {
		for (i = 0; i < FEED_BATCH && done + i < pages; i++)
			batch[i] = (struct tcm_feed){
				.vaddr = (unsigned long)start + (done + i) * FEED_PAGE,
				.flags = flags,
				.count = count,
			};
		if (write(fd, batch, i * sizeof(batch[0])) != (ssize_t)(i * sizeof(batch[0]))) {
			perror("write to " FEED_FILE);
			exit(2);
		}
	}
}

#endif
