// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the simulated machine's page walker on page tables made here.
 * Knows the x86-64 format of entries.
 * Does not know the TLB.
 */
#include "unit.h"

#include <string.h>

#include "walk.h"

#define PRESENT 1ULL
#define WRITABLE 2ULL
#define LARGE (1ULL << 7)
#define GLOBAL (1ULL << 8)
#define ACCESSED (1ULL << 5)
#define NO_EXECUTE (1ULL << 63)
#define PAGE 4096ULL
#define VADDR (3ULL << 39 | 5ULL << 30 | 7ULL << 21 | 8ULL << 12)

/* Tables lie one after the other from address 0 on; the root is the first. */
static u64 table[8][512];
static unsigned int reads, entries_read;

static bool read_table(void *context, u64 paddr, unsigned int nr, u64 *entry)
{
	assert_ptr_equal(context, table);
	if (paddr + nr * 8ULL > sizeof(table))
		return false;
	memcpy(entry, (char *)table + paddr, nr * 8);
	reads++;
	entries_read += nr;
	return true;
}

/* Root 0, table 1 below, 2 below that, page tables 3; plus a large page of each size. */
static int make_tables(void **unused)
{
	unsigned int i;

	(void)unused;
	memset(table, 0, sizeof(table));
	table[0][3] = 1 * PAGE | PRESENT;
	table[1][5] = 2 * PAGE | PRESENT;
	table[1][6] = 5ULL << 30 | LARGE | PRESENT | GLOBAL;
	table[2][7] = 3 * PAGE | PRESENT;
	table[2][8] = 9ULL << 21 | LARGE | PRESENT | NO_EXECUTE;
	for (i = 0; i < 16; i++)
		table[3][8 + i] = (0x1000 + i) * PAGE | PRESENT | WRITABLE;
	reads = 0;
	entries_read = 0;
	return 0;
}

static struct walker walker_of(unsigned int group_shift)
{
	return (struct walker){ .group_shift = group_shift };
}

static bool walk(struct walker *walker, u64 vaddr, struct walk_result *result)
{
	return tcm_walk(walker, 0, vaddr, read_table, table, result);
}

static void check(const struct walk_result *result, u64 frame, unsigned int shift, bool global)
{
	assert_true(result->frame == frame);
	assert_int_equal(result->shift, shift);
	assert_int_equal(result->global, global);
}

static void all_sizes(void **unused)
{
	struct walker walker = walker_of(12);
	struct walk_result result;

	(void)unused;
	assert_true(walk(&walker, VADDR + 123, &result));
	check(&result, 0x1000 * PAGE, 12, false);
	assert_true(walk(&walker, VADDR + (1ULL << 21), &result));
	check(&result, 9ULL << 21, 21, false);
	assert_true(walk(&walker, VADDR + (1ULL << 30), &result));
	check(&result, 5ULL << 30, 30, true);
}

/* Four reads at first; one where the directory entry is remembered, two where only the one above is. */
static void upper_levels_are_remembered(void **unused)
{
	struct walker walker = walker_of(12);
	struct walk_result result;

	(void)unused;
	assert_true(walk(&walker, VADDR, &result));
	assert_int_equal(reads, 4);
	assert_true(walk(&walker, VADDR + PAGE, &result));
	assert_int_equal(reads, 5);
	assert_true(walk(&walker, VADDR + (1ULL << 21), &result));
	assert_int_equal(reads, 6);
	tcm_walk_forget(&walker);
	assert_true(walk(&walker, VADDR, &result));
	assert_int_equal(reads, 10);
}

static void not_mapped(void **unused)
{
	struct walker walker = walker_of(12);
	struct walk_result result;

	(void)unused;
	assert_false(walk(&walker, 0, &result));
	assert_false(walk(&walker, VADDR - (2ULL << 30), &result));
	assert_false(walk(&walker, VADDR + (2ULL << 21), &result));
	assert_false(walk(&walker, VADDR - PAGE, &result));
	table[0][4] = 100 * PAGE | PRESENT; /* a table that cannot be read */
	assert_false(walk(&walker, 4ULL << 39, &result));
}

static void a_group_shares_a_translation(void **unused)
{
	struct walker walker = walker_of(14);
	struct walk_result result;

	(void)unused;
	assert_true(walk(&walker, VADDR + 2 * PAGE, &result));
	check(&result, 0x1000 * PAGE, 14, false);
	assert_int_equal(reads, 4);
	assert_int_equal(entries_read, 7);
	table[3][9] |= ACCESSED;
	assert_true(walk(&walker, VADDR, &result));
	assert_int_equal(result.shift, 14);
}

static void expect_alone(u64 vaddr, u64 frame)
{
	struct walker walker = walker_of(14);
	struct walk_result result;

	assert_true(walk(&walker, vaddr, &result));
	check(&result, frame, 12, false);
}

static void what_breaks_a_group(void **unused)
{
	u64 whole = table[3][10];

	(void)unused;
	table[3][10] = whole & ~WRITABLE;
	expect_alone(VADDR + PAGE, 0x1001 * PAGE);
	table[3][10] = 0;
	expect_alone(VADDR + PAGE, 0x1001 * PAGE);
	table[3][10] = whole + PAGE;
	expect_alone(VADDR + 2 * PAGE, 0x1003 * PAGE);
	table[3][10] = whole;
	/* adjacent, but its physical address does not start at a multiple of its size */
	table[3][12] = 0x2001 * PAGE | PRESENT;
	table[3][13] = 0x2002 * PAGE | PRESENT;
	table[3][14] = 0x2003 * PAGE | PRESENT;
	table[3][15] = 0x2004 * PAGE | PRESENT;
	expect_alone(VADDR + 5 * PAGE, 0x2002 * PAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(all_sizes, make_tables),
		cmocka_unit_test_setup(upper_levels_are_remembered, make_tables),
		cmocka_unit_test_setup(not_mapped, make_tables),
		cmocka_unit_test_setup(a_group_shares_a_translation, make_tables),
		cmocka_unit_test_setup(what_breaks_a_group, make_tables),
	};

	return cmocka_run_group_tests_name("machine_walk", tests, NULL, NULL);
}
