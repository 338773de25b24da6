/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of a block by examples share: two blocks, their machine, and short words for them.
 * Knows block.h.
 * Does not know what is tested.
 */
#ifndef TC_BLOCK_FIXTURE_H
#define TC_BLOCK_FIXTURE_H

#include "block.h"

extern struct tc_heat heat;
extern struct tc_block a, b;

/* Two empty blocks at epoch 0; the setup of each test. */
int block_setup(void **unused);

#define block_test(f) cmocka_unit_test_setup(f, block_setup)

/* The machine cools; no block is swept. */
void cool(unsigned int times);

/* Samples on a page of a folio of an owner that cannot be told. Returns the folio's bin. */
unsigned int sample(struct tc_block *block, unsigned int page, unsigned int order,
		    unsigned int times);

/* Fails unless the histogram has @pages in @bin and nothing anywhere else. */
void expect_only(unsigned int bin, u64 pages);

/* Fails unless the block's binned folios are these heads and orders; a head of -1 ends the list. */
void expect_folios(const struct tc_block *block, const int (*expected)[2]);

#endif /* TC_BLOCK_FIXTURE_H */
