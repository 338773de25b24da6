// SPDX-License-Identifier: GPL-2.0
/*
 * kv: the demo's workload, key-value lookups with Zipf popularity.
 *
 * Knows keys, values, where each page starts out, and which windows are
 * measured. Does not know what moves pages, if anything does: it reads the
 * module's counters to report them, no more.
 *
 * A lookup reads one word of each of the 16 cache lines of a value and compares
 * it; at the end every byte of every value is compared.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdint.h>

#include "balloon.h"
#include "heat.h"
#include "node.h"
#include "placement.h"
#include "ticker.h"
#include "values.h"
#include "window.h"
#include "zipf.h"

#define FAST HEAT_FAST
#define SLOW HEAT_SLOW
#define LOOK_PAGES 64 /* filled between two looks at what is free */

static struct {
	unsigned long size_mib, seed, keep_free_mib, reserve_mib;
	unsigned long warm_up, window, run, report; /* operations */
	const char *mode; /* of the module, set when the run begins */
} option = { .seed = 1 };

static struct tcm_shared *machine;
static struct values values;
static uint64_t nr_pages;
static struct zipf zipf;
static struct spread spread_keys;
static uint64_t bad_words;

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

/* All pages, the coldest first: a page's heat is the popularity of its keys. */
static struct place_heat *pages_by_heat(void)
{
	struct place_heat *list = map_anonymous(nr_pages * sizeof(*list));
	uint64_t rank, page;

	for (page = 0; page < nr_pages; page++)
		list[page].place = page;
	for (rank = 1; rank <= values.nr; rank++)
		list[spread(&spread_keys, rank - 1) / VALUES_PER_PAGE].heat += zipf_weight(rank);
	heat_sort(list, nr_pages);
	return list;
}

static void fill_page(uint64_t page)
{
	values_fill_page(&values, page);
}

/* The coldest pages fill the fast node down to the reserve, the hot ones land on the slow node. */
static void fill(void)
{
	struct place_heat *list = pages_by_heat();

	heat_fill(list, nr_pages, option.reserve_mib * 256, LOOK_PAGES, fill_page);
	munmap(list, nr_pages * sizeof(*list));
}

/* --- lookups ---------------------------------------------------------------------------------- */

/* Works on copies, so that the compiler keeps them in registers. */
static void lookups(unsigned long number)
{
	struct spread keys = spread_keys;
	struct values all = values;
	struct zipf ranks = zipf;
	uint64_t wrong = 0;

	while (number--) {
		uint64_t key = spread(&keys, zipf_next(&ranks) - 1);

		wrong += values_lookup(&all, key, ranks.random >> 32);
	}
	zipf = ranks;
	bad_words += wrong;
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

	placement_query((char *)values.word, nr_pages, machine->node);
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

	window_region(machine, values.word, nr_pages * PLACEMENT_PAGE);
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
	values.nr = nr_pages * VALUES_PER_PAGE;
	zipf_init(&zipf, values.nr, option.seed);
	spread_init(&spread_keys, values.nr, option.seed);
	if (!zipf_check(values.nr, option.seed) || !spread_check(&spread_keys))
		return 2;
	values.word = map_anonymous(nr_pages * PLACEMENT_PAGE);
	balloon_leave_free(FAST, option.keep_free_mib * 256);
	printf("kv: %lu MiB of values, %ld MiB of fast memory free: %.2f times\n", option.size_mib,
	       node_free_pages(FAST) / 256, nr_pages / (double)node_free_pages(FAST));
	fill();
	ticker = ticker_start();
	measure();
	ticker_stop(ticker);
	bad_words += values_check(&values);
	printf("kv: %llu wrong words\n", (unsigned long long)bad_words);
	return bad_words ? 1 : 0;
}
