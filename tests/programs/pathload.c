// SPDX-License-Identifier: GPL-2.0
/*
 * pathload PAGES SAMPLES: hands SAMPLES samples, spread evenly over PAGES
 * pages of anonymous memory, to the emulated PMU, and waits until the module
 * has taken them in. What the module executes meanwhile is counted by the
 * simulated machine's plugin (text=). Prints NAME VALUE lines.
 *
 * Knows how to make samples and where a measurement begins and ends. Does not
 * know functions or stages.
 *
 * Pages are visited in an order in which neighbours are far apart, each as
 * often as any other. Exit status 1: the module did not take in every sample.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "feed.h"
#include "node.h"

#define MOST_PAGES (1UL << 20)
#define MOST_SAMPLES 10000000UL
#define STRIDE 15485863UL /* a prime above MOST_PAGES: steps of it visit every page */

/*
 * Freshly touched pages wait in the CPU's batches before they join the LRU
 * list, where the module looks for them: these follow to push them out.
 */
#define PUSHING_PAGES 64UL

/* Long enough for the module's longest sleep, on a slow machine. */
#define POLL_NS 20000000L
#define MOST_POLLS 500

static const char *const counters[] = {
	"samples_received",  "samples_lost", "samples_processed",
	"samples_accounted", "samples_gone", "samples_untracked",
};

#define NR_COUNTERS (sizeof(counters) / sizeof(counters[0]))

static unsigned long number(const char *text, unsigned long most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end || !value || value > most) {
		fprintf(stderr, "pathload: '%s' is not a number from 1 to %lu\n", text, most);
		exit(2);
	}
	return value;
}

static char *touch(unsigned long pages)
{
	unsigned long bytes = (pages + PUSHING_PAGES) * FEED_PAGE, at;
	char *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (start == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
	madvise(start, bytes, MADV_NOHUGEPAGE);
	for (at = 0; at < bytes; at += FEED_PAGE)
		start[at] = 1;
	return start;
}

static struct tcm_feed *plan(const char *start, unsigned long pages, unsigned long samples)
{
	struct tcm_feed *feed = malloc(samples * sizeof(*feed));
	unsigned long i;

	if (!feed) {
		perror("malloc");
		exit(2);
	}
	for (i = 0; i < samples; i++)
		feed[i] = (struct tcm_feed){
			.vaddr = (unsigned long)start + i * STRIDE % pages * FEED_PAGE,
			.count = 1,
		};
	return feed;
}

static void read_counters(long *value)
{
	unsigned int i;

	for (i = 0; i < NR_COUNTERS; i++)
		value[i] = stat_value(THERMOCLINE_STATS, counters[i]);
}

/* True once the module has taken in, or lost, so many more samples than at the start. */
static bool wait_until_taken_in(const long *before, long samples)
{
	const struct timespec pause = { .tv_nsec = POLL_NS };
	long now[NR_COUNTERS];
	int polls;

	for (polls = 0; polls < MOST_POLLS; polls++) {
		nanosleep(&pause, NULL);
		read_counters(now);
		if (now[1] - before[1] + now[2] - before[2] >= samples)
			return true;
	}
	return false;
}

static void feed_all(const struct tcm_feed *feed, unsigned long samples)
{
	ssize_t bytes = samples * sizeof(*feed);
	int fd = feed_open();

	if (write(fd, feed, bytes) != bytes) {
		perror("write to " FEED_FILE);
		exit(2);
	}
	close(fd);
}

/* While the pages are still there. Read twice: the map neither grows nor shrinks now. */
static void say_heat_map(void)
{
	printf("blocks %ld\n", stat_value(THERMOCLINE_STATS, "heatmap_blocks"));
	printf("bytes %ld\n", stat_value(THERMOCLINE_STATS, "heatmap_bytes"));
}

int main(int argc, char **argv)
{
	long before[NR_COUNTERS], after[NR_COUNTERS];
	unsigned long pages, samples;
	struct tcm_feed *feed;
	unsigned int i;
	bool complete;

	if (argc != 3) {
		fprintf(stderr, "usage: pathload PAGES SAMPLES\n");
		return 2;
	}
	pages = number(argv[1], MOST_PAGES);
	samples = number(argv[2], MOST_SAMPLES);
	feed = plan(touch(pages), pages, samples);
	read_counters(before);

	tcm_marker(TCM_CMD_TEXT_BEGIN);
	feed_all(feed, samples);
	complete = wait_until_taken_in(before, samples);
	tcm_marker(TCM_CMD_TEXT_END);

	read_counters(after);
	for (i = 0; i < NR_COUNTERS; i++)
		printf("%s %ld\n", counters[i], after[i] - before[i]);
	say_heat_map();
	return !complete;
}
