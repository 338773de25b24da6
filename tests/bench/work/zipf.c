// SPDX-License-Identifier: GPL-2.0
/*
 * zipf: key-value lookups with Zipf popularity, as YCSB-C on Silo.
 *
 * Knows keys and their popularity. Does not know what moves pages. An
 * operation is one lookup, which reads every cache line of a value of 1 KiB.
 */
#include "zipf.h"
#include "arena.h"
#include "values.h"
#include "work.h"

static struct values values;
static struct spread spread_keys;
static struct zipf zipf;

static void plan(void)
{
	values.nr = option.size_mib * 1024;
	values.word = arena_segment(values.nr * VALUE_BYTES, 0);
	zipf_init(&zipf, values.nr, option.seed);
	spread_init(&spread_keys, values.nr, option.seed);
	if (!zipf_check(values.nr, option.seed) || !spread_check(&spread_keys))
		work_die("the keys are not drawn as they should be");
}

static void heat(double *heat)
{
	uint64_t rank;

	for (rank = 1; rank <= values.nr; rank++)
		heat[spread(&spread_keys, rank - 1) / VALUES_PER_PAGE] += zipf_weight(rank);
}

static void fill(void)
{
	uint64_t page;

	for (page = 0; page < values.nr / VALUES_PER_PAGE; page++)
		values_fill_page(&values, page);
}

/* Works on copies, so that the compiler keeps them in registers. */
static unsigned long run(unsigned long operations)
{
	struct spread keys = spread_keys;
	struct values all = values;
	struct zipf ranks = zipf;
	uint64_t wrong = 0, digest = 0;
	unsigned long i;

	for (i = 0; i < operations; i++) {
		uint64_t key = spread(&keys, zipf_next(&ranks) - 1);

		wrong += values_lookup(&all, key, ranks.random >> 32);
		digest += key;
	}
	zipf = ranks;
	result.bad += wrong;
	result.digest += digest;
	return operations;
}

static void check(void)
{
	result.bad += values_check(&values);
}

const struct work work = {
	.name = "zipf",
	.doc = "Key-value lookups with Zipf popularity.",
	.window_per_mib = 8192,
	.plan = plan,
	.heat = heat,
	.fill = fill,
	.run = run,
	.check = check,
};
