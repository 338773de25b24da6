// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the price of a split against values computed by hand.
 * Knows what price.h promises.
 * Does not know pages.
 */
#include "unit.h"

#include "price.h"

static void prices_by_hand(void **unused)
{
	static const struct {
		struct tc_price_input in;
		struct tc_price price;
		bool pays;
	} rows[] = {
		/* 1000 * 10 s * 90 = 900000; 16 * 1000 + 100000 = 116000; 2000 * 10 * 5 % * 30 = 30000 */
		{ { 1000, 2000, 90, 10, 16, 1000, 100000, 500, 30 },
		  { 900000, 116000, 30000 },
		  true },
		/* the same for a tenth of the time */
		{ { 1000, 2000, 90, 1, 16, 1000, 100000, 500, 30 }, { 90000, 116000, 3000 }, false },
		/* the walks of all accesses eat what the few hot ones gain */
		{ { 100, 10000, 90, 10, 16, 0, 0, 1000, 30 }, { 90000, 0, 300000 }, false },
		/* the benefit must be above the cost */
		{ { 10, 0, 10, 1, 1, 90, 10, 0, 0 }, { 100, 100, 0 }, false },
		{ { 10, 0, 10, 1, 1, 90, 9, 0, 0 }, { 100, 99, 0 }, true },
		/* nothing gained, nothing known */
		{ { 1000, 2000, 0, 10, 16, 1000, 100000, 500, 30 }, { 0, 116000, 30000 }, false },
		{ { 0 }, { 0, 0, 0 }, false },
		/* cut: 10^9 accesses * 10^6 s * 10^4 ns is 10^19; ten times that does not fit */
		{ { ~0ULL, 0, 10000, ~0U, 0, 0, 0, 0, 0 }, { 10000000000000000000ULL, 0, 0 }, true },
		{ { ~0ULL, 0, 100000, ~0U, 0, 0, 0, 0, 0 }, { ~0ULL, 0, 0 }, true },
		/* 10^15 * 100 % walks of 10^5 ns do not fit either, and a sum that stopped is not below */
		{ { ~0ULL, ~0ULL, 100000, ~0U, 512, ~0U, ~0U, 10000, 100000 },
		  { ~0ULL, 512ULL * ~0U + ~0U, ~0ULL },
		  false },
	};
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tc_price price;
		bool pays = tc_price_split(&rows[i].in, &price);

		unit_check(price.benefit_ns == rows[i].price.benefit_ns &&
				   price.move_ns == rows[i].price.move_ns &&
				   price.tlb_ns == rows[i].price.tlb_ns && pays == rows[i].pays,
			   "row %u: %llu, %llu + %llu, %s", i, (unsigned long long)price.benefit_ns,
			   (unsigned long long)price.move_ns, (unsigned long long)price.tlb_ns,
			   pays ? "pays" : "does not pay");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prices_by_hand),
	};

	return cmocka_run_group_tests_name("price", tests, NULL, NULL);
}
