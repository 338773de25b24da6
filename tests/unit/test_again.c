// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the memory of folios that go to and fro, against courses computed by hand.
 * Knows what again.h promises.
 * Does not know how a key is spread.
 */
#include "unit.h"

#include <string.h>

#include "again.h"

#define SLOTS 16

static struct tc_again_slot slots[SLOTS];
static struct tc_again again;

static int setup(void **unused)
{
	(void)unused;
	memset(slots, 0, sizeof(slots));
	again = (struct tc_again){ .slot = slots, .mask = SLOTS - 1 };
	return 0;
}

/* A folio at key 100 when it is in fast memory, and at 201 in slow memory. */
#define FAST 100
#define SLOW 201

/* Touches in a row that it takes until it may come up. */
static unsigned int touches_needed(u32 now, unsigned int needed)
{
	unsigned int touches = 1;

	if (tc_again_touch(&again, SLOW, false, false, now, needed))
		return touches;
	while (touches < 1000) {
		touches++;
		if (tc_again_touch(&again, SLOW, true, true, now, needed))
			return touches;
	}
	return 0;
}

static void within_the_window_it_counts(void **unused)
{
	(void)unused;
	assert_false(tc_again_up(&again, SLOW, FAST, 5));
	tc_again_down(&again, FAST, SLOW, 10);
	assert_false(tc_again_up(&again, SLOW + 1, FAST, 11));
	assert_true(tc_again_up(&again, SLOW, FAST, 10 + 14));
	/* Once for each time it went down. */
	assert_false(tc_again_up(&again, SLOW, FAST, 10 + 14));
	tc_again_down(&again, FAST, SLOW, 100);
	assert_false(tc_again_up(&again, SLOW, FAST, 100 + 15));
}

static void the_wait_doubles_up_to_a_bound(void **unused)
{
	static const unsigned int two[] = { 2, 4, 8, 16, 32, 64, 64, 64 };
	static const unsigned int one[] = { 1, 2, 4, 8, 16, 32, 32, 32 };
	u32 step = 0;
	unsigned int i;

	(void)unused;
	for (i = 0; i < 8; i++) {
		tc_again_down(&again, FAST, SLOW, step++);
		unit_check(touches_needed(step, 2) == two[i], "time %u", i);
		assert_true(tc_again_up(&again, SLOW, FAST, step++));
	}
	setup(NULL);
	for (i = 0; i < 8; i++) {
		tc_again_down(&again, FAST, SLOW, step++);
		unit_check(touches_needed(step, 1) == one[i], "time %u", i);
		assert_true(tc_again_up(&again, SLOW, FAST, step++));
	}
}

static void touches_count_in_a_row_only(void **unused)
{
	const u32 now = 3;

	(void)unused;
	tc_again_down(&again, FAST, SLOW, 0);
	assert_true(tc_again_up(&again, SLOW, FAST, 1));
	tc_again_down(&again, FAST, SLOW, 2);
	/* Of the four it needs: three, then one that comes too late and begins anew. */
	assert_false(tc_again_touch(&again, SLOW, false, false, now, 2));
	assert_false(tc_again_touch(&again, SLOW, true, true, now, 2));
	assert_false(tc_again_touch(&again, SLOW, true, true, now, 2));
	assert_false(tc_again_touch(&again, SLOW, false, false, now, 2));
	assert_false(tc_again_touch(&again, SLOW, true, true, now, 2));
	/* Of a large folio, in the same step: no more of them. */
	assert_false(tc_again_touch(&again, SLOW, true, false, now, 2));
	assert_false(tc_again_touch(&again, SLOW, true, true, now, 2));
	assert_true(tc_again_touch(&again, SLOW, true, true, now, 2));
	/* Others do not wait. */
	assert_true(tc_again_touch(&again, SLOW + 1, false, false, now, 2));
}

static void who_stays_up_begins_anew(void **unused)
{
	(void)unused;
	tc_again_down(&again, FAST, SLOW, 0);
	assert_true(tc_again_up(&again, SLOW, FAST, 14));
	tc_again_down(&again, FAST, SLOW, 14 + 15);
	assert_int_equal(touches_needed(29, 2), 2);
	assert_true(tc_again_up(&again, SLOW, FAST, 30));
	tc_again_down(&again, FAST, SLOW, 30 + 14);
	assert_int_equal(touches_needed(44, 2), 4);
	/* And who stays down. */
	assert_false(tc_again_up(&again, SLOW, FAST, 44 + 15));
	tc_again_down(&again, FAST, SLOW, 60);
	assert_int_equal(touches_needed(60, 2), 2);
}

/* A folio goes to and fro twice, so that its level is 2, and down again in step 4. */
static void twice_and_down(void)
{
	setup(NULL);
	tc_again_down(&again, FAST, SLOW, 0);
	tc_again_up(&again, SLOW, FAST, 1);
	tc_again_down(&again, FAST, SLOW, 2);
	tc_again_up(&again, SLOW, FAST, 3);
	tc_again_down(&again, FAST, SLOW, 4);
}

static void who_stays_down_for_long_is_forgiven(void **unused)
{
	(void)unused;
	twice_and_down();
	assert_int_equal(touches_needed(4 + 4 * 14, 2), 8);
	twice_and_down();
	assert_true(tc_again_touch(&again, SLOW, false, false, 4 + 4 * 14 + 1, 2));
	assert_true(tc_again_touch(&again, SLOW, true, true, 4 + 4 * 14 + 1, 2));
	/* Not while it is touched again and again. */
	twice_and_down();
	assert_false(tc_again_touch(&again, SLOW, false, false, 5, 2));
	assert_false(tc_again_touch(&again, SLOW, true, true, 4 + 4 * 14 + 1, 2));
}

static void the_clock_wraps(void **unused)
{
	(void)unused;
	tc_again_down(&again, FAST, SLOW, ~0U - 3);
	assert_true(tc_again_up(&again, SLOW, FAST, 4));
	tc_again_down(&again, FAST, SLOW, 65535);
	assert_true(tc_again_up(&again, SLOW, FAST, 65536 + 8));
}

static void the_oldest_gives_way(void **unused)
{
	unsigned int i;

	(void)unused;
	/* Five folios in the same four places. */
	for (i = 0; i < 5; i++)
		tc_again_down(&again, 7 + i, 4 + SLOTS * i, i == 2 ? 0 : 1 + i);
	for (i = 0; i < 5; i++)
		unit_check(tc_again_up(&again, 4 + SLOTS * i, 3, 6) == (i != 2), "folio %u", i);
}

static void keys_are_never_none(void **unused)
{
	unsigned int i;

	(void)unused;
	unit_seed();
	for (i = 0; i < 100000; i++)
		assert_true(tc_again_key(unit_magnitude(), unit_below(256)));
	assert_true(tc_again_key(0, 0));
	assert_true(tc_again_key(1000, 1) != tc_again_key(1000, 2));
	assert_true(tc_again_key(1000, 1) != tc_again_key(1001, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(within_the_window_it_counts, setup),
		cmocka_unit_test_setup(the_wait_doubles_up_to_a_bound, setup),
		cmocka_unit_test_setup(touches_count_in_a_row_only, setup),
		cmocka_unit_test_setup(who_stays_up_begins_anew, setup),
		cmocka_unit_test_setup(who_stays_down_for_long_is_forgiven, setup),
		cmocka_unit_test_setup(the_clock_wraps, setup),
		cmocka_unit_test_setup(the_oldest_gives_way, setup),
		cmocka_unit_test(keys_are_never_none),
	};

	return cmocka_run_group_tests_name("again", tests, NULL, NULL);
}
