// SPDX-License-Identifier: GPL-2.0
/*
 * holder NAME: a process that holds pages and does with them what it is told, until "quit".
 * holder NAME COMMAND [NUMBERS...]: tells it, prints its answer; exit status 1 when it could not.
 *
 *   map PAGES NODE          pages of 4 KiB on a node (-1: any), once
 *   huge PAGES NODE         the same as huge pages
 *   feed FIRST NR COUNT     hands COUNT samples of each to the emulated PMU
 *   on NODE [FIRST NR]      how many pages are on the node
 *   frames [FIRST NR]       their page frames, one a line, 0 for none
 *   address PAGE            its address
 *   touch FIRST NR NODE     writes to them; new ones come from the node
 *   drop FIRST NR           gives them back: the next touch brings others
 *   unmap FIRST NR          takes the addresses away too
 *   collapse FIRST NR       makes huge pages of them (MADV_COLLAPSE)
 *   hugepages               how many huge pages it has
 *   pages                   how many pages it was told to map
 *   pid                     its process
 *
 * Knows system calls. Does not know why pages should be moved.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "feed.h"
#include "placement.h"

#define HUGE_BYTES (2UL << 20)
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

static char *region;
static unsigned long region_pages;

/* One command: its words as numbers, and where the answer goes. */
struct request {
	long argument[3];
	int given;
	FILE *answer;
};

/* The pages that two arguments name; NULL when they are not all in the region. */
static char *range_at(const struct request *request, int at, unsigned long *pages)
{
	unsigned long first = request->argument[at], nr = request->argument[at + 1];

	if (request->given < at + 2)
		first = 0, nr = region_pages;
	if (!nr || first >= region_pages || nr > region_pages - first)
		return NULL;
	*pages = nr;
	return region + first * PLACEMENT_PAGE;
}

/* New pages go to the LRU lists in batches, one for each processor: have them there now. */
static void settle(void)
{
	FILE *file = fopen("/proc/sys/vm/drop_caches", "w");

	if (!file || fputs("1\n", file) < 0 || fclose(file))
		exit(2);
}

static void touch(char *start, unsigned long pages, long node)
{
	unsigned long i;

	if (node >= 0)
		place_on(node);
	for (i = 0; i < pages; i++)
		start[i * PLACEMENT_PAGE] = 1;
	place_anywhere();
	settle();
}

static int do_map(struct request *request, int advice)
{
	unsigned long bytes = request->argument[0] * PLACEMENT_PAGE;
	char *start;

	if (region || request->given != 2)
		return -1;
	start = mmap(NULL, bytes + HUGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (start == MAP_FAILED)
		return -1;
	region = (char *)(((uintptr_t)start + HUGE_BYTES - 1) & ~(HUGE_BYTES - 1));
	region_pages = request->argument[0];
	madvise(start, bytes + HUGE_BYTES, MADV_NOHUGEPAGE);
	if (madvise(region, bytes, advice))
		return -1;
	touch(region, region_pages, request->argument[1]);
	return 0;
}

static int do_base(struct request *request)
{
	return do_map(request, MADV_NOHUGEPAGE);
}

static int do_huge(struct request *request)
{
	return do_map(request, MADV_HUGEPAGE);
}

static int do_feed(struct request *request)
{
	unsigned long pages;
	char *start = range_at(request, 0, &pages);
	int fd;

	if (!start || request->given != 3)
		return -1;
	fd = feed_open();
	feed_pages(fd, start, pages, request->argument[2], 0);
	close(fd);
	return 0;
}

static int do_on(struct request *request)
{
	unsigned long pages, i, count = 0;
	char *start = range_at(request, 1, &pages);
	unsigned char *node;

	if (!start || request->given == 2)
		return -1;
	node = malloc(pages);
	placement_query(start, pages, node);
	for (i = 0; i < pages; i++)
		count += node[i] == request->argument[0];
	free(node);
	fprintf(request->answer, "%lu\n", count);
	return 0;
}

static int do_frames(struct request *request)
{
	FILE *file = fopen("/proc/self/pagemap", "r");
	unsigned long pages, i;
	char *start = range_at(request, 0, &pages);
	uint64_t entry;

	if (!file || !start ||
	    fseek(file, (uintptr_t)start / PLACEMENT_PAGE * sizeof(entry), SEEK_SET))
		return -1;
	for (i = 0; i < pages && fread(&entry, sizeof(entry), 1, file) == 1; i++)
		fprintf(request->answer, "%lu\n",
			(unsigned long)(entry >> 63 ? entry & ((1UL << 55) - 1) : 0));
	fclose(file);
	return i == pages ? 0 : -1;
}

static int do_address(struct request *request)
{
	fprintf(request->answer, "%lu\n",
		(unsigned long)region + request->argument[0] * PLACEMENT_PAGE);
	return 0;
}

static int do_touch(struct request *request)
{
	unsigned long pages;
	char *start = range_at(request, 0, &pages);

	if (!start || request->given != 3)
		return -1;
	touch(start, pages, request->argument[2]);
	return 0;
}

static int do_drop(struct request *request)
{
	unsigned long pages;
	char *start = range_at(request, 0, &pages);

	return start ? madvise(start, pages * PLACEMENT_PAGE, MADV_DONTNEED) : -1;
}

static int do_unmap(struct request *request)
{
	unsigned long pages;
	char *start = range_at(request, 0, &pages);

	return start ? munmap(start, pages * PLACEMENT_PAGE) : -1;
}

static int do_collapse(struct request *request)
{
	unsigned long pages;
	char *start = range_at(request, 0, &pages);

	if (!start || madvise(start, pages * PLACEMENT_PAGE, MADV_HUGEPAGE))
		return -1;
	return madvise(start, pages * PLACEMENT_PAGE, MADV_COLLAPSE);
}

static int do_hugepages(struct request *request)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "r");
	char line[256];
	long kib = -1;

	while (file && kib < 0 && fgets(line, sizeof(line), file))
		sscanf(line, "AnonHugePages: %ld kB", &kib);
	if (file)
		fclose(file);
	fprintf(request->answer, "%ld\n", kib / 2048);
	return kib < 0 ? -1 : 0;
}

static int do_pages(struct request *request)
{
	fprintf(request->answer, "%lu\n", region_pages);
	return 0;
}

static int do_pid(struct request *request)
{
	fprintf(request->answer, "%d\n", getpid());
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct request *request);
} commands[] = {
	{ "map", do_base },
	{ "huge", do_huge },
	{ "feed", do_feed },
	{ "on", do_on },
	{ "frames", do_frames },
	{ "address", do_address },
	{ "touch", do_touch },
	{ "drop", do_drop },
	{ "unmap", do_unmap },
	{ "collapse", do_collapse },
	{ "hugepages", do_hugepages },
	{ "pid", do_pid },
	{ "pages", do_pages },
};

/* Answers one line; the last line of the answer is "ok" or what went wrong. */
static void serve(char *line, FILE *answer)
{
	struct request request = { .answer = answer };
	char *name = strtok(line, " \n"), *word;
	size_t i;

	errno = 0;
	while (request.given < 3 && (word = strtok(NULL, " \n")))
		request.argument[request.given++] = atol(word);
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (name && !strcmp(name, commands[i].name)) {
			fprintf(answer, "%s\n", commands[i].run(&request) ? strerror(errno) : "ok");
			return;
		}
	fprintf(answer, "no such command\n");
}

static struct sockaddr_un address_of(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	snprintf(address.sun_path, sizeof(address.sun_path), "/tmp/holder-%s", name);
	return address;
}

static int hold(const char *name)
{
	struct sockaddr_un address = address_of(name);
	int server = socket(AF_UNIX, SOCK_STREAM, 0), fd;
	FILE *question, *answer;
	char line[256];

	unlink(address.sun_path);
	if (bind(server, (struct sockaddr *)&address, sizeof(address)) || listen(server, 8)) {
		perror(address.sun_path);
		return 2;
	}
	if (daemon(0, 1))
		return 2;
	signal(SIGPIPE, SIG_IGN);
	while ((fd = accept(server, NULL, NULL)) >= 0) {
		question = fdopen(dup(fd), "r");
		answer = fdopen(fd, "w");
		if (!fgets(line, sizeof(line), question))
			line[0] = '\0';
		if (!strcmp(line, "quit\n"))
			return 0;
		serve(line, answer);
		fclose(question);
		fclose(answer);
	}
	return 2;
}

/* Prints the answer but for its last line, which says how it went. */
static int tell(int argc, char **argv)
{
	struct sockaddr_un address = address_of(argv[1]);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), i;
	char line[256] = "";
	FILE *stream;

	if (connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		perror(address.sun_path);
		return 2;
	}
	for (i = 2; i < argc; i++)
		dprintf(fd, "%s%s", argv[i], i + 1 < argc ? " " : "\n");
	stream = fdopen(fd, "r");
	while (fgets(line, sizeof(line), stream) && strcmp(line, "ok\n"))
		printf("%s", line);
	return strcmp(line, "ok\n") && strcmp(argv[2], "quit");
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: holder NAME [COMMAND [NUMBERS...]]\n");
		return 2;
	}
	return argc == 2 ? hold(argv[1]) : tell(argc, argv);
}
