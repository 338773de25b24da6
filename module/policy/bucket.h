/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A token bucket that limits migration.
 * Knows pages and a clock that the caller passes in.
 * Does not know what the pages are for, nor how to wait.
 */
#ifndef TC_POLICY_BUCKET_H
#define TC_POLICY_BUCKET_H

#include "types.h"

/* Bound of the rate: 2^32 pages (16 TiB) per second; a higher one is treated as this. */
#define TC_BUCKET_RATE_MAX ((u64)1 << 32)

/**
 * struct tc_bucket - what may be moved now
 * @tokens: 4 KiB pages that may be taken at @last_ns, at most @burst
 * @rate_pages_per_s: refill rate in 4 KiB pages per second, 0 = unlimited
 * @burst: 4 KiB pages that an idle bucket saves up, at least 1
 * @last_ns: time up to which @tokens is refilled; parts of a page stay behind as time
 *
 * Over any span of time, the pages granted (less those returned) are never more than
 * rate * time + burst.
 */
struct tc_bucket {
	u64 tokens;
	u64 rate_pages_per_s;
	u64 burst;
	u64 last_ns;
};

/**
 * tc_bucket_init - a full bucket
 * @b: the bucket
 * @now_ns: the present time in ns, of any monotonic clock
 * @rate_pages_per_s: refill rate in 4 KiB pages per second, 0 = unlimited
 * @burst: most pages saved up; 0 is treated as 1
 *
 * Context: Any; the caller serializes all use of one bucket.
 */
void tc_bucket_init(struct tc_bucket *b, u64 now_ns, u64 rate_pages_per_s, u64 burst);

/**
 * tc_bucket_set_rate - change rate and burst
 * @b: the bucket
 * @now_ns: the present time in ns
 * @rate_pages_per_s: new rate in 4 KiB pages per second, 0 = unlimited
 * @burst: new most pages saved up; 0 is treated as 1
 *
 * Time before @now_ns counts at the old rate. What was saved up stays, up to the new burst.
 *
 * Context: Any; the caller serializes all use of one bucket.
 */
void tc_bucket_set_rate(struct tc_bucket *b, u64 now_ns, u64 rate_pages_per_s, u64 burst);

/**
 * tc_bucket_take - ask for pages
 * @b: the bucket
 * @now_ns: the present time in ns; a time before the last one gives no refill
 * @want: pages wanted
 *
 * Context: Any; the caller serializes all use of one bucket.
 * Return: pages granted, 0 .. @want; with no limit always @want.
 */
u64 tc_bucket_take(struct tc_bucket *b, u64 now_ns, u64 want);

/**
 * tc_bucket_return - give back pages that were granted and not used
 * @b: the bucket
 * @pages: how many
 *
 * Context: Any; the caller serializes all use of one bucket.
 */
void tc_bucket_return(struct tc_bucket *b, u64 pages);

#endif /* TC_POLICY_BUCKET_H */
