// SPDX-License-Identifier: GPL-2.0
/*
 * moving: lookups of which most go to a hot set, which is another one in each phase.
 *
 * Knows which pages are hot when. Does not know who finds that out. Nine of
 * ten lookups go to the hot set, evenly; the tenth goes anywhere. The hot sets
 * of following phases have no page in common until all pages have had their
 * turn. An operation is one lookup, as in zipf.
 */
#include "arena.h"
#include "values.h"
#include "work.h"
#include "zipf.h"

#define WINDOWS_A_PHASE 4UL
#define STREAM 1
#define HOT_PERCENT 90

static struct values values;
static struct spread spread_pages;
static uint64_t nr_pages, nr_hot;
static uint64_t operation;
static unsigned long hot_mib, phase_operations;

static const struct argp_option extra_options[] = {
	{ "hot", 'h', "MIB", 0, "size of the hot set (default: a sixteenth)", 0 },
	{ "phase", 'p', "OPS", 0, "operations until it moves (default: four windows)", 0 },
	{ 0 },
};

static error_t parse(int key, char *text, struct argp_state *state)
{
	if (key == 'h')
		hot_mib = option_number(text, state);
	else if (key == 'p')
		phase_operations = option_number(text, state);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static const struct argp extra = { .options = extra_options, .parser = parse };

static void plan(void)
{
	nr_pages = option.size_mib * 256;
	nr_hot = hot_mib ? hot_mib * 256 : nr_pages / 16;
	if (nr_hot > nr_pages)
		work_die("--hot is more than --size");
	if (!phase_operations)
		phase_operations = WINDOWS_A_PHASE * option.window;
	values.nr = nr_pages * VALUES_PER_PAGE;
	values.word = arena_segment(values.nr * VALUE_BYTES, 1);
	spread_init(&spread_pages, nr_pages, option.seed);
	if (!spread_check(&spread_pages))
		work_die("pages are not spread as they should be");
}

/* The warm-up belongs to the first phase. */
static uint64_t phase_at(uint64_t at)
{
	return at < option.warm_up ? 0 : (at - option.warm_up) / phase_operations;
}

static uint64_t operations_left(void)
{
	return option.warm_up + (phase_at(operation) + 1) * phase_operations - operation;
}

static uint64_t hot_page(uint64_t phase, uint64_t i)
{
	return spread(&spread_pages, (phase * nr_hot + i) % nr_pages);
}

/* Of the first phase. */
static void heat(double *heat)
{
	uint64_t i;

	for (i = 0; i < nr_hot; i++)
		heat[hot_page(0, i)] += (double)HOT_PERCENT / nr_hot;
}

static void fill(void)
{
	uint64_t page;

	for (page = 0; page < nr_pages; page++)
		values_fill_page(&values, page);
}

static uint64_t draw_key(uint64_t phase, uint64_t random)
{
	uint64_t page;

	if (work_below(random, 100) >= HOT_PERCENT)
		return work_below(work_mix(random), values.nr);
	page = hot_page(phase, work_below(work_mix(random), nr_hot));
	return page * VALUES_PER_PAGE + random % VALUES_PER_PAGE;
}

static void lookups(uint64_t phase, unsigned long number)
{
	uint64_t wrong = 0, digest = 0;

	for (; number; number--, operation++) {
		uint64_t random = work_random(STREAM, operation);
		uint64_t key = draw_key(phase, random);

		wrong += values_lookup(&values, key, random >> 32);
		digest += key;
	}
	result.bad += wrong;
	result.digest += digest;
}

static unsigned long run(unsigned long operations)
{
	unsigned long left = operations;

	while (left) {
		unsigned long now = left < operations_left() ? left : operations_left();

		lookups(phase_at(operation), now);
		left -= now;
	}
	return operations;
}

/* The phase in which the window ended. */
static void report(const char *prefix)
{
	printf("%sphase %llu\n", prefix, (unsigned long long)phase_at(operation - 1));
}

static void check(void)
{
	result.bad += values_check(&values);
}

const struct work work = {
	.name = "moving",
	.doc = "Lookups in a hot set that moves at the end of each phase.",
	.window_per_mib = 8192,
	.options = &extra,
	.plan = plan,
	.heat = heat,
	.fill = fill,
	.run = run,
	.report = report,
	.check = check,
};
