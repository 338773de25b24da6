// SPDX-License-Identifier: GPL-2.0
/*
 * kv: the demo's workload, key-value lookups with Zipf popularity.
 *
 * Knows keys, values, where each page starts out, and which windows are
 * measured. Does not know what moves pages, if anything does: it reads the
 * module's counters to report them, no more.
 *
 * A value is 1 KiB and holds its key in every word. A lookup reads one word of
 * each of its 16 cache lines and compares it, so a page that was moved wrongly
 * does not stay unnoticed; at the end every byte of every value is compared.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <time.h>

#include "balloon.h"
#include "node.h"
#include "placement.h"
#include "window.h"
#include "zipf.h"

#define VALUE_BYTES 1024UL
#define LINE_BYTES 64UL
#define WORDS_PER_LINE (LINE_BYTES / sizeof(uint64_t))
#define WORDS_PER_VALUE (VALUE_BYTES / sizeof(uint64_t))
#define VALUES_PER_PAGE (PLACEMENT_PAGE / VALUE_BYTES)
#define FAST 0
#define SLOW 1
#define TICKER_NS 10000000

static struct {
	unsigned long size_mib, seed, keep_free_mib, reserve_mib;
	unsigned long warm_up, window, run, report; /* operations */
	const char *mode; /* of the module, set when the run begins */
} option = { .seed = 1 };

static struct tcm_shared *machine;
static uint64_t *value; /* WORDS_PER_VALUE each */
static uint64_t nr_values, nr_pages;
static struct zipf zipf;
static struct spread spread_keys;
static uint64_t bad_words;

static uint64_t word_of(uint64_t key, uint64_t index)
{
	return key * 0x9e3779b97f4a7c15ULL + index;
}

static void *map_anonymous(size_t bytes)
{
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED) {
		perror("mmap");
		exit(2);
	}
	madvise(map, bytes, MADV_NOHUGEPAGE);
	return map;
}

/* --- where pages start out -------------------------------------------------------------------- */

struct page_heat {
	double heat;
	uint32_t page;
};

static int colder_first(const void *a, const void *b)
{
	const struct page_heat *x = a, *y = b;

	if (x->heat != y->heat)
		return x->heat < y->heat ? -1 : 1;
	return x->page < y->page ? -1 : 1;
}

/* All pages, the coldest first: a page's heat is the popularity of its keys. */
static struct page_heat *pages_by_heat(void)
{
	struct page_heat *list = map_anonymous(nr_pages * sizeof(*list));
	uint64_t rank, page;

	for (page = 0; page < nr_pages; page++)
		list[page].page = page;
	for (rank = 1; rank <= nr_values; rank++)
		list[spread(&spread_keys, rank - 1) / VALUES_PER_PAGE].heat += zipf_weight(rank);
	qsort(list, nr_pages, sizeof(*list), colder_first);
	return list;
}

static void fill_page(uint64_t page)
{
	uint64_t key, index;

	for (key = page * VALUES_PER_PAGE; key < (page + 1) * VALUES_PER_PAGE; key++)
		for (index = 0; index < WORDS_PER_VALUE; index++)
			value[key * WORDS_PER_VALUE + index] = word_of(key, index);
}

/* The coldest pages fill the fast node down to the reserve, the hot ones land on the slow node. */
static void fill(void)
{
	struct page_heat *list = pages_by_heat();
	long reserve = option.reserve_mib * 256;
	uint64_t i = 0;

	place_on(FAST);
	while (i < nr_pages && (i % 64 || node_free_pages(FAST) > reserve))
		fill_page(list[i++].page);
	place_on(SLOW);
	for (; i < nr_pages; i++)
		fill_page(list[i].page);
	place_anywhere();
	munmap(list, nr_pages * sizeof(*list));
}

/* --- lookups ---------------------------------------------------------------------------------- */

/* One word of each cache line of the value, the same one in all; returns how many are wrong. */
static inline unsigned int lookup(uint64_t key, uint64_t choice)
{
	const volatile uint64_t *word = value + key * WORDS_PER_VALUE;
	uint64_t index = choice % WORDS_PER_LINE;
	unsigned int wrong = 0;

	for (; index < WORDS_PER_VALUE; index += WORDS_PER_LINE)
		wrong += word[index] != word_of(key, index);
	return wrong;
}

/* Works on copies, so that the compiler keeps them in registers. */
static void lookups(unsigned long number)
{
	struct spread keys = spread_keys;
	struct zipf ranks = zipf;
	uint64_t wrong = 0;

	while (number--) {
		uint64_t key = spread(&keys, zipf_next(&ranks) - 1);

		wrong += lookup(key, ranks.random >> 32);
	}
	zipf = ranks;
	bad_words += wrong;
}

static void check_all_values(void)
{
	uint64_t key, index;

	for (key = 0; key < nr_values; key++)
		for (index = 0; index < WORDS_PER_VALUE; index++)
			bad_words += value[key * WORDS_PER_VALUE + index] != word_of(key, index);
}

/* --- reports ---------------------------------------------------------------------------------- */

static double hit_ratio(void)
{
	const struct tcm_counts *window = &machine->mailbox.window;
	double all = window->region[FAST] + window->region[SLOW];

	return all ? window->region[FAST] / all : 0;
}

static unsigned long pages_on_fast(void)
{
	unsigned long page, count = 0;

	placement_query((char *)value, nr_pages, machine->node);
	for (page = 0; page < nr_pages; page++)
		count += machine->node[page] == FAST;
	return count;
}

static long moved(const char *name)
{
	long pages = stat_value(THERMOCLINE_STATS, name);

	return pages < 0 ? 0 : pages;
}

static void report(const char *what)
{
	window_read(machine);
	printf("%-7s %6.2f s: fast memory served %2.0f %% of accesses and holds %lu of %lu MiB; pages promoted %ld, demoted %ld\n",
	       what, machine->mailbox.total.time_ps * 1e-12, 100 * hit_ratio(),
	       pages_on_fast() / 256, nr_pages / 256, moved("promote_moved_pages"),
	       moved("demote_moved_pages"));
	fflush(stdout);
}

/* Nothing acts before the "before" window is measured; without the module there is nothing to set. */
static void set_mode(void)
{
	FILE *file = fopen("/sys/module/thermocline/parameters/mode", "w");

	if (!file)
		return;
	if (fputs(option.mode, file) < 0 || fclose(file)) {
		perror("kv: the module does not take the mode");
		exit(2);
	}
}

/* The windows: warm-up, before, the run in parts, and the last one, from which the page file is made. */
static void measure(void)
{
	unsigned long done, part;
	double before;

	window_region(machine, value, nr_pages * PLACEMENT_PAGE);
	window_begin(machine);
	lookups(option.warm_up);
	window_next(machine);
	lookups(option.window);
	report("before");
	before = hit_ratio();
	if (option.mode)
		set_mode();
	for (done = 0; done < option.run; done += part) {
		part = option.run - done < option.report ? option.run - done : option.report;
		window_next(machine);
		lookups(part);
		report("running");
	}
	window_next(machine);
	lookups(option.window);
	report("after");
	window_end(machine);
	printf("kv: before=%.6f after=%.6f fast_pages=%lu usable_pages=%ld tags=%llu samples=%llu samples_lost=%llu model_s=%.6f instructions=%llu\n",
	       before, hit_ratio(), pages_on_fast(), node_usable_pages(FAST),
	       (unsigned long long)machine->mailbox.total.tags,
	       (unsigned long long)machine->mailbox.total.samples,
	       (unsigned long long)machine->mailbox.total.samples_lost,
	       machine->mailbox.total.time_ps * 1e-12,
	       (unsigned long long)machine->mailbox.total.instructions);
}

/* --- start ------------------------------------------------------------------------------------ */

/*
 * QEMU keeps a translation for good once it has it, and so hides the accessed
 * bit from then on. A process that wakes now and then makes it look again.
 */
static pid_t start_ticker(void)
{
	const struct timespec pause = { .tv_nsec = TICKER_NS };
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		nanosleep(&pause, NULL);
}

static unsigned long number(const char *text)
{
	char *end;
	unsigned long parsed = strtoul(text, &end, 10);

	if (end == text || *end) {
		fprintf(stderr, "kv: '%s' is not a number\n", text);
		exit(2);
	}
	return parsed;
}

static void parse(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "size", 1, NULL, 'm' },      { "seed", 1, NULL, 's' },
		{ "keep-free", 1, NULL, 'k' }, { "reserve", 1, NULL, 'r' },
		{ "warm-up", 1, NULL, 'u' },   { "window", 1, NULL, 'w' },
		{ "run", 1, NULL, 'n' },       { "report", 1, NULL, 'i' },
		{ "mode", 1, NULL, 'M' },      { NULL, 0, NULL, 0 },
	};
	unsigned long *const target[] = {
		['m'] = &option.size_mib,    ['s'] = &option.seed,    ['k'] = &option.keep_free_mib,
		['r'] = &option.reserve_mib, ['u'] = &option.warm_up, ['w'] = &option.window,
		['n'] = &option.run,	     ['i'] = &option.report,
	};
	int letter;

	while ((letter = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (letter == '?')
			exit(2);
		if (letter == 'M')
			option.mode = optarg;
		else
			*target[letter] = number(optarg);
	}
	if (optind != argc || !option.size_mib || option.size_mib > 4096 || !option.keep_free_mib ||
	    !option.window || !option.report) {
		fprintf(stderr,
			"usage: kv --size MIB --keep-free MIB --reserve MIB --seed N --warm-up OPS --window OPS --run OPS --report OPS [--mode off|observe|tier]\n");
		exit(2);
	}
}

int main(int argc, char **argv)
{
	pid_t ticker;

	parse(argc, argv);
	machine = window_open();
	if (!machine || machine->config.nr_tiers < 2) {
		fprintf(stderr, "kv: no simulated machine with two tiers\n");
		return 2;
	}
	nr_pages = option.size_mib << 8;
	nr_values = nr_pages * VALUES_PER_PAGE;
	zipf_init(&zipf, nr_values, option.seed);
	spread_init(&spread_keys, nr_values, option.seed);
	if (!zipf_check(nr_values, option.seed) || !spread_check(&spread_keys))
		return 2;
	value = map_anonymous(nr_pages * PLACEMENT_PAGE);
	balloon_leave_free(FAST, option.keep_free_mib * 256);
	printf("kv: %lu MiB of values, %ld MiB of fast memory free: %.2f times\n", option.size_mib,
	       node_free_pages(FAST) / 256, nr_pages / (double)node_free_pages(FAST));
	fill();
	ticker = start_ticker();
	measure();
	kill(ticker, SIGKILL);
	check_all_values();
	printf("kv: %llu wrong words\n", (unsigned long long)bad_words);
	return bad_words ? 1 : 0;
}
