// SPDX-License-Identifier: GPL-2.0
/*
 * sampled: does a handler of perf learn what the simulated machine knows?
 *
 * Knows accesses whose tier, TLB misses and latency can be computed by hand,
 * and reads what pmutest.ko counted of their samples. Does not know how samples
 * come to it.
 *
 * usage: sampled loads|stores NODE    random accesses, of which only misses are sampled
 *        sampled pressed NODE         loads, while others take all of the node's bandwidth
 *        sampled period PERIOD        every op is sampled: how many of them
 *        sampled ring                 every op is sampled, more than the ring takes
 */
#define _GNU_SOURCE
#include <string.h>

#include "backing.h"
#include "gauge.h"
#include "window.h"

#define RECEIVED "/sys/kernel/debug/pmutest/received"
#define BYTES (32UL << 20)
#define ACCESSES 500000UL

/* The sampler takes 0 to 127 off each period, at random. */
#define MEAN_SKIP 63.5

/* Samples are few: their shares differ from those of all accesses by so much (three standard deviations). */
#define SAMPLING 0.03

/* What is used of a link is at most this, docs/machine.md. */
#define MOST_USED 0.95

static struct tcm_shared *machine;

struct samples {
	double count, loads, stores, source, walked, weighted, weights, physical;
};

/* The number behind a name at the start of a line. */
static double value_of(const char *text, const char *name)
{
	size_t len = strlen(name);

	while (text && (strncmp(text, name, len) || text[len] != ' ')) {
		text = strchr(text, '\n');
		text += text != NULL;
	}
	if (!text) {
		fprintf(stderr, "sampled: " RECEIVED " has no line %s\n", name);
		exit(2);
	}
	return atof(text + len);
}

/* Read in one go: samples arrive meanwhile. */
static struct samples received(const char *source)
{
	char text[1024] = "";
	int fd = open(RECEIVED, O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0) {
		perror(RECEIVED);
		exit(2);
	}
	close(fd);
	return (struct samples){
		.count = value_of(text, "count"),
		.loads = value_of(text, "loads"),
		.stores = value_of(text, "stores"),
		.source = value_of(text, source),
		.walked = value_of(text, "tlb_miss"),
		.weighted = value_of(text, "weighted"),
		.weights = value_of(text, "weight_sum"),
		.physical = value_of(text, "physical"),
	};
}

static void subtract(struct samples *later, const struct samples *earlier)
{
	double *to = (double *)later;
	const double *from = (const double *)earlier;
	size_t i;

	for (i = 0; i < sizeof(*later) / sizeof(*to); i++)
		to[i] -= from[i];
}

/* Those since before, once no more arrive: perf takes only so many a tick. */
static struct samples all_received(const char *source, const struct samples *before)
{
	struct samples now = received(source);
	double last;

	do {
		last = now.count;
		sleep(1);
		now = received(source);
	} while (now.count != last);
	subtract(&now, before);
	return now;
}

static void access_at_random(char *map, bool stores)
{
	uint64_t x = 88172645463325252ULL;
	unsigned long i;

	for (i = 0; i < ACCESSES; i++) {
		volatile char *at;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		at = map + (x >> 20) % BYTES;
		if (stores)
			*at = 1;
		else
			*at;
	}
}

static const char *source_name(unsigned int node)
{
	switch (machine->config.tier[node].kind) {
	case TCM_KIND_CXL:
		return "cxl";
	case TCM_KIND_PMEM:
		return "pmem";
	}
	return "dram";
}

static char *begin(int node)
{
	char *map = backing_map(BYTES, &backing_base, node);

	window_region(machine, map, BYTES);
	window_begin(machine);
	access_at_random(map, false);
	return map;
}

/* Of a link that is idle, or used as far as that counts. */
static double latency_cycles(const struct tcm_tier *tier, bool pressed)
{
	double gain = machine->config.load_gain_pm * 1e-3;
	double load = pressed ? gain * MOST_USED / (1 - MOST_USED) : 0;

	return tier->latency_ns * (1 + load) * machine->config.clock_mhz * 1e-3;
}

static void loads_say(const char *name, unsigned int node, bool pressed,
		      const struct samples *samples)
{
	gauge(gauge_name("%s: share that are loads", name), 1, samples->loads / samples->count, 0,
	      SAMPLING);
	gauge(gauge_name("%s: share with source %s", name, source_name(node)), 1,
	      samples->source / samples->count, 0, SAMPLING);
	gauge(gauge_name("%s: mean latency in cycles", name),
	      latency_cycles(&machine->config.tier[node], pressed),
	      samples->weights / samples->weighted, 0.02, 0);
}

/* AMD's unit knows neither source nor latency of a store. */
static void stores_say(const char *name, const struct samples *samples)
{
	gauge(gauge_name("%s: share that are stores", name), 1, samples->stores / samples->count, 0,
	      SAMPLING);
	gauge(gauge_name("%s: share with a latency", name), 0, samples->weighted / samples->count,
	      0, SAMPLING);
}

static void misses(const char *what, unsigned int node)
{
	bool stores = !strcmp(what, "stores"), pressed = !strcmp(what, "pressed");
	char *map = begin(node), name[64];
	struct samples before, samples;
	double walks;

	if (pressed)
		window_antagonist(machine, node, machine->config.tier[node].bandwidth_mbs, 0);
	before = received(source_name(node));
	window_next(machine);
	access_at_random(map, stores);
	window_end(machine);
	samples = all_received(source_name(node), &before);
	walks = machine->mailbox.window.region_walks / (double)ACCESSES;
	snprintf(name, sizeof(name), "samples of %s on node %u%s", stores ? "stores" : "loads",
		 node, pressed ? ", pressed by others" : "");
	gauge_line(gauge_name("%s: delivered", name), "enough to compare", samples.count, 1000,
		   machine->mailbox.total.samples);
	gauge(gauge_name("%s: lost", name), 0, machine->mailbox.total.samples_lost, 0, 0);
	gauge(gauge_name("%s: share with a physical address", name), 1,
	      samples.physical / samples.count, 0, SAMPLING);
	gauge(gauge_name("%s: share whose translation was walked for", name), walks,
	      samples.walked / samples.count, 0, SAMPLING);
	if (stores)
		stores_say(name, &samples);
	else
		loads_say(name, node, pressed, &samples);
}

/* The sampler pauses while the handler runs, so the kernel's instructions are left out: few others are its. */
static void period(double length)
{
	const struct tcm_counts *window = &machine->mailbox.window;
	char *map = begin(0);

	window_next(machine);
	access_at_random(map, false);
	window_end(machine);
	gauge(gauge_name("period %g: instructions of the program from one tag to the next", length),
	      length - MEAN_SKIP,
	      (window->instructions - window->kernel_instructions) / (double)window->tags, 0.03, 0);
}

/* Every tag is in the ring or counted as lost; what was in the ring was delivered. */
static void ring(void)
{
	struct samples before = received("dram"), samples;
	const struct tcm_counts *total = &machine->mailbox.total;

	begin(0);
	window_end(machine);
	samples = all_received("dram", &before);
	gauge_line("a ring that is full: samples lost", "some", total->samples_lost, 1000,
		   total->tags);
	gauge("a ring that is full: tags that are samples or lost", total->tags,
	      total->samples + total->samples_lost, 0, 0);
	gauge("a ring that is full: samples delivered", total->samples, samples.count, 0.01, 0);
}

int main(int argc, char **argv)
{
	machine = window_open();
	if (!machine || machine->config.nr_tiers < 2) {
		fprintf(stderr, "sampled: no simulated machine with two tiers\n");
		return 2;
	}
	if (argc == 3 && !strcmp(argv[1], "period"))
		period(atol(argv[2]));
	else if (argc == 3)
		misses(argv[1], atoi(argv[2]));
	else
		ring();
	return gauge_end("sampled");
}
