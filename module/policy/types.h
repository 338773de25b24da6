/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What every file of the policy core shares: integer types, limits, and single-copy access.
 * Knows that the core is compiled twice, into the module and into user-space programs.
 * Does not know any kernel function; apart from this file no policy file tests __KERNEL__.
 */
#ifndef TC_POLICY_TYPES_H
#define TC_POLICY_TYPES_H

#ifdef __KERNEL__

#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/types.h>

/*
 * tc_read_once(), tc_write_once() - access to what another thread reads or writes at the same time
 *
 * One load or store that the compiler neither tears, repeats nor leaves out. They order nothing.
 */
#define tc_read_once(x) READ_ONCE(x)
#define tc_write_once(x, val) WRITE_ONCE(x, val)

#else

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;

#define tc_read_once(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define tc_write_once(x, val) __atomic_store_n(&(x), (val), __ATOMIC_RELAXED)

#endif

/* One entry of the heat map covers an aligned block of 2^9 pages of 4 KiB, that is 2 MiB. */
#define TC_BLOCK_ORDER 9
#define TC_BLOCK_PAGES (1U << TC_BLOCK_ORDER)

/* Bins of a hotness histogram (MEMTIS, SOSP 2023: 16 exponential bins). */
#define TC_BINS 16

/*
 * Counts are fixed point: one sample adds 16, so a page with a single sample is told from an
 * untouched one over four halvings. A count stops at TC_COUNT_MAX (4,095 samples), far above the
 * 64 samples that put a base page into the top bin.
 */
#define TC_SAMPLE_SHIFT 4
#define TC_SAMPLE_UNIT (1U << TC_SAMPLE_SHIFT)
#define TC_COUNT_MAX 65535U

#define TC_U64_MAX (~(u64)0)

static inline u64 tc_min_u64(u64 a, u64 b)
{
	return a < b ? a : b;
}

static inline u64 tc_max_u64(u64 a, u64 b)
{
	return a > b ? a : b;
}

#endif /* TC_POLICY_TYPES_H */
