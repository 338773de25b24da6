// SPDX-License-Identifier: GPL-2.0
/*
 * train: a linear classifier trained on a sparse matrix, as Liblinear.
 *
 * Knows dual coordinate descent for a support vector machine with the hinge
 * loss (Hsieh et al., "A dual coordinate descent method for large-scale linear
 * SVM", ICML 2008, algorithm 1), in integers. Does not know what moves pages.
 * Features have Zipf popularity; rows are visited in a new order each epoch.
 * An operation is one visit to a row.
 *
 * The weights are always the sum of the rows, each times its label and its
 * alpha: in integers that holds exactly, so the check knows every weight.
 */
#include <string.h>

#include "arena.h"
#include "work.h"
#include "zipf.h"

#define ENTRIES 15
#define ROWS_A_FEATURE 3 /* as in the data set KDD12 */
#define ONE (1L << 20) /* the margin, and the bound of alpha */

enum stream { STREAM_ROW = 1, STREAM_TRUTH };

struct entry {
	uint32_t feature;
	int32_t value;
};

struct row {
	int64_t label; /* 1 or -1 */
	struct entry entry[ENTRIES];
};

_Static_assert(sizeof(struct row) == 128, "a row is two cache lines");

static struct row *rows;
static int64_t *alpha; /* of each row */
static int64_t *weight; /* of each feature */
static uint64_t nr_rows, nr_features;
static struct zipf zipf;
static struct spread spread_features, order;
static uint64_t epoch, next;

static void plan(void)
{
	uint64_t bytes = (option.size_mib << 20) - 3 * ARENA_PAGE;
	uint64_t three = ROWS_A_FEATURE * (sizeof(*rows) + sizeof(*alpha)) + sizeof(*weight);

	nr_features = bytes / three;
	nr_rows = nr_features * ROWS_A_FEATURE;
	weight = arena_segment(nr_features * sizeof(*weight), ENTRIES);
	alpha = arena_segment(nr_rows * sizeof(*alpha), 1);
	rows = arena_segment(nr_rows * sizeof(*rows), 2);
	zipf_init(&zipf, nr_features, option.seed);
	spread_init(&spread_features, nr_features, option.seed);
	spread_init(&order, nr_rows, option.seed);
	if (!spread_check(&spread_features) || !spread_check(&order))
		work_die("features or rows are not spread as they should be");
}

/* --- the matrix ------------------------------------------------------------------------------- */

/* What a feature really means; the label follows the sum over the row. */
static int64_t truth(uint64_t feature)
{
	return work_random(STREAM_TRUTH, feature) & 1 ? 1 : -1;
}

/* Row n, from nothing but its number. */
static void make_row(struct row *row, uint64_t n)
{
	struct zipf draw = zipf;
	int64_t sum = 0;
	unsigned int i;

	draw.random = work_random(STREAM_ROW, n) | 1;
	for (i = 0; i < ENTRIES; i++) {
		uint64_t feature = spread(&spread_features, zipf_next(&draw) - 1);

		row->entry[i].feature = feature;
		row->entry[i].value = 1 + (draw.random >> 40) % 4;
		sum += truth(feature) * row->entry[i].value;
	}
	row->label = sum < 0 ? -1 : 1;
}

static void fill(void)
{
	uint64_t n;

	memset(weight, 0, nr_features * sizeof(*weight));
	memset(alpha, 0, nr_rows * sizeof(*alpha));
	for (n = 0; n < nr_rows; n++)
		make_row(rows + n, n);
}

/* --- training --------------------------------------------------------------------------------- */

static bool features_known(const struct row *row)
{
	unsigned int i;

	for (i = 0; i < ENTRIES; i++)
		if (row->entry[i].feature >= nr_features)
			return false;
	return true;
}

/* How far the row is on the wrong side of its margin, and the square of its length. */
static int64_t gradient(const struct row *row, int64_t *square)
{
	int64_t product = 0, sum = 0;
	unsigned int i;

	for (i = 0; i < ENTRIES; i++) {
		int64_t value = row->entry[i].value;

		product += weight[row->entry[i].feature] * value;
		sum += value * value;
	}
	*square = sum ? sum : 1;
	return row->label * product - ONE;
}

static void add_row(const struct row *row, int64_t factor)
{
	unsigned int i;

	for (i = 0; i < ENTRIES; i++)
		weight[row->entry[i].feature] += factor * row->entry[i].value;
}

/* One step of the descent: alpha stays from 0 to ONE. */
static void visit(uint64_t n)
{
	const struct row *row = rows + n;
	int64_t square, slope, wanted, old = alpha[n];

	if (!features_known(row)) {
		work_expect(false);
		return;
	}
	slope = gradient(row, &square);
	wanted = old - slope / square;
	wanted = wanted < 0 ? 0 : wanted > ONE ? ONE : wanted;
	if (wanted == old)
		return;
	alpha[n] = wanted;
	add_row(row, row->label * (wanted - old));
}

static unsigned long run(unsigned long operations)
{
	unsigned long i;

	for (i = 0; i < operations; i++) {
		visit(spread(&order, next++));
		if (next < nr_rows)
			continue;
		next = 0;
		spread_init(&order, nr_rows, option.seed + ++epoch);
	}
	return operations;
}

/* --- check ------------------------------------------------------------------------------------ */

static void digest_weights(void)
{
	uint64_t i;

	for (i = 0; i < nr_features; i++)
		result.digest += work_mix(i) * (weight[i] + 1);
}

/* Each row as it must be is taken out of the weights: nothing may be left. */
static void check(void)
{
	struct row row;
	uint64_t i;

	digest_weights();
	for (i = 0; i < nr_rows; i++) {
		make_row(&row, i);
		work_expect(!memcmp(&row, rows + i, sizeof(row)));
		work_expect(alpha[i] >= 0 && alpha[i] <= ONE);
		add_row(&row, -row.label * alpha[i]);
	}
	for (i = 0; i < nr_features; i++)
		work_expect(!weight[i]);
}

const struct work work = {
	.name = "train",
	.doc = "Training of a linear classifier on a sparse matrix.",
	.window_per_mib = 8192,
	.plan = plan,
	.fill = fill,
	.run = run,
	.check = check,
};
