// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of one block of the heat map: owner tags, and heat that moves, by examples.
 * Knows what block.h promises.
 * Does not know how tags are made from mappings.
 */
#include "unit.h"

#include "block_fixture.h"

static void owner_tags_count_up_and_wrap(void **unused)
{
	unsigned int i;

	(void)unused;
	for (i = 0; i < 2000; i++)
		assert_int_equal(tc_owner_at(0, i), 0);
	assert_int_equal(tc_owner_at(1, 0), 1);
	assert_int_equal(tc_owner_at(1, 254), 255);
	assert_int_equal(tc_owner_at(1, 255), 1);
	assert_int_equal(tc_owner_at(255, 0), 255);
	assert_int_equal(tc_owner_at(255, 1), 1);
	assert_int_equal(tc_owner_at(200, 511), 1 + (199 + 511) % 255);
	assert_int_equal(tc_owner_at(255, ~0U), 1 + (254 + ~0U % 255) % 255);
}

static void sample_sets_the_tags_of_the_folio(void **unused)
{
	unsigned int i;

	(void)unused;
	tc_block_sample(&a, &heat, 70, 64, 5, 3);
	for (i = 0; i < 32; i++)
		assert_int_equal(a.owner[64 + i], tc_owner_at(a.owner[64], i));
	assert_int_equal(a.owner[70], 3);
	assert_int_equal(a.owner[64], 252);
	assert_int_equal(a.owner[63], 0);
	assert_int_equal(a.owner[96], 0);
}

static void same_owner_keeps_its_heat(void **unused)
{
	(void)unused;
	tc_block_sample(&a, &heat, 70, 64, 5, 3);
	tc_block_sample(&a, &heat, 71, 64, 5, 4);
	/* The folio splits; its pages keep their owner. */
	tc_block_sample(&a, &heat, 71, 71, 0, 4);
	assert_int_equal(a.count[70], TC_SAMPLE_UNIT);
	assert_int_equal(a.count[71], 2 * TC_SAMPLE_UNIT);
}

static void other_owner_starts_cold(void **unused)
{
	(void)unused;
	tc_block_sample(&a, &heat, 70, 64, 5, 3);
	tc_block_sample(&a, &heat, 75, 64, 5, 8);
	tc_block_set_queued(&a, 64);
	tc_block_sample(&a, &heat, 70, 64, 5, 4);
	assert_int_equal(a.count[70], TC_SAMPLE_UNIT);
	assert_int_equal(a.count[75], 0);
	assert_false(tc_block_queued(&a, 64));
	assert_true(tc_block_sum(&a, 64, 5) == TC_SAMPLE_UNIT);
	expect_only(4, 32);
}

static void larger_folio_takes_over_only_its_own_pages(void **unused)
{
	(void)unused;
	tc_block_sample(&a, &heat, 64, 64, 0, 10);
	tc_block_sample(&a, &heat, 65, 65, 0, 77);
	tc_block_sample(&a, &heat, 66, 66, 0, 12);
	tc_block_sample(&a, &heat, 66, 64, 2, 12);
	assert_int_equal(a.count[64], TC_SAMPLE_UNIT);
	assert_int_equal(a.count[65], 0);
	assert_int_equal(a.count[66], 2 * TC_SAMPLE_UNIT);
	assert_int_equal(a.owner[65], 11);
}

static void unknown_owner_changes_no_tag(void **unused)
{
	(void)unused;
	tc_block_sample(&a, &heat, 70, 64, 5, 3);
	tc_block_sample(&a, &heat, 70, 64, 5, 0);
	assert_int_equal(a.count[70], 2 * TC_SAMPLE_UNIT);
	assert_int_equal(a.owner[70], 3);
	assert_false(tc_block_see(&a, &heat, 64, 5, 0));
	assert_int_equal(a.owner[70], 3);
	assert_int_equal(a.count[70], 2 * TC_SAMPLE_UNIT);
	assert_false(tc_block_see(&b, &heat, 64, 5, 0));
}

static void cursor_sees_a_folio_the_second_time(void **unused)
{
	(void)unused;
	assert_false(tc_block_see(&a, &heat, 64, 5, 9));
	assert_true(tc_block_see(&a, &heat, 64, 5, 9));
	assert_int_equal(a.owner[95], tc_owner_at(9, 31));
	assert_true(tc_block_empty(&a));
	expect_only(0, 0);
}

static void cursor_drops_the_heat_of_another_owner(void **unused)
{
	(void)unused;
	tc_block_sample(&a, &heat, 64, 64, 5, 9);
	tc_block_set_queued(&a, 64);
	tc_block_sample(&a, &heat, 96, 96, 5, 9);
	assert_true(tc_block_see(&a, &heat, 64, 5, 9));
	assert_true(tc_block_queued(&a, 64));
	assert_false(tc_block_see(&a, &heat, 64, 5, 10));
	assert_false(tc_block_queued(&a, 64));
	assert_int_equal(a.count[64], 0);
	assert_int_equal(tc_block_bin(&a, &heat, 64), 0);
	/* Only the neighbour is left. */
	expect_only(4, 32);
}

static void verify_bins_anew_what_is_seen_already(void **unused)
{
	static const int pieces[][2] = { { 72, 3 }, { -1, 0 } };
	static const int whole[][2] = { { 64, 5 }, { -1, 0 } };

	(void)unused;
	tc_block_see(&a, &heat, 64, 5, 9);
	tc_block_sample(&a, &heat, 72, 72, 3, tc_owner_at(9, 8));
	expect_folios(&a, pieces);
	tc_block_verify(&a, &heat, 64, 5, 9);
	assert_int_equal(a.count[72], TC_SAMPLE_UNIT);
	expect_folios(&a, whole);
}

static void verify_drops_the_heat_of_another_owner(void **unused)
{
	(void)unused;
	tc_block_sample(&a, &heat, 64, 64, 5, 9);
	tc_block_verify(&a, &heat, 64, 5, 10);
	assert_int_equal(a.count[64], 0);
	assert_true(tc_block_empty(&a));
	/* and bins nothing that was not binned */
	tc_block_verify(&a, &heat, 128, 5, 10);
	assert_true(tc_block_empty(&a));
	expect_only(0, 0);
}

static void cursor_drops_the_heat_of_single_stale_pages(void **unused)
{
	static const int expected[][2] = { { 64, 5 }, { -1, 0 } };

	(void)unused;
	tc_block_sample(&a, &heat, 64, 64, 0, 9);
	tc_block_sample(&a, &heat, 70, 70, 0, 100);
	assert_true(tc_block_see(&a, &heat, 64, 5, 9));
	assert_int_equal(a.count[64], TC_SAMPLE_UNIT);
	assert_int_equal(a.count[70], 0);
	expect_folios(&a, expected);
}

static void carry_moves_heat_and_tags(void **unused)
{
	static const int left[][2] = { { 0, 6 }, { 96, 5 }, { 128, 7 }, { 256, 8 }, { -1, 0 } };
	static const int come[][2] = { { 128, 5 }, { -1, 0 } };

	(void)unused;
	tc_block_sample(&a, &heat, 70, 0, 9, 9);
	tc_block_sample(&b, &heat, 130, 128, 5, 200);
	tc_block_set_queued(&a, 70);
	tc_block_set_queued(&b, 130);
	tc_block_carry(&a, 64, &b, 128, 5, &heat);
	expect_folios(&a, left);
	expect_folios(&b, come);
	assert_int_equal(b.count[134], TC_SAMPLE_UNIT);
	assert_int_equal(b.count[130], 0);
	assert_int_equal(b.owner[134], 9);
	assert_int_equal(b.owner[128], 3);
	assert_int_equal(a.owner[70], 0);
	assert_false(tc_block_queued(&a, 70));
	assert_false(tc_block_queued(&b, 130));
	assert_true(tc_block_sum(&a, 0, 9) == 0);
	assert_true(tc_block_sum(&b, 0, 9) == TC_SAMPLE_UNIT);
	assert_true(heat.hist.pages[4] == 32);
	assert_true(heat.hist.pages[0] == TC_BLOCK_PAGES - 32);
	/* Its owner is known at the new place. */
	assert_true(tc_block_see(&b, &heat, 128, 5, 3));
}

static void carry_inside_one_block(void **unused)
{
	(void)unused;
	tc_block_sample(&a, &heat, 1, 0, 9, 9);
	tc_block_sample(&a, &heat, 257, 0, 9, 10);
	tc_block_sample(&a, &heat, 257, 0, 9, 10);
	assert_int_equal(a.count[1], TC_SAMPLE_UNIT);
	tc_block_carry(&a, 0, &a, 256, 8, &heat);
	assert_int_equal(a.count[1], 0);
	assert_int_equal(a.count[257], TC_SAMPLE_UNIT);
	assert_int_equal(a.owner[257], 9);
	expect_only(1, 256);
}

static void carry_to_the_same_place_changes_nothing(void **unused)
{
	(void)unused;
	tc_block_sample(&a, &heat, 70, 64, 5, 9);
	tc_block_set_queued(&a, 64);
	tc_block_carry(&a, 64, &a, 64, 5, &heat);
	assert_int_equal(a.count[70], TC_SAMPLE_UNIT);
	assert_int_equal(a.owner[70], 9);
	assert_true(tc_block_queued(&a, 64));
	expect_only(4, 32);
}

static void carry_between_lagging_blocks(void **unused)
{
	(void)unused;
	tc_block_sample(&a, &heat, 5, 5, 0, 9);
	cool(1);
	tc_block_sample(&b, &heat, 6, 6, 0, 9);
	cool(1);
	tc_block_carry(&a, 5, &b, 7, 0, &heat);
	assert_int_equal(a.epoch, 2);
	assert_int_equal(b.epoch, 2);
	assert_int_equal(b.count[6], TC_SAMPLE_UNIT / 2);
	assert_int_equal(b.count[7], TC_SAMPLE_UNIT / 4);
	assert_true(heat.hist.pages[8] == 1);
	assert_true(heat.hist.pages[7] == 1);
}

static void carry_of_what_was_never_sampled(void **unused)
{
	(void)unused;
	tc_block_see(&a, &heat, 64, 5, 9);
	tc_block_carry(&a, 64, &b, 64, 5, &heat);
	assert_int_equal(b.owner[64], 9);
	assert_int_equal(a.owner[64], 0);
	assert_true(tc_block_empty(&b));
	expect_only(0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		block_test(owner_tags_count_up_and_wrap),
		block_test(sample_sets_the_tags_of_the_folio),
		block_test(same_owner_keeps_its_heat),
		block_test(other_owner_starts_cold),
		block_test(larger_folio_takes_over_only_its_own_pages),
		block_test(unknown_owner_changes_no_tag),
		block_test(cursor_sees_a_folio_the_second_time),
		block_test(cursor_drops_the_heat_of_another_owner),
		block_test(cursor_drops_the_heat_of_single_stale_pages),
		block_test(verify_bins_anew_what_is_seen_already),
		block_test(verify_drops_the_heat_of_another_owner),
		block_test(carry_moves_heat_and_tags),
		block_test(carry_inside_one_block),
		block_test(carry_to_the_same_place_changes_nothing),
		block_test(carry_between_lagging_blocks),
		block_test(carry_of_what_was_never_sampled),
	};

	return cmocka_run_group_tests_name("block_owner", tests, NULL, NULL);
}
