// SPDX-License-Identifier: GPL-2.0
/*
 * feed PAGES COUNT [NODE [store]]: touches PAGES pages (on NODE, if given and
 * not "any"), hands COUNT samples of each to the emulated PMU, says where the
 * pages are before and after, and ends. Exit status 1: samples were dropped,
 * as no event wanted them.
 *
 * Knows how to make samples; what should follow from them is the caller's
 * business.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "feed.h"
#include "node.h"
#include "placement.h"

#define MOST_PAGES (1UL << 20)

static unsigned long number(const char *text, unsigned long most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end || !value || value > most) {
		fprintf(stderr, "feed: '%s' is not a number from 1 to %lu\n", text, most);
		exit(2);
	}
	return value;
}

static char *touch(unsigned long pages, const char *node)
{
	char *start = mmap(NULL, pages * FEED_PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long i;

	if (start == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
	madvise(start, pages * FEED_PAGE, MADV_NOHUGEPAGE);
	if (node)
		place_on(atoi(node));
	for (i = 0; i < pages; i++)
		start[i * FEED_PAGE] = 1;
	place_anywhere();
	return start;
}

static void say_where(const char *when, const char *start, unsigned long pages)
{
	unsigned char *node = malloc(pages);
	unsigned long i, count[256] = { 0 };

	placement_query(start, pages, node);
	for (i = 0; i < pages; i++)
		count[node[i]]++;
	printf("%s: node0=%lu node1=%lu absent=%lu\n", when, count[0], count[1], count[255]);
	free(node);
}

int main(int argc, char **argv)
{
	const char *node = argc > 3 && strcmp(argv[3], "any") ? argv[3] : NULL;
	unsigned int flags = 0;
	unsigned long pages, count;
	long dropped;
	char *start;
	int fd;

	if (argc < 3 || argc > 5 || (argc == 5 && strcmp(argv[4], "store"))) {
		fprintf(stderr, "usage: feed PAGES COUNT [NODE|any [store]]\n");
		return 2;
	}
	if (argc == 5)
		flags = TCM_FEED_STORE;
	pages = number(argv[1], MOST_PAGES);
	count = number(argv[2], UINT32_MAX);
	start = touch(pages, node);
	say_where("before", start, pages);
	dropped = stat_value(FEED_STATS, "no_event");
	fd = feed_open();
	feed_pages(fd, start, pages, count, flags);
	close(fd);
	say_where("after", start, pages);
	dropped = stat_value(FEED_STATS, "no_event") - dropped;
	printf("fed %lu dropped %ld\n", pages * count, dropped);
	return dropped > 0;
}
