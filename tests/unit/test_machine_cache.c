// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the simulated machine's cache against lists that are searched in order.
 * Knows LRU and write-back as a textbook has them.
 * Does not know how the cache finds its sets.
 */
#include "unit.h"

#include <string.h>

#include "cache.h"

#define WAYS 4
#define LINES 32
#define BYTES (LINES * CACHE_LINE_BYTES)

/* One set of a fully associative cache, the most recent line first. */
struct list {
	u64 line[LINES];
	bool written[LINES];
	unsigned int nr, most;
};

static bool list_access(struct list *list, u64 line, bool store, u64 *written_back)
{
	unsigned int i = 0;
	bool hit, written;

	while (i < list->nr && list->line[i] != line)
		i++;
	hit = i < list->nr;
	written = store || (hit && list->written[i]);
	*written_back = CACHE_NOTHING;
	if (!hit && list->nr == list->most) {
		i = list->nr - 1;
		if (list->written[i])
			*written_back = list->line[i] * CACHE_LINE_BYTES;
	} else if (!hit) {
		list->nr++;
	}
	memmove(list->line + 1, list->line, i * sizeof(*list->line));
	memmove(list->written + 1, list->written, i * sizeof(*list->written));
	list->line[0] = line;
	list->written[0] = written;
	return hit;
}

static void one_set_is_a_list(void **unused)
{
	struct list list = { .most = LINES };
	struct cache cache;
	unsigned int i;

	(void)unused;
	unit_seed();
	assert_true(tcm_cache_init(&cache, BYTES, LINES));
	for (i = 0; i < 200000; i++) {
		u64 line = unit_below(unit_chance(50) ? 24 : 64), mine = CACHE_NOTHING, its;
		bool store = unit_chance(30);
		bool hit = tcm_cache_access(&cache, line * CACHE_LINE_BYTES + unit_below(64), store,
					    &mine);

		unit_check(hit == list_access(&list, line, store, &its), "access %u", i);
		unit_check(hit || mine == its, "write-back of access %u", i);
	}
	tcm_cache_free(&cache);
}

static u64 misses_of_round(struct cache *cache, u64 lines)
{
	u64 line, misses = 0, written_back;

	for (line = 0; line < lines; line++)
		misses += !tcm_cache_access(cache, line * CACHE_LINE_BYTES, false, &written_back);
	return misses;
}

/* Neighbouring lines spread evenly over the sets; one round more than fits misses in one set. */
static void what_fits_stays(void **unused)
{
	struct cache cache;

	(void)unused;
	assert_true(tcm_cache_init(&cache, BYTES, WAYS));
	assert_int_equal(misses_of_round(&cache, LINES), LINES);
	assert_int_equal(misses_of_round(&cache, LINES), 0);
	assert_int_equal(misses_of_round(&cache, LINES + 1), 1);
	assert_int_equal(misses_of_round(&cache, LINES + 1), WAYS + 1);
	tcm_cache_clear(&cache);
	assert_int_equal(misses_of_round(&cache, LINES), LINES);
	tcm_cache_free(&cache);
}

static void every_write_comes_back_once(void **unused)
{
	u64 line, written_back, back = 0;
	struct cache cache;

	(void)unused;
	assert_true(tcm_cache_init(&cache, BYTES, WAYS));
	for (line = 0; line < 10 * LINES; line++) {
		if (tcm_cache_access(&cache, line * CACHE_LINE_BYTES, line < 5 * LINES,
				     &written_back))
			fail();
		back += written_back != CACHE_NOTHING;
	}
	assert_int_equal(back, 5 * LINES);
	tcm_cache_free(&cache);
}

static void impossible_shapes(void **unused)
{
	struct cache cache;

	(void)unused;
	assert_false(tcm_cache_init(&cache, BYTES, 0));
	assert_false(tcm_cache_init(&cache, BYTES, 3));
	assert_false(tcm_cache_init(&cache, BYTES + CACHE_LINE_BYTES, WAYS));
	assert_false(tcm_cache_init(&cache, 0, WAYS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_set_is_a_list),
		cmocka_unit_test(what_fits_stays),
		cmocka_unit_test(every_write_comes_back_once),
		cmocka_unit_test(impossible_shapes),
	};

	return cmocka_run_group_tests_name("machine_cache", tests, NULL, NULL);
}
