// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the counting Bloom filter: what it promises of each key, and how often it is wrong at its load.
 * Knows what bloom.h promises.
 * Does not know pages.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "bloom.h"

#define LINES 1024U

static struct tc_bloom_line lines[LINES];

static struct tc_bloom filter(u32 nr)
{
	memset(lines, 0, sizeof(lines));
	return (struct tc_bloom){ .line = lines, .nr = nr };
}

static void add(struct tc_bloom *b, u64 key, unsigned int times, u32 epoch)
{
	while (times--)
		tc_bloom_add(b, key, epoch);
}

static void one_line_is_64_bytes(void **unused)
{
	(void)unused;
	assert_int_equal(sizeof(struct tc_bloom_line), 64);
}

static void a_key_alone_is_exact(void **unused)
{
	struct tc_bloom b = filter(LINES);

	(void)unused;
	assert_int_equal(tc_bloom_get(&b, 42, 0), 0);
	add(&b, 42, 1, 0);
	assert_int_equal(tc_bloom_get(&b, 42, 0), 1);
	add(&b, 42, 99, 0);
	assert_int_equal(tc_bloom_get(&b, 42, 0), 100);
	add(&b, 42, 1000, 0);
	assert_int_equal(tc_bloom_get(&b, 42, 0), TC_BLOOM_MAX);
}

static void halves_at_each_epoch(void **unused)
{
	static const struct {
		u32 passed, left;
	} rows[] = { { 0, 200 }, { 1, 100 }, { 2, 50 }, { 3, 25 },
		     { 7, 1 },	 { 8, 0 },   { 9, 0 },	{ 300, 0 } };
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tc_bloom b = filter(LINES);

		/* epochs may wrap; who only reads sees the same as who adds */
		add(&b, 7, 200, ~0U);
		assert_int_equal(tc_bloom_get(&b, 7, ~0U + rows[i].passed), rows[i].left);
		add(&b, 7, 1, ~0U + rows[i].passed);
		assert_int_equal(tc_bloom_get(&b, 7, ~0U + rows[i].passed), rows[i].left + 1);
	}
}

static void never_too_small(void **unused)
{
	struct tc_bloom b = filter(64);
	unsigned int count[500] = { 0 }, i, key;

	(void)unused;
	unit_seed();
	for (i = 0; i < 20000; i++) {
		key = unit_below(500);
		if (count[key] < TC_BLOOM_MAX)
			count[key]++;
		tc_bloom_add(&b, key, 0);
	}
	for (key = 0; key < 500; key++)
		assert_true(tc_bloom_get(&b, key, 0) >= count[key]);
}

/*
 * The load that engine/admit.c sizes it for: a line for every 8 keys, each counted 1 to 15 times. A new key finds all of its 4
 * counters in use with a chance of about (1 - (1 - 4/60)^8)^4 = 0.033, more in lines that have more keys than their share.
 */
static void error_at_its_load(void **unused)
{
	struct tc_bloom b = filter(LINES);
	unsigned int wrong = 0, strangers = 0, times, key;
	const unsigned int keys = 8 * LINES;
	u64 base;

	(void)unused;
	unit_seed();
	base = unit_random() << 20;
	for (key = 0; key < keys; key++)
		add(&b, base + key, 1 + key % 15, 0);
	for (key = 0; key < keys; key++) {
		times = 1 + key % 15;
		wrong += tc_bloom_get(&b, base + key, 0) != times;
		strangers += tc_bloom_get(&b, base + keys + key, 0) != 0;
	}
	printf("# of 10000 keys %u have too large a count, and of 10000 that never came %u have one\n",
	       wrong * 10000 / keys, strangers * 10000 / keys);
	assert_in_range(strangers, keys / 100, keys * 8 / 100);
	assert_in_range(wrong, 1, keys * 8 / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_line_is_64_bytes), cmocka_unit_test(a_key_alone_is_exact),
		cmocka_unit_test(halves_at_each_epoch), cmocka_unit_test(never_too_small),
		cmocka_unit_test(error_at_its_load),
	};

	return cmocka_run_group_tests_name("bloom", tests, NULL, NULL);
}
