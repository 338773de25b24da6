/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a workload of the benchmark is, and what it is given to work with.
 *
 * Knows the order of a run: plan the memory, place it, fill it, run operations
 * in windows, check. Does not know any workload; each one is a file beside
 * this folder that defines "work".
 */
#ifndef TC_WORK_H
#define TC_WORK_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum work_place {
	PLACE_NONE, /* where the kernel puts what is touched first */
	PLACE_FAST_FIRST, /* by address: the fast node is filled, the rest is slow */
	PLACE_COLD_FIRST, /* the coldest parts fill the fast node, the hot ones are slow */
	PLACE_INTERLEAVE, /* the part that fits on the fast node is spread evenly */
};

enum work_huge {
	HUGE_SYSTEM,
	HUGE_NEVER,
	HUGE_ALWAYS,
};

struct work_options {
	unsigned long size_mib, seed, keep_free_mib, reserve_mib;
	unsigned long warm_up, window, run; /* operations */
	enum work_place place;
	enum work_huge huge;
	const char *start; /* command between warm-up and the first window */
	bool corrupt, oracle;
	unsigned long corrupt_word;
};

struct work {
	const char *name;
	const char *doc; /* one sentence, for --help */
	unsigned long window_per_mib; /* default of --window: so many operations per MiB */
	bool huge; /* asks for huge pages unless told otherwise */
	const struct argp *options; /* of its own, or NULL */
	void (*plan)(void); /* computes sizes, takes memory: arena_segment(), arena_reserve() */
	void (*heat)(double *heat); /* adds to each page's expected accesses; or NULL */
	void (*fill)(void); /* writes all contents */
	unsigned long (*run)(unsigned long operations); /* at least so many; returns how many */
	void (*report)(const char *prefix); /* lines of its own after each window, or NULL */
	void (*corrupt)(unsigned long word); /* NULL: one bit of the arena's word */
	void (*check)(void); /* compares all that is in memory with an independent computation */
	void (*end)(void); /* or NULL */
};

/* What it has found so far. The digest hangs on seed, size and operations alone. */
struct work_result {
	uint64_t operations;
	uint64_t bad; /* whatever was found wrong: words, lookups, sums */
	uint64_t digest;
};

extern const struct work work;
extern struct work_options option;
extern struct work_result result;

/* A 64-bit word in which every bit of x counts; see zipf_seed(). */
static inline uint64_t work_mix(uint64_t x)
{
	x = (x + 1) * 0x9e3779b97f4a7c15ULL;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

/* The n-th random word of a stream. */
static inline uint64_t work_random(uint64_t stream, uint64_t n)
{
	return work_mix(work_mix(option.seed ^ stream << 32) + n);
}

static inline uint64_t work_below(uint64_t random, uint64_t bound)
{
	return (unsigned __int128)random * bound >> 64;
}

/* A branch and no sum: what is right, as nearly always, costs no access to memory. */
static inline void work_expect(bool right)
{
	if (__builtin_expect(!right, 0))
		result.bad++;
}

/* options.c */
void options_parse(int argc, char **argv);
unsigned long option_number(const char *text, const struct argp_state *state);
void work_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* measure.c */
void measure(void);

#endif
