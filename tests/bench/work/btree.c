// SPDX-License-Identifier: GPL-2.0
/*
 * btree: lookups in a B+ tree, as the in-memory Btree of the tiering papers.
 *
 * Knows nodes, keys and records. Does not know what moves pages. Leaves of
 * 4 KiB are half to entirely full, as after insertions in random order, and
 * lie in an order without pattern; inner nodes have 512 bytes. Keys are looked
 * up with Zipf popularity. An operation is one lookup, from the root to a
 * record of 64 bytes, of which all is compared.
 */
#include <string.h>

#include "arena.h"
#include "work.h"
#include "zipf.h"

#define RECORD_WORDS 7
#define LEAF_RECORDS 62
#define INNER_CHILDREN 43
#define MOST_LEVELS 8
#define KEY_GAP 16 /* the n-th key is somewhere in the n-th gap */

enum stream { STREAM_KEY = 1, STREAM_LEAF, STREAM_RECORD };

struct record {
	uint64_t key;
	uint64_t word[RECORD_WORDS];
};

struct leaf {
	uint64_t nr;
	uint64_t pad[15];
	struct record record[LEAF_RECORDS];
};

struct inner {
	uint32_t nr;
	uint32_t child[INNER_CHILDREN];
	uint64_t key[INNER_CHILDREN - 1]; /* the least key below child[i + 1] */
};

_Static_assert(sizeof(struct leaf) == 4096 && sizeof(struct inner) == 512, "sizes of nodes");

static struct leaf *leaves;
static struct inner *inners; /* level after level, from the one above the leaves to the root */
static uint64_t nr_leaves, nr_inners, nr_keys;
static uint64_t level_start[MOST_LEVELS], level_nr[MOST_LEVELS];
static unsigned int nr_levels; /* of inner nodes */
static struct spread spread_leaves, spread_keys;
static struct zipf zipf;

static uint64_t key_of(uint64_t n)
{
	return n * KEY_GAP + work_random(STREAM_KEY, n) % KEY_GAP;
}

static uint64_t record_word(uint64_t key, unsigned int i)
{
	return work_mix(key) + i;
}

/* --- building --------------------------------------------------------------------------------- */

static uint64_t records_of(uint64_t leaf)
{
	return LEAF_RECORDS / 2 + work_random(STREAM_LEAF, leaf) % (LEAF_RECORDS / 2 + 1);
}

static void plan_levels(void)
{
	uint64_t below = nr_leaves;

	do {
		level_start[nr_levels] = nr_inners;
		level_nr[nr_levels] = (below + INNER_CHILDREN - 1) / INNER_CHILDREN;
		below = level_nr[nr_levels];
		nr_inners += below;
		nr_levels++;
	} while (below > 1);
}

static void plan(void)
{
	uint64_t bytes = option.size_mib << 20, leaf;

	nr_leaves = bytes / (sizeof(struct leaf) + sizeof(struct inner) / (INNER_CHILDREN - 2)) - 2;
	plan_levels();
	inners = arena_segment(nr_inners * sizeof(*inners), 8 * nr_levels);
	leaves = arena_segment(nr_leaves * sizeof(*leaves), 0);
	for (leaf = 0; leaf < nr_leaves; leaf++)
		nr_keys += records_of(leaf);
	spread_init(&spread_leaves, nr_leaves, option.seed);
	spread_init(&spread_keys, nr_keys, option.seed + 1);
	zipf_init(&zipf, nr_keys, option.seed);
	if (!spread_check(&spread_leaves) || !spread_check(&spread_keys))
		work_die("keys are not spread as they should be");
}

/* The popularity of each leaf's records. */
static void heat(double *heat)
{
	uint64_t *leaf_of = malloc(nr_keys * sizeof(*leaf_of)), leaf, i, n = 0, rank;
	uint64_t first = ((char *)leaves - arena.start) / ARENA_PAGE;

	if (!leaf_of)
		work_die("no memory for the heat of leaves");
	for (leaf = 0; leaf < nr_leaves; leaf++)
		for (i = 0; i < records_of(leaf); i++)
			leaf_of[n++] = spread(&spread_leaves, leaf);
	for (rank = 1; rank <= nr_keys; rank++)
		heat[first + leaf_of[spread(&spread_keys, rank - 1)]] += zipf_weight(rank);
	free(leaf_of);
}

static void fill_leaf(struct leaf *leaf, uint64_t first)
{
	unsigned int i, word;

	for (i = 0; i < leaf->nr; i++) {
		leaf->record[i].key = key_of(first + i);
		for (word = 0; word < RECORD_WORDS; word++)
			leaf->record[i].word[word] = record_word(leaf->record[i].key, word);
	}
}

/* least[i]: of child i; becomes that of the new nodes. */
static void fill_level(unsigned int level, uint64_t *least, uint64_t nr_below)
{
	uint64_t below = level ? level_start[level - 1] : 0, i;

	for (i = 0; i < nr_below; i++) {
		struct inner *inner = inners + level_start[level] + i / INNER_CHILDREN;
		unsigned int slot = i % INNER_CHILDREN;

		inner->child[slot] = level ? below + i : spread(&spread_leaves, i);
		inner->nr = slot + 1;
		if (slot)
			inner->key[slot - 1] = least[i];
		else
			least[i / INNER_CHILDREN] = least[i];
	}
}

static void fill(void)
{
	uint64_t *least = malloc(nr_leaves * sizeof(*least)), i, n = 0;
	unsigned int level;

	if (!least)
		work_die("no memory for the least keys");
	for (i = 0; i < nr_leaves; n += records_of(i), i++) {
		struct leaf *leaf = leaves + spread(&spread_leaves, i);

		leaf->nr = records_of(i);
		least[i] = key_of(n);
		fill_leaf(leaf, n);
	}
	for (level = 0; level < nr_levels; level++)
		fill_level(level, least, level ? level_nr[level - 1] : nr_leaves);
	free(least);
}

/* --- lookups ---------------------------------------------------------------------------------- */

/* How many separators are not above the key. Bounded, so that a wrong number leads nowhere outside. */
static unsigned int child_slot(const struct inner *inner, uint64_t key)
{
	unsigned int low = 0, high = inner->nr;

	high = high && high <= INNER_CHILDREN ? high - 1 : 0;
	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (inner->key[middle] <= key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct leaf *descend(uint64_t key)
{
	uint64_t node = nr_inners - 1;
	unsigned int level;

	for (level = nr_levels; level--;) {
		node = inners[node].child[child_slot(inners + node, key)];
		if (node >= (level ? nr_inners : nr_leaves))
			return NULL;
	}
	return leaves + node;
}

static const struct record *find(const struct leaf *leaf, uint64_t key)
{
	unsigned int low = 0, high = leaf->nr <= LEAF_RECORDS ? leaf->nr : 0;

	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (leaf->record[middle].key == key)
			return &leaf->record[middle];
		if (leaf->record[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* The record's first word, if all of it is there and right; 0 otherwise. */
static uint64_t lookup(uint64_t key)
{
	const struct leaf *leaf = descend(key);
	const struct record *record = leaf ? find(leaf, key) : NULL;
	unsigned int i, wrong = 0;

	for (i = 0; record && i < RECORD_WORDS; i++)
		wrong += record->word[i] != record_word(key, i);
	work_expect(record && !wrong);
	return record ? record->word[0] : 0;
}

static unsigned long run(unsigned long operations)
{
	unsigned long i;

	for (i = 0; i < operations; i++)
		result.digest += lookup(key_of(spread(&spread_keys, zipf_next(&zipf) - 1)));
	return operations;
}

/* --- check ------------------------------------------------------------------------------------ */

/* All nodes once more beside those that are there. */
static void check_inners(void)
{
	struct inner *built = inners, *again = calloc(nr_inners, sizeof(*again));
	uint64_t *least = malloc(nr_leaves * sizeof(*least)), i, n = 0;
	unsigned int level;

	if (!again || !least)
		work_die("no memory to check the inner nodes");
	for (i = 0; i < nr_leaves; n += records_of(i), i++)
		least[i] = key_of(n);
	inners = again;
	for (level = 0; level < nr_levels; level++)
		fill_level(level, least, level ? level_nr[level - 1] : nr_leaves);
	work_expect(!memcmp(built, again, nr_inners * sizeof(*again)));
	inners = built;
	free(again);
	free(least);
}

static void check_leaves(void)
{
	struct leaf again;
	uint64_t i, n = 0;

	for (i = 0; i < nr_leaves; n += again.nr, i++) {
		memset(&again, 0, sizeof(again));
		again.nr = records_of(i);
		fill_leaf(&again, n);
		work_expect(!memcmp(leaves + spread(&spread_leaves, i), &again, sizeof(again)));
	}
}

static void check(void)
{
	check_inners();
	check_leaves();
}

const struct work work = {
	.name = "btree",
	.doc = "Lookups in a B+ tree with Zipf popularity of keys.",
	.window_per_mib = 8192,
	.plan = plan,
	.heat = heat,
	.fill = fill,
	.run = run,
	.check = check,
};
