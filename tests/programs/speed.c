// SPDX-License-Identifier: GPL-2.0
/*
 * speed: work for the simulated machine to show how fast it is.
 *
 * Knows lookups with Zipf popularity, 1 KiB each, as a key-value store does
 * them. Does not know time: the machine's plugin prints its own speed on the
 * host, and no check depends on it. Also says what machine this is.
 */
#define _GNU_SOURCE
#include <stdio.h>

#include "backing.h"
#include "window.h"
#include "zipf.h"

#define BYTES (64UL << 20)
#define VALUE_BYTES 1024UL
#define NR_VALUES (BYTES / VALUE_BYTES)
#define LINE_BYTES 64UL
#define LOOKUPS 2000000UL
#define SEED 1

static struct tcm_shared *machine;

static uint64_t lookups(const char *map)
{
	struct spread keys;
	struct zipf ranks;
	uint64_t sum = 0, i;
	unsigned long at;

	zipf_init(&ranks, NR_VALUES, SEED);
	spread_init(&keys, NR_VALUES, SEED);
	for (i = 0; i < LOOKUPS; i++) {
		const char *value = map + spread(&keys, zipf_next(&ranks) - 1) * VALUE_BYTES;

		for (at = 0; at < VALUE_BYTES; at += LINE_BYTES)
			sum += *(const volatile uint64_t *)(value + at);
	}
	return sum;
}

static const char *kind_name(__u32 kind)
{
	switch (kind) {
	case TCM_KIND_DRAM:
		return "DRAM";
	case TCM_KIND_PMEM:
		return "PMEM";
	case TCM_KIND_CXL:
		return "CXL";
	}
	return "unknown";
}

static void say_shape(const char *name, struct tcm_tlb_shape shape)
{
	printf("machine| %s: %u entries, %u ways\n", name, shape.entries, shape.ways);
}

static void say_machine(void)
{
	const struct tcm_config *config = &machine->config;
	unsigned int i;

	for (i = 0; i < config->nr_tiers; i++) {
		const struct tcm_tier *tier = &config->tier[i];

		printf("machine| tier %u: %llu MiB of %s, %u ns, %u MB/s %s\n", i,
		       (unsigned long long)(tier->end - tier->start) >> 20, kind_name(tier->kind),
		       tier->latency_ns, tier->bandwidth_mbs,
		       tier->full_duplex ? "in each direction" : "in both directions together");
	}
	printf("machine| cache: %llu KiB, %u ways\n", (unsigned long long)config->llc_bytes >> 10,
	       config->llc_ways);
	say_shape("first-level TLB, 4 KiB", config->dtlb);
	say_shape("first-level TLB, 2 MiB", config->dtlb_huge);
	say_shape("second-level TLB", config->stlb);
	printf("machine| instruction %u ps, second-level translation %u ps, entry of a table from the cache %u ps, clock %u MHz, load_gain_pm %u, coalesce %u\n",
	       config->insn_ps, config->stlb_ps, config->walk_load_ps, config->clock_mhz,
	       config->load_gain_pm, config->coalesce);
}

int main(void)
{
	char *map;

	machine = window_open();
	if (!machine) {
		fprintf(stderr, "speed: no simulated machine\n");
		return 2;
	}
	say_machine();
	map = backing_map(BYTES, &backing_base, 0);
	window_region(machine, map, BYTES);
	window_begin(machine);
	if (lookups(map))
		puts("speed: zeros do not add up to zero");
	window_end(machine);
	return 0;
}
