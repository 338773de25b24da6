// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the admission table against the paper's.
 * Knows what admit.h promises.
 * Does not know pages.
 */
#include "unit.h"

#include "admit.h"

static void kinds_by_hand(void **unused)
{
	static const struct {
		u32 reads, writes;
		enum tc_page_kind kind;
	} rows[] = {
		{ 0, 0, TC_PAGE_UNKNOWN },     { 7, 0, TC_PAGE_UNKNOWN },
		{ 0, 7, TC_PAGE_UNKNOWN },     { 8, 0, TC_PAGE_READ },
		{ 0, 8, TC_PAGE_WRITE },       { 4, 4, TC_PAGE_MIXED },
		{ 6667, 3333, TC_PAGE_READ },  { 6666, 3334, TC_PAGE_MIXED },
		{ 3334, 6666, TC_PAGE_MIXED }, { 3333, 6667, TC_PAGE_WRITE },
		{ ~0U, ~0U, TC_PAGE_MIXED },
	};
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		unit_check(tc_page_kind(rows[i].reads, rows[i].writes) == rows[i].kind, "row %u",
			   i);
}

static void the_table(void **unused)
{
	/* by traffic: unknown, read, balanced, write */
	static const bool admits[TC_NR_PAGE_KINDS][TC_NR_TRAFFIC_KINDS] = {
		[TC_PAGE_UNKNOWN] = { true, true, true, true },
		[TC_PAGE_READ] = { true, true, true, false },
		[TC_PAGE_MIXED] = { true, true, true, true },
		[TC_PAGE_WRITE] = { true, false, true, true },
	};
	unsigned int page, traffic;

	(void)unused;
	for (page = 0; page < TC_NR_PAGE_KINDS; page++)
		for (traffic = 0; traffic < TC_NR_TRAFFIC_KINDS; traffic++)
			unit_check(tc_duplex_admits(traffic, page) == admits[page][traffic],
				   "page %u, traffic %u", page, traffic);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_by_hand),
		cmocka_unit_test(the_table),
	};

	return cmocka_run_group_tests_name("admit", tests, NULL, NULL);
}
