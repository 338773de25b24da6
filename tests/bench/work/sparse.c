// SPDX-License-Identifier: GPL-2.0
/*
 * sparse: huge pages of which only a piece of 64 KiB is hot.
 *
 * Knows where the hot piece of each 2 MiB lies. Does not know whether anybody
 * splits huge pages. 95 of 100 lookups go to hot pieces, all alike; the others
 * go anywhere. An operation is one lookup, as in zipf.
 */
#include "arena.h"
#include "values.h"
#include "work.h"

#define HUGE_BYTES (2UL << 20)
#define PIECE_BYTES (64UL << 10)
#define PIECES (HUGE_BYTES / PIECE_BYTES)
#define VALUES_PER_PIECE (PIECE_BYTES / VALUE_BYTES)
#define HOT_PERCENT 95

enum stream { STREAM_LOOKUP = 1, STREAM_PIECE };

static struct values values;
static uint64_t nr_huge;
static uint64_t operation;

static void plan(void)
{
	if (option.size_mib % 2)
		work_die("--size must be even: huge pages have 2 MiB");
	nr_huge = (option.size_mib << 20) / HUGE_BYTES;
	values.nr = nr_huge * PIECES * VALUES_PER_PIECE;
	values.word = arena_segment(values.nr * VALUE_BYTES, 100 - HOT_PERCENT);
}

/* The first value of a huge page's hot piece. */
static uint64_t hot_piece(uint64_t huge)
{
	uint64_t piece = work_below(work_random(STREAM_PIECE, huge), PIECES);

	return (huge * PIECES + piece) * VALUES_PER_PIECE;
}

static void heat(double *heat)
{
	uint64_t pages = PIECE_BYTES / ARENA_PAGE, huge, page;

	for (huge = 0; huge < nr_huge; huge++)
		for (page = 0; page < pages; page++)
			heat[hot_piece(huge) / VALUES_PER_PAGE + page] +=
				(double)HOT_PERCENT / (nr_huge * pages);
}

static void fill(void)
{
	uint64_t page;

	for (page = 0; page < values.nr / VALUES_PER_PAGE; page++)
		values_fill_page(&values, page);
}

static uint64_t draw_key(uint64_t random)
{
	uint64_t second = work_mix(random);

	if (work_below(random, 100) >= HOT_PERCENT)
		return work_below(second, values.nr);
	return hot_piece(work_below(second, nr_huge)) + second % VALUES_PER_PIECE;
}

static unsigned long run(unsigned long operations)
{
	uint64_t wrong = 0, digest = 0;
	unsigned long i;

	for (i = 0; i < operations; i++, operation++) {
		uint64_t random = work_random(STREAM_LOOKUP, operation);
		uint64_t key = draw_key(random);

		wrong += values_lookup(&values, key, random >> 32);
		digest += key;
	}
	result.bad += wrong;
	result.digest += digest;
	return operations;
}

static void check(void)
{
	result.bad += values_check(&values);
}

const struct work work = {
	.name = "sparse",
	.doc = "Lookups in huge pages of which only a piece is hot.",
	.window_per_mib = 8192,
	.huge = true,
	.plan = plan,
	.heat = heat,
	.fill = fill,
	.run = run,
	.check = check,
};
