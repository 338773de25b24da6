/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the best placement could have served from fast memory.
 *
 * Knows counts per page and sizes of fast memory. Does not know where pages are,
 * nor what moving them would cost: no real system reaches the oracle.
 */
#ifndef TCM_ORACLE_H
#define TCM_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * best[i] is the sum of the sizes[i] largest counts: the accesses that the best
 * fixed placement of so many pages serves. False if there is no memory.
 */
bool tcm_oracle_best(const uint64_t *count, uint64_t nr_pages, const uint64_t *sizes,
		     unsigned int nr_sizes, uint64_t *best);

#endif
