// SPDX-License-Identifier: GPL-2.0
/*
 * The machine's parameters, from the -plugin option.
 *
 * Knows names, defaults, bounds. The source of each default:
 *   tier latencies   none here, each tier= names its own; the demo uses 80 ns
 *                    (DRAM) and 170 ns (CXL), as MEMTIS (SOSP'23) does
 *   llc, ways        2 MiB, 8 ways: a small server's share of cache per core
 *   insn_ps, mhz     333 ps at 3000 MHz: one instruction a cycle
 *   direct_map       Linux x86-64 with four-level tables and nokaslr
 *                    (Documentation/arch/x86/x86_64/mm.rst)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

struct machine machine = {
	.direct_map = 0xffff888000000000ULL,
	.llc_bytes = 2 << 20,
	.llc_ways = 8,
	.insn_ps = 333,
	.clock_mhz = 3000,
	.seed = 1,
};

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

static bool parse_kind(const char *text, struct tcm_tier *tier)
{
	if (!strcmp(text, "dram"))
		tier->kind = TCM_KIND_DRAM;
	else if (!strcmp(text, "cxl"))
		tier->kind = TCM_KIND_CXL;
	else
		return false;
	return true;
}

/* START-END:LATENCY_NS:KIND */
static bool parse_tier(const char *text)
{
	struct tcm_tier *tier = &machine.tier[machine.nr_tiers];
	char *end;

	if (machine.nr_tiers == TCM_MAX_TIERS)
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
	machine.wait_ps[machine.nr_tiers++] = tier->latency_ns * 1000ULL;
	return true;
}

static bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
	char *end;

	*value = parse_size(text, &end);
	return end != text && !*end && *value >= least && *value <= most;
}

static bool parse_numeric(const char *name, const char *text)
{
	uint64_t value;

	if (!strcmp(name, "llc"))
		return parse_number(text, 1 << 12, 1ULL << 32, &machine.llc_bytes);
	if (!strcmp(name, "seed"))
		return parse_number(text, 0, UINT64_MAX >> 1, &machine.seed);
	if (!strcmp(name, "direct_map"))
		return parse_number(text, 1ULL << 63, UINT64_MAX, &machine.direct_map);
	if (!strcmp(name, "ways")) {
		if (!parse_number(text, 1, 64, &value))
			return false;
		machine.llc_ways = value;
	} else if (!strcmp(name, "insn_ps")) {
		if (!parse_number(text, 1, 1000000, &value))
			return false;
		machine.insn_ps = value;
	} else if (!strcmp(name, "mhz")) {
		if (!parse_number(text, 100, 10000, &value))
			return false;
		machine.clock_mhz = value;
	} else {
		return false;
	}
	return true;
}

static bool parse_arg(const char *arg)
{
	const char *value = strchr(arg, '=');
	char name[16] = "";

	if (!value || (size_t)(value - arg) >= sizeof(name))
		return false;
	memcpy(name, arg, value - arg);
	value++;
	if (!strcmp(name, "shared"))
		machine.shared_path = value;
	else if (!strcmp(name, "pages"))
		machine.pages_path = value;
	else if (!strcmp(name, "text"))
		machine.text_path = value;
	else if (!strcmp(name, "tier"))
		return parse_tier(value);
	else
		return parse_numeric(name, value);
	return true;
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
	if (!machine.shared_path || !machine.nr_tiers) {
		fprintf(stderr, "tcmachine: shared=FILE and at least one tier= are needed\n");
		return false;
	}
	return true;
}
