// SPDX-License-Identifier: GPL-2.0
/*
 * holder NAME: a process that holds pages and does with them what it is told, until "quit".
 * holder NAME COMMAND [NUMBERS...]: tells it, prints its answer; exit status 1 when it could not.
 *
 *   map PAGES NODE          pages of 4 KiB on a node (-1: any), once
 *   huge PAGES NODE         the same as huge pages
 *   shared PAGES NODE       the same as shared memory, which is a file of tmpfs
 *   file PAGES NODE         the same of a new file, /disk/NAME
 *   feed FIRST NR COUNT     hands COUNT samples of each to the emulated PMU
 *   feed-pieces FIRST NR COUNT   the same of these pages of each huge page
 *   pieces-on NODE FIRST NR      how many of these pages of each huge page are on the node
 *   on NODE [FIRST NR]      how many pages are on the node
 *   frames [FIRST NR]       their page frames, one a line, 0 for none
 *   address PAGE            its address
 *   touch FIRST NR NODE     writes to them; new ones come from the node
 *   drop FIRST NR           gives them back: the next touch brings others
 *   unmap FIRST NR          takes the addresses away too
 *   collapse FIRST NR       makes huge pages of them (MADV_COLLAPSE)
 *   fill SEED [WORDS]       writes all bytes of all pages, or so many first words of each 64 bytes
 *   clear FIRST NR          writes zeroes to all bytes of these
 *   check SEED FIRST NR     how many of these have another byte than fill wrote
 *   nonzero FIRST NR        how many of these have another byte than zero
 *   bind NODE               binds them all to the node (mbind), moves none
 *   lock FIRST NR           locks them (mlock)
 *   unlock FIRST NR         and lets them go
 *   pin FIRST NR            has io_uring pin them
 *   hugepages               how many huge pages it has
 *   anonymous               how many pages it has in memory
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
#include "wishes.h"

#define HUGE_BYTES (2UL << 20)
#define HUGE_PAGES 512UL
#define LINE_WORDS 8UL
#define PAGE_LINES (PLACEMENT_PAGE / LINE_WORDS / sizeof(uint64_t))
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

static char *region;
static unsigned long region_pages;
static unsigned long filled_words; /* of each line */
static const char *holder_name;

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

/* @fd: of an empty file; -1: of tmpfs */
static int map_shared(struct request *request, int fd)
{
	unsigned long bytes = request->argument[0] * PLACEMENT_PAGE;
	char *start;

	if (region || request->given != 2)
		return -1;
	start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0),
		     fd, 0);
	if (start == MAP_FAILED)
		return -1;
	region = start;
	region_pages = request->argument[0];
	touch(region, region_pages, request->argument[1]);
	return 0;
}

static int do_shared(struct request *request)
{
	return map_shared(request, -1);
}

static int do_file(struct request *request)
{
	char path[96];
	int fd, err;

	snprintf(path, sizeof(path), "/disk/%s", holder_name);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, request->argument[0] * PLACEMENT_PAGE))
		return -1;
	err = map_shared(request, fd);
	close(fd);
	return err;
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

/* The same pages of each huge page, which two arguments name; false when there are none. */
static bool pieces_at(const struct request *request, int at, unsigned long *first,
		      unsigned long *pages)
{
	*first = request->argument[at];
	*pages = request->argument[at + 1];
	return region && request->given == 3 && *pages && *first < HUGE_PAGES &&
	       *pages <= HUGE_PAGES - *first;
}

static int do_feed_pieces(struct request *request)
{
	unsigned long first, pages;
	int fd;

	if (!pieces_at(request, 0, &first, &pages))
		return -1;
	fd = feed_open();
	for (; first + pages <= region_pages; first += HUGE_PAGES)
		feed_pages(fd, region + first * PLACEMENT_PAGE, pages, request->argument[2], 0);
	close(fd);
	return 0;
}

static int do_pieces_on(struct request *request)
{
	unsigned long first, pages, i, count = 0;
	unsigned char node[HUGE_PAGES];

	if (!pieces_at(request, 1, &first, &pages))
		return -1;
	for (; first + pages <= region_pages; first += HUGE_PAGES) {
		placement_query(region + first * PLACEMENT_PAGE, pages, node);
		for (i = 0; i < pages; i++)
			count += node[i] == request->argument[0];
	}
	fprintf(request->answer, "%lu\n", count);
	return 0;
}

/* What fill writes at a word: another value at each address, and never 0. */
static uint64_t word_of(unsigned long seed, const uint64_t *at)
{
	return ((uintptr_t)at + seed) * 0x9e3779b97f4a7c15ULL | 1;
}

static void fill_page(unsigned long seed, uint64_t *page)
{
	unsigned long line, word;

	for (line = 0; line < PAGE_LINES; line++, page += LINE_WORDS)
		for (word = 0; word < filled_words; word++)
			page[word] = word_of(seed, page + word);
}

static bool is_filled(unsigned long seed, const uint64_t *page)
{
	unsigned long line, word;

	for (line = 0; line < PAGE_LINES; line++, page += LINE_WORDS)
		for (word = 0; word < filled_words; word++)
			if (page[word] != word_of(seed, page + word))
				return false;
	return true;
}

static int do_fill(struct request *request)
{
	unsigned long words = request->argument[1], i;

	if (!region || !request->given || words > LINE_WORDS)
		return -1;
	filled_words = request->given == 2 ? words : LINE_WORDS;
	for (i = 0; i < region_pages; i++)
		fill_page(request->argument[0], (uint64_t *)(region + i * PLACEMENT_PAGE));
	return 0;
}

static int do_clear(struct request *request)
{
	unsigned long pages;
	char *start = range_at(request, 0, &pages);

	if (!start || request->given != 2)
		return -1;
	memset(start, 0, pages * PLACEMENT_PAGE);
	return 0;
}

static int do_check(struct request *request)
{
	unsigned long pages, i, bad = 0;
	char *start = range_at(request, 1, &pages);

	if (!start || request->given != 3 || !filled_words)
		return -1;
	for (i = 0; i < pages; i++)
		bad += !is_filled(request->argument[0], (uint64_t *)(start + i * PLACEMENT_PAGE));
	fprintf(request->answer, "%lu\n", bad);
	return 0;
}

static int do_nonzero(struct request *request)
{
	unsigned long pages, i, count = 0;
	char *start = range_at(request, 0, &pages);
	uint64_t *at, bits;

	if (!start || request->given != 2)
		return -1;
	for (i = 0; i < pages; i++) {
		uint64_t *page = (uint64_t *)(start + i * PLACEMENT_PAGE);

		for (at = page, bits = 0; at < page + PLACEMENT_PAGE / sizeof(*at); at++)
			bits |= *at;
		count += bits != 0;
	}
	fprintf(request->answer, "%lu\n", count);
	return 0;
}

static int do_bind(struct request *request)
{
	if (!region || request->given != 1)
		return -1;
	wish_bind(&(struct wish_memory){ region, region_pages, request->argument[0] });
	return 0;
}

static int do_lock(struct request *request)
{
	unsigned long pages;
	char *start = range_at(request, 0, &pages);

	return start ? mlock(start, pages * PLACEMENT_PAGE) : -1;
}

static int do_unlock(struct request *request)
{
	unsigned long pages;
	char *start = range_at(request, 0, &pages);

	return start ? munlock(start, pages * PLACEMENT_PAGE) : -1;
}

static int do_pin(struct request *request)
{
	unsigned long pages;
	char *start = range_at(request, 0, &pages);

	if (!start)
		return -1;
	wish_io_uring(&(struct wish_memory){ .start = start, .pages = pages });
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

/* A line of smaps_rollup in KiB, or -1. */
static long rollup(const char *format)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "r");
	char line[256];
	long kib = -1;

	while (file && kib < 0 && fgets(line, sizeof(line), file))
		sscanf(line, format, &kib);
	if (file)
		fclose(file);
	return kib;
}

static int do_hugepages(struct request *request)
{
	long kib = rollup("AnonHugePages: %ld kB");

	fprintf(request->answer, "%ld\n", kib / 2048);
	return kib < 0 ? -1 : 0;
}

static int do_anonymous(struct request *request)
{
	long kib = rollup("Anonymous: %ld kB");

	fprintf(request->answer, "%ld\n", kib / 4);
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
	{ "shared", do_shared },
	{ "file", do_file },
	{ "feed", do_feed },
	{ "on", do_on },
	{ "frames", do_frames },
	{ "address", do_address },
	{ "touch", do_touch },
	{ "drop", do_drop },
	{ "unmap", do_unmap },
	{ "collapse", do_collapse },
	{ "hugepages", do_hugepages },
	{ "anonymous", do_anonymous },
	{ "feed-pieces", do_feed_pieces },
	{ "pieces-on", do_pieces_on },
	{ "fill", do_fill },
	{ "clear", do_clear },
	{ "check", do_check },
	{ "nonzero", do_nonzero },
	{ "bind", do_bind },
	{ "lock", do_lock },
	{ "unlock", do_unlock },
	{ "pin", do_pin },
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

	holder_name = name;
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
