// SPDX-License-Identifier: GPL-2.0
/*
 * A token bucket that limits migration.
 * Knows pages and a clock that the caller passes in.
 * Does not know what the pages are for, nor how to wait.
 */
#include "bucket.h"

#define NS_PER_S 1000000000ULL

static void set_limits(struct tc_bucket *b, u64 rate_pages_per_s, u64 burst)
{
	b->rate_pages_per_s = tc_min_u64(rate_pages_per_s, TC_BUCKET_RATE_MAX);
	b->burst = burst ? burst : 1;
}

static void fill(struct tc_bucket *b, u64 now_ns)
{
	b->tokens = b->burst;
	b->last_ns = now_ns;
}

/*
 * Adds the whole pages that time has brought since last_ns, and moves last_ns only by the time that
 * they took, rounded up: many small steps give as much as one large one, and never more. Products
 * stay below 2^62, as the rate is at most 2^32 and NS_PER_S is below 2^30.
 */
static void refill(struct tc_bucket *b, u64 now_ns)
{
	u64 rate = b->rate_pages_per_s;
	u64 room = b->burst - b->tokens;
	u64 elapsed_ns, seconds, pages;

	if (!rate || now_ns <= b->last_ns)
		return;

	elapsed_ns = now_ns - b->last_ns;
	seconds = elapsed_ns / NS_PER_S;
	if (seconds > room / rate) {
		fill(b, now_ns);
		return;
	}

	pages = elapsed_ns % NS_PER_S * rate / NS_PER_S;
	if (pages >= room - seconds * rate) {
		fill(b, now_ns);
		return;
	}

	b->tokens += seconds * rate + pages;
	b->last_ns += seconds * NS_PER_S + (pages * NS_PER_S + rate - 1) / rate;
}

void tc_bucket_init(struct tc_bucket *b, u64 now_ns, u64 rate_pages_per_s, u64 burst)
{
	set_limits(b, rate_pages_per_s, burst);
	fill(b, now_ns);
}

void tc_bucket_set_rate(struct tc_bucket *b, u64 now_ns, u64 rate_pages_per_s, u64 burst)
{
	refill(b, now_ns);
	set_limits(b, rate_pages_per_s, burst);
	b->tokens = tc_min_u64(b->tokens, b->burst);
	/* The part of a page left over as time was earned at the old rate: it must not grow. */
	if (now_ns > b->last_ns)
		b->last_ns = now_ns;
}

u64 tc_bucket_take(struct tc_bucket *b, u64 now_ns, u64 want)
{
	u64 granted;

	if (!b->rate_pages_per_s)
		return want;

	refill(b, now_ns);
	granted = tc_min_u64(want, b->tokens);
	b->tokens -= granted;
	return granted;
}

void tc_bucket_return(struct tc_bucket *b, u64 pages)
{
	b->tokens += tc_min_u64(pages, b->burst - b->tokens);
}
