// SPDX-License-Identifier: GPL-2.0
/*
 * Where accesses come from: generators of known popularity, or a file. Knows folio numbers only.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/errors.h"
#include "sim.h"

/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
static u64 next_random(struct trace *trace)
{
	u64 z = trace->random += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static double next_unit(struct trace *trace)
{
	return (next_random(trace) >> 11) * 0x1p-53;
}

/*
 * Zipf by rejection-inversion (Hoermann, Derflinger 1996): rank k of 1..n with probability in
 * proportion to k^-theta, in constant time and memory. H is the integral of x^-theta.
 */
static double integral(const struct trace *trace, double x)
{
	double log_x = log(x), power = 1 - trace->theta;

	return power == 0 ? log_x : expm1(power * log_x) / power;
}

static double inverse(const struct trace *trace, double y)
{
	double power = 1 - trace->theta;

	return power == 0 ? exp(y) : exp(log1p(fmax(y * power, -1)) / power);
}

static void zipf_init(struct trace *trace)
{
	trace->zipf_h0 = integral(trace, 1.5) - 1;
	trace->zipf_hn = integral(trace, trace->folios + 0.5);
	trace->zipf_s = 2 - inverse(trace, integral(trace, 2.5) - pow(2, -trace->theta));
}

static u64 zipf_rank(struct trace *trace)
{
	double y, x;
	u64 k;

	for (;;) {
		y = trace->zipf_hn + next_unit(trace) * (trace->zipf_h0 - trace->zipf_hn);
		x = inverse(trace, y);
		k = x + 0.5;
		if (k < 1)
			k = 1;
		if (k > trace->folios)
			k = trace->folios;
		if (k - x <= trace->zipf_s || y >= integral(trace, k + 0.5) - pow(k, -trace->theta))
			return k - 1;
	}
}

/* Ranks lie anywhere, but so many neighbours in rank are neighbours in memory. */
static u64 scatter(const struct trace *trace, u64 rank, u64 shift)
{
	u64 groups = trace->folios / trace->cluster, group = rank / trace->cluster;

	if (group >= groups)
		return rank;
	group = ((unsigned __int128)group * trace->multiplier + shift) % groups;
	return group * trace->cluster + rank % trace->cluster;
}

static u64 next_zipf(struct trace *trace, u64 *folios, u64 count)
{
	u64 i;

	for (i = 0; i < count && trace->left; i++, trace->left--)
		folios[i] = scatter(trace, zipf_rank(trace), 0);
	return i;
}

/* The same popularity, but who is popular changes from phase to phase. */
static u64 next_shift(struct trace *trace, u64 *folios, u64 count)
{
	u64 i;

	for (i = 0; i < count && trace->left; i++, trace->left--)
		folios[i] = scatter(trace, zipf_rank(trace), trace->done++ / trace->phase * 7919);
	return i;
}

/* Every fourth access belongs to a scan over all memory, which is never hot. */
static u64 next_scan(struct trace *trace, u64 *folios, u64 count)
{
	u64 i;

	for (i = 0; i < count && trace->left; i++, trace->left--) {
		if (trace->done++ % 4) {
			folios[i] = scatter(trace, zipf_rank(trace), 0);
		} else {
			folios[i] = trace->scan;
			trace->scan = (trace->scan + 1) % trace->folios;
		}
	}
	return i;
}

static u64 next_uniform(struct trace *trace, u64 *folios, u64 count)
{
	u64 i;

	for (i = 0; i < count && trace->left; i++, trace->left--)
		folios[i] = next_random(trace) % trace->folios;
	return i;
}

static u64 gcd(u64 a, u64 b)
{
	u64 rest;

	while (b) {
		rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

bool trace_generate(struct trace *trace, const char *name, u64 folios, u64 accesses, double theta,
		    u64 seed)
{
	static const struct {
		const char *name;
		u64 (*next)(struct trace *trace, u64 *folios, u64 count);
	} kinds[] = {
		{ "zipf", next_zipf },
		{ "shift", next_shift },
		{ "scan", next_scan },
		{ "uniform", next_uniform },
	};
	size_t i;

	*trace = (struct trace){ .folios = folios,
				 .left = accesses,
				 .theta = theta,
				 .random = seed,
				 .cluster = folios >= 64 ? 16 : 1,
				 .phase = accesses / 4 + 1 };
	trace->multiplier = folios / trace->cluster * 0.6180339887498949;
	while (gcd(trace->multiplier, folios / trace->cluster) != 1)
		trace->multiplier++;
	zipf_init(trace);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name))
			trace->next = kinds[i].next;
	return trace->next != NULL;
}

static u64 next_recorded(struct trace *trace, u64 *folios, u64 count)
{
	u64 n = count < trace->left ? count : trace->left;

	memcpy(folios, trace->recorded + trace->done, n * sizeof(*folios));
	trace->done += n;
	trace->left -= n;
	return n;
}

/* Takes one line; false when it is no address. */
static bool read_line(struct trace *trace, char *line, u64 *room)
{
	char *end;
	u64 address;

	line += strspn(line, " \t");
	if (!*line || *line == '#' || *line == '\n')
		return true;
	errno = 0;
	address = strtoull(line, &end, 16);
	if (end == line || errno || *(end + strspn(end, " \t\r\n")))
		return false;
	/* What has no physical address is told as 0. */
	if (!address)
		return true;
	if (trace->left == *room) {
		*room = *room ? *room * 2 : 65536;
		trace->recorded = realloc(trace->recorded, *room * sizeof(*trace->recorded));
		if (!trace->recorded)
			tc_die(TC_EXIT_FAILED, "no memory for a trace of %llu accesses",
			       (unsigned long long)*room);
	}
	trace->recorded[trace->left++] = address >> 12;
	return true;
}

static int compare_numbers(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* Number of a block among the sorted ones that occur. */
static u64 block_index(const u64 *blocks, u64 count, u64 block)
{
	return (const u64 *)bsearch(&block, blocks, count, sizeof(*blocks), compare_numbers) -
	       blocks;
}

/* From page frames to folios that are numbered without gaps between blocks. */
static void number_folios(struct trace *trace, unsigned int order)
{
	u64 *blocks = tc_alloc(trace->left * sizeof(*blocks)), count = 0, i, index;

	for (i = 0; i < trace->left; i++)
		blocks[i] = trace->recorded[i] >> TC_BLOCK_ORDER;
	qsort(blocks, trace->left, sizeof(*blocks), compare_numbers);
	for (i = 0; i < trace->left; i++)
		if (!i || blocks[i] != blocks[i - 1])
			blocks[count++] = blocks[i];
	for (i = 0; i < trace->left; i++) {
		index = block_index(blocks, count, trace->recorded[i] >> TC_BLOCK_ORDER);
		trace->recorded[i] = (index << (TC_BLOCK_ORDER - order)) |
				     ((trace->recorded[i] & (TC_BLOCK_PAGES - 1)) >> order);
	}
	free(blocks);
	trace->recorded_blocks = count;
	trace->folios = count << (TC_BLOCK_ORDER - order);
}

bool trace_read(struct trace *trace, const char *path, unsigned int order, char **why)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "re") : stdin;
	size_t size = 0;
	char *line = NULL;
	u64 room = 0, number = 0;
	bool good = true;

	*trace = (struct trace){ .next = next_recorded };
	if (!file) {
		*why = tc_format("%s: %s", path, strerror(errno));
		return false;
	}
	while (good && getline(&line, &size, file) >= 0) {
		number++;
		good = read_line(trace, line, &room);
	}
	if (!good)
		*why = tc_format("%s: line %llu is no hexadecimal address", path,
				 (unsigned long long)number);
	else if (!trace->left)
		*why = tc_format("%s: no addresses in it", path);
	free(line);
	if (file != stdin)
		fclose(file);
	if (!good || !trace->left)
		return false;
	number_folios(trace, order);
	return true;
}

void trace_exit(struct trace *trace)
{
	free(trace->recorded);
}
