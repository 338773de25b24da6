// SPDX-License-Identifier: GPL-2.0
/*
 * pingpong: pages that say who they are, moved to and fro while they are used.
 *
 * Knows what each page must hold: its address, a sequence number and a sum
 * over all its bytes. Readers verify, a writer bumps, and the main thread
 * hands the emulated PMU samples of one half of the region, then of the other,
 * so that the module's own policy brings the halves to fast memory in turn.
 * Only one half fits: the rest of the fast node is locked away first. Does not
 * know how the module decides.
 *
 * Last line: "pages bad=N rounds=N moved_pages=N".
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "balloon.h"
#include "feed.h"
#include "node.h"
#include "placement.h"

#define FAST 0
#define SLOW 1
#define NR_READERS 2
#define PAYLOAD_WORDS (PLACEMENT_PAGE / sizeof(uint64_t) - 3)
#define SAMPLES_A_PASS 2
#define MOST_PASSES 100
#define ARRIVED_PERCENT 75 /* of the hot half on the fast node: the round is won */

/* An odd sequence: the writer is at work. */
struct page {
	_Atomic uint64_t sequence;
	uint64_t address;
	uint64_t sum;
	uint64_t payload[PAYLOAD_WORDS];
};

_Static_assert(sizeof(struct page) == PLACEMENT_PAGE, "one page");

static struct page *region;
static uint64_t *written; /* the sequence that the writer last gave each page */
static unsigned long nr_pages;
static _Atomic unsigned long bad;
static atomic_bool stop;

/* --- a page's contents ------------------------------------------------------------------------ */

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static uint64_t sum_of(const struct page *page, uint64_t sequence)
{
	uint64_t sum = page->address ^ sequence;
	unsigned int i;

	for (i = 0; i < PAYLOAD_WORDS; i++) {
		uint64_t word = *(const volatile uint64_t *)&page->payload[i];

		sum = ((sum << 7 | sum >> 57) ^ word) * 0x9e3779b97f4a7c15ULL;
	}
	return sum;
}

static void complain(const struct page *page, const char *what)
{
	if (atomic_fetch_add(&bad, 1) < 10)
		fprintf(stderr, "pingpong: page %td: %s\n", page - region, what);
}

static void write_page(struct page *page, uint64_t sequence)
{
	unsigned int i;

	atomic_store(&page->sequence, sequence - 1);
	for (i = 0; i < PAYLOAD_WORDS; i++)
		page->payload[i] = (uint64_t)page + sequence * (i + 1);
	page->address = (uint64_t)page;
	page->sum = sum_of(page, sequence);
	written[page - region] = sequence;
	atomic_store(&page->sequence, sequence);
}

static void verify_page(const struct page *page)
{
	uint64_t before = atomic_load(&page->sequence);
	uint64_t sum = sum_of(page, before), expected = *(const volatile uint64_t *)&page->sum;
	uint64_t address = *(const volatile uint64_t *)&page->address;

	atomic_thread_fence(memory_order_acquire);
	if (before & 1 || atomic_load(&page->sequence) != before)
		return; /* the writer came in between */
	if (address != (uint64_t)page)
		complain(page, "holds another page's address");
	if (sum != expected)
		complain(page, "its sum is wrong");
}

/* --- threads ---------------------------------------------------------------------------------- */

/* Busy, but leaving the processors to the module's workers now and then. */
static void breathe(uint64_t *random)
{
	const struct timespec pause = { .tv_nsec = 200000 };

	if (next_random(random) % 16 == 0)
		nanosleep(&pause, NULL);
}

static void *reader(void *seed)
{
	uint64_t random = (uintptr_t)seed;

	while (!atomic_load(&stop)) {
		verify_page(&region[next_random(&random) % nr_pages]);
		breathe(&random);
	}
	return NULL;
}

/* A lost write shows as a sequence that is not the one written last. */
static void *writer(void *seed)
{
	uint64_t random = (uintptr_t)seed;

	while (!atomic_load(&stop)) {
		uint64_t i = next_random(&random) % nr_pages;

		if (atomic_load(&region[i].sequence) != written[i])
			complain(&region[i], "lost a write");
		write_page(&region[i], written[i] + 2);
		breathe(&random);
	}
	return NULL;
}

static void verify_all(void)
{
	unsigned long i;

	for (i = 0; i < nr_pages; i++) {
		if (atomic_load(&region[i].sequence) != written[i])
			complain(&region[i], "lost a write");
		verify_page(&region[i]);
	}
}

/* --- rounds ----------------------------------------------------------------------------------- */

static unsigned long pages_on_fast(const struct page *half)
{
	static unsigned char *node;
	unsigned long i, count = 0;

	if (!node)
		node = malloc(nr_pages / 2);
	placement_query((const char *)half, nr_pages / 2, node);
	for (i = 0; i < nr_pages / 2; i++)
		count += node[i] == FAST;
	return count;
}

static unsigned long moved_pages(void)
{
	long up = stat_value(THERMOCLINE_STATS, "promote_moved_pages");
	long down = stat_value(THERMOCLINE_STATS, "demote_moved_pages");

	if (up < 0 || down < 0) {
		fprintf(stderr, "pingpong: %s does not say what moved\n", THERMOCLINE_STATS);
		exit(2);
	}
	return up + down;
}

/* Heats one half until most of it is in fast memory; false if it does not come. */
static bool play_round(int fd, const struct page *half)
{
	unsigned long wanted = nr_pages / 2 * ARRIVED_PERCENT / 100, here = 0;
	unsigned int pass;

	for (pass = 0; pass < MOST_PASSES; pass++) {
		feed_pages(fd, (const char *)half, nr_pages / 2, SAMPLES_A_PASS, 0);
		here = pages_on_fast(half);
		if (here >= wanted)
			break;
	}
	printf("pingpong: half %c: %lu of %lu pages in fast memory after %u passes, %lu pages moved so far, %lu bad\n",
	       half == region ? 'A' : 'B', here, nr_pages / 2, pass + 1, moved_pages(),
	       atomic_load(&bad));
	fflush(stdout);
	return here >= wanted;
}

static unsigned int play(unsigned int rounds)
{
	int fd = feed_open();
	unsigned int done = 0;

	while (done < rounds && play_round(fd, done % 2 ? region : region + nr_pages / 2))
		done++;
	close(fd);
	return done;
}

/* The first half fills the fast node, the second starts on the slow one. */
static void prepare(void)
{
	/* free pages that the kernel keeps from programs, so that the half fits beside them */
	long watermarks = node_free_pages(FAST) - node_usable_pages(FAST);
	unsigned long i;

	written = calloc(nr_pages, sizeof(*written));
	region = mmap(NULL, nr_pages * PLACEMENT_PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!written || region == MAP_FAILED) {
		perror("pingpong: memory");
		exit(2);
	}
	madvise(region, nr_pages * PLACEMENT_PAGE, MADV_NOHUGEPAGE);
	memset(written, 0, nr_pages * sizeof(*written));
	balloon_leave_free(FAST, nr_pages / 2 + nr_pages / 10 + watermarks);
	place_on(FAST);
	for (i = 0; i < nr_pages; i++) {
		if (i == nr_pages / 2)
			place_on(SLOW);
		write_page(&region[i], 2);
	}
	place_anywhere();
}

int main(int argc, char **argv)
{
	unsigned long mib = argc > 1 ? strtoul(argv[1], NULL, 10) : 256;
	unsigned int rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 12, done;
	pthread_t thread[NR_READERS + 1];
	uintptr_t i;

	if (!mib || mib > 4096 || !rounds || argc > 3) {
		fprintf(stderr, "usage: pingpong [MIB [ROUNDS]]\n");
		return 2;
	}
	nr_pages = mib << 8;
	prepare();
	for (i = 0; i <= NR_READERS; i++)
		pthread_create(&thread[i], NULL, i < NR_READERS ? reader : writer,
			       (void *)(i * 7919 + 88172645463325252UL));
	done = play(rounds);
	atomic_store(&stop, true);
	for (i = 0; i <= NR_READERS; i++)
		pthread_join(thread[i], NULL);
	verify_all();
	printf("pages bad=%lu rounds=%u moved_pages=%lu\n", atomic_load(&bad), done, moved_pages());
	return bad || done < rounds;
}
