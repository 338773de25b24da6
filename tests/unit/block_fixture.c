// SPDX-License-Identifier: GPL-2.0
/*
 * What the tests of a block by examples share: two blocks, their machine, and short words for them.
 * Knows block.h.
 * Does not know what is tested.
 */
#include "block_fixture.h"

#include <string.h>

#include "unit.h"

struct tc_heat heat;
struct tc_block a, b;

int block_setup(void **unused)
{
	(void)unused;
	memset(&heat, 0, sizeof(heat));
	tc_block_init(&a, 0);
	tc_block_init(&b, 0);
	return 0;
}

void cool(unsigned int times)
{
	while (times--)
		tc_heat_cool(&heat);
}

unsigned int sample(struct tc_block *block, unsigned int page, unsigned int order,
		    unsigned int times)
{
	unsigned int bin = 0;

	while (times--)
		bin = tc_block_sample(block, &heat, page, page & ~((1U << order) - 1), order, 0);
	return bin;
}

void expect_only(unsigned int bin, u64 pages)
{
	assert_true(heat.hist.pages[bin] == pages);
	assert_true(tc_histogram_total(&heat.hist) == pages);
}

void expect_folios(const struct tc_block *block, const int (*expected)[2])
{
	unsigned int order;
	int head;

	tc_block_for_each_folio(block, head, order) {
		assert_int_equal(head, (*expected)[0]);
		assert_int_equal(order, (*expected)[1]);
		expected++;
	}
	assert_int_equal((*expected)[0], -1);
}
