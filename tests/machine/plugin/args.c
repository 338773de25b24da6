// SPDX-License-Identifier: GPL-2.0
/*
 * The machine's parameters, from the -plugin option.
 *
 * Knows names, defaults, bounds; docs/machine.md explains them. The source of
 * each default:
 *   tier latencies   none here, each tier= names its own; qemu-args uses those of
 *                    the papers
 *   bandwidths       by kind: 100 GB/s for DRAM and 20 GB/s for CXL, as the
 *                    firmware of the test machine tells the guest (HMAT,
 *                    tests/vm/machine.sh); PMEM: 20 GB/s
 *   duplex           DRAM and PMEM share one bus for both directions; CXL runs
 *                    over PCI Express, which has lanes for each
 *   llc, ways        2 MiB, 8 ways: a small server's share of cache per core
 *   insn_ps, mhz     333 ps at 3000 MHz: one instruction a cycle
 *   dtlb, dtlb_huge, stlb, stlb_ps
 *                    Skylake server: 64 entries of 4 KiB and 32 of 2 MiB, 4 ways
 *                    each; 1536 shared, 12 ways, 7 cycles (Intel 64 and IA-32
 *                    Architectures Optimization Reference Manual)
 *   walk_load_ps     14 cycles, the second-level cache of the same processor
 *   coalesce         1: Intel's do not; AMD's Zen merges pages
 *   load_gain_pm     150: latency doubles at 87 % of the bandwidth, and is at
 *                    most 3.85 times the idle one (docs/machine.md)
 *   direct_map       Linux x86-64 with four-level tables and nokaslr
 *                    (Documentation/arch/x86/x86_64/mm.rst)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

struct machine machine = {
	.direct_map = 0xffff888000000000ULL,
	.config = {
		.llc_bytes = 2 << 20,
		.llc_ways = 8,
		.insn_ps = 333,
		.clock_mhz = 3000,
		.seed = 1,
		.dtlb = { 64, 4 },
		.dtlb_huge = { 32, 4 },
		.stlb = { 1536, 12 },
		.coalesce = 1,
		.stlb_ps = 2333,
		.walk_load_ps = 4667,
		.load_gain_pm = 150,
	},
};

static const struct {
	const char *name;
	enum tcm_kind kind;
	uint32_t bandwidth_mbs;
	bool full_duplex;
} kinds[] = {
	{ "dram", TCM_KIND_DRAM, 100000, false },
	{ "cxl", TCM_KIND_CXL, 20000, true },
	{ "pmem", TCM_KIND_PMEM, 20000, false },
};

/* Numbers of 32 bits in the configuration, and those of 64. */
static const struct {
	const char *name;
	uint32_t *small;
	__u64 *large;
	uint64_t least, most;
} numbers[] = {
	{ "llc", NULL, &machine.config.llc_bytes, 1 << 12, 1ULL << 32 },
	{ "ways", &machine.config.llc_ways, NULL, 1, 64 },
	{ "insn_ps", &machine.config.insn_ps, NULL, 1, 1000000 },
	{ "mhz", &machine.config.clock_mhz, NULL, 100, 10000 },
	{ "seed", NULL, &machine.config.seed, 0, UINT64_MAX >> 1 },
	{ "stlb_ps", &machine.config.stlb_ps, NULL, 0, 1000000 },
	{ "walk_load_ps", &machine.config.walk_load_ps, NULL, 0, 1000000 },
	{ "load_gain_pm", &machine.config.load_gain_pm, NULL, 0, 10000 },
	{ "direct_map", NULL, &machine.direct_map, 1ULL << 63, UINT64_MAX },
	{ "verify", NULL, &machine.verify, 0, 1 },
};

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* A number with an optional K, M or G; *end is left behind it. */
static uint64_t parse_size(const char *text, char **end)
{
	uint64_t value = strtoull(text, end, 0);

	switch (**end) {
	case 'K':
		(*end)++;
		return value << 10;
	case 'M':
		(*end)++;
		return value << 20;
	case 'G':
		(*end)++;
		return value << 30;
	}
	return value;
}

static bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
	char *end;

	*value = parse_size(text, &end);
	return end != text && !*end && *value >= least && *value <= most;
}

/* Numbers with colons between them; how many there were, 0 if something else was. */
static unsigned int parse_list(const char *text, uint32_t *value, unsigned int most)
{
	unsigned int nr = 0;
	char *end;

	do {
		uint64_t number = parse_size(text, &end);

		if (nr == most || end == text || number > UINT32_MAX)
			return 0;
		value[nr++] = number;
		text = end + 1;
	} while (*end == ':');
	return *end ? 0 : nr;
}

static bool parse_kind(const char *text, struct tcm_tier *tier)
{
	size_t i;

	for (i = 0; i < NR(kinds); i++) {
		if (strcmp(text, kinds[i].name))
			continue;
		tier->kind = kinds[i].kind;
		tier->bandwidth_mbs = kinds[i].bandwidth_mbs;
		tier->full_duplex = kinds[i].full_duplex;
		return true;
	}
	return false;
}

/* START-END:LATENCY_NS:KIND */
static bool parse_tier(const char *text)
{
	struct tcm_tier *tier = &machine.config.tier[machine.config.nr_tiers];
	char *end;

	if (machine.config.nr_tiers == TCM_MAX_TIERS)
		return false;
	tier->start = parse_size(text, &end);
	if (*end != '-')
		return false;
	tier->end = parse_size(end + 1, &end);
	if (*end != ':' || tier->end <= tier->start)
		return false;
	tier->latency_ns = strtoul(end + 1, &end, 10);
	if (*end != ':' || !tier->latency_ns || !parse_kind(end + 1, tier))
		return false;
	machine.config.nr_tiers++;
	return true;
}

/* TIER:MB_PER_SECOND[:FULL_DUPLEX], for a tier that was given before */
static bool parse_bandwidth(const char *text)
{
	uint32_t value[3];
	unsigned int nr = parse_list(text, value, 3);

	if (nr < 2 || value[0] >= machine.config.nr_tiers || (nr > 2 && value[2] > 1))
		return false;
	machine.config.tier[value[0]].bandwidth_mbs = value[1];
	if (nr > 2)
		machine.config.tier[value[0]].full_duplex = value[2];
	return true;
}

/* TIER:MB_READ:MB_WRITTEN a second */
static bool parse_antagonist(const char *text)
{
	uint32_t value[3];

	if (parse_list(text, value, 3) != 3 || value[0] >= machine.config.nr_tiers)
		return false;
	machine.config.tier[value[0]].antagonist_read_mbs = value[1];
	machine.config.tier[value[0]].antagonist_write_mbs = value[2];
	machine.antagonist[value[0]] = (struct traffic){ value[1], value[2] };
	return true;
}

/* ENTRIES:WAYS */
static bool parse_tlb(const char *text, struct tcm_tlb_shape *shape)
{
	uint32_t value[2];

	if (parse_list(text, value, 2) != 2)
		return false;
	*shape = (struct tcm_tlb_shape){ value[0], value[1] };
	return value[0] && value[0] <= 65536;
}

static bool parse_coalesce(const char *text)
{
	uint64_t pages;

	if (!parse_number(text, 1, WALK_MOST_GROUP, &pages) || pages & (pages - 1))
		return false;
	machine.config.coalesce = pages;
	return true;
}

static bool parse_other(const char *name, const char *text)
{
	uint64_t value;
	size_t i;

	for (i = 0; i < NR(numbers); i++) {
		if (strcmp(name, numbers[i].name))
			continue;
		if (!parse_number(text, numbers[i].least, numbers[i].most, &value))
			return false;
		if (numbers[i].small)
			*numbers[i].small = value;
		else
			*numbers[i].large = value;
		return true;
	}
	return false;
}

static bool parse_path(const char *name, const char *path)
{
	if (!strcmp(name, "shared"))
		machine.shared_path = path;
	else if (!strcmp(name, "pages"))
		machine.pages_path = path;
	else if (!strcmp(name, "windows"))
		machine.windows_path = path;
	else if (!strcmp(name, "counts"))
		machine.counts_path = path;
	else if (!strcmp(name, "text"))
		machine.text_path = path;
	else
		return false;
	return true;
}

static bool parse_named(const char *name, const char *value)
{
	if (!strcmp(name, "tier"))
		return parse_tier(value);
	if (!strcmp(name, "bandwidth"))
		return parse_bandwidth(value);
	if (!strcmp(name, "antagonist"))
		return parse_antagonist(value);
	if (!strcmp(name, "dtlb"))
		return parse_tlb(value, &machine.config.dtlb);
	if (!strcmp(name, "dtlb_huge"))
		return parse_tlb(value, &machine.config.dtlb_huge);
	if (!strcmp(name, "stlb"))
		return parse_tlb(value, &machine.config.stlb);
	if (!strcmp(name, "coalesce"))
		return parse_coalesce(value);
	return parse_path(name, value) || parse_other(name, value);
}

static bool parse_arg(const char *arg)
{
	const char *value = strchr(arg, '=');
	char name[16] = "";

	if (!value || (size_t)(value - arg) >= sizeof(name))
		return false;
	memcpy(name, arg, value - arg);
	return parse_named(name, value + 1);
}

bool tcm_parse_args(int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++) {
		if (!parse_arg(argv[i])) {
			fprintf(stderr, "tcmachine: argument '%s' is not understood\n", argv[i]);
			return false;
		}
	}
	if (!machine.shared_path || !machine.config.nr_tiers) {
		fprintf(stderr, "tcmachine: shared=FILE and at least one tier= are needed\n");
		return false;
	}
	return true;
}
