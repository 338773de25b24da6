// SPDX-License-Identifier: GPL-2.0
/*
 * tcsim: replays a generated or recorded trace through the module's policy and others, at sizes that
 * no test machine has. This file knows the command line and the tables.
 */
#include <argp.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thermocline/version.h>

#include "../lib/errors.h"
#include "../lib/snapshot.h"
#include "../lib/term.h"
#include "chart.h"
#include "sim.h"

const char *argp_program_version = "tcsim " TC_VERSION;

static const struct sim_policy *const policies[] = {
	&sim_thermocline, &sim_hemem, &sim_twotouch, &sim_recency, &sim_none, &sim_oracle,
};

#define NR_POLICIES (sizeof(policies) / sizeof(policies[0]))
#define MOST_SIZES 16

struct options {
	u64 sizes[MOST_SIZES];
	int nr_sizes;
	double fast;
	unsigned int order;
	const char *trace;
	const char *replay;
	u64 accesses, period, thin, seed, rate_mib;
	double theta;
	const char *names;
	const char *svg;
	bool count;
};

/* "16G", "1.5T"; 0 when it is none. */
static u64 parse_size(const char *text, char **end)
{
	static const char units[] = "KMGTP";
	double value = strtod(text, end);
	const char *unit = **end ? strchr(units, **end) : NULL;

	if (unit) {
		++*end;
		value *= 1ULL << (10 * (unit - units + 1));
	}
	return value >= 1 && value <= 0x1p56 ? value : 0;
}

static void parse_sizes(struct options *options, const char *text, struct argp_state *state)
{
	char *end;
	u64 size;

	options->nr_sizes = 0;
	do {
		size = parse_size(text, &end);
		if (size < 1 << 21 || (*end && *end != ',') || options->nr_sizes == MOST_SIZES)
			argp_error(state, "'%s' is no list of sizes from 2M on, as 16G,1T", text);
		options->sizes[options->nr_sizes++] = size & ~((1ULL << 21) - 1);
		text = end + 1;
	} while (*end);
}

static u64 parse_number(const char *text, u64 least, u64 most, const char *what,
			struct argp_state *state)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || value < least || value > most)
		argp_error(state, "%s: '%s' is not a number from %llu to %llu", what, text,
			   (unsigned long long)least, (unsigned long long)most);
	return value;
}

enum { OPTION_RATE = 256, OPTION_SVG, OPTION_COST, OPTION_THETA };

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	char *end;

	switch (key) {
	case 's':
		parse_sizes(options, arg, state);
		return 0;
	case 'f':
		options->fast = strtod(arg, &end) / 100;
		if (*end || !(options->fast > 0 && options->fast < 1))
			argp_error(state, "fast: '%s' is no share in percent", arg);
		return 0;
	case 'o':
		options->order = parse_number(arg, 0, TC_BLOCK_ORDER, "order", state);
		return 0;
	case 't':
		options->trace = arg;
		return 0;
	case 'r':
		options->replay = arg;
		return 0;
	case 'n':
		options->accesses = parse_number(arg, 1, 1e13, "accesses", state);
		return 0;
	case 'p':
		options->period = parse_number(arg, 1, 1e9, "period", state);
		return 0;
	case 'g':
		options->thin = parse_number(arg, 1, 1e6, "generate", state);
		return 0;
	case 'S':
		options->seed = parse_number(arg, 0, 1e15, "seed", state);
		return 0;
	case 'P':
		options->names = arg;
		return 0;
	case 'j':
		tc_json = true;
		return 0;
	case OPTION_THETA:
		options->theta = strtod(arg, &end);
		if (*end || !(options->theta >= 0.01 && options->theta <= 3))
			argp_error(state, "theta: '%s' is not a number from 0.01 to 3", arg);
		return 0;
	case OPTION_RATE:
		options->rate_mib = parse_number(arg, 0, 1048576, "rate", state);
		return 0;
	case OPTION_SVG:
		options->svg = arg;
		return 0;
	case OPTION_COST:
		options->count = true;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_option option_table[] = {
	{ "size", 's', "SIZES", 0, "Memory, or a list of sizes to run one after the other (64G)",
	  0 },
	{ "fast", 'f', "PERCENT", 0, "Share of it that is fast (20)", 0 },
	{ "order", 'o', "ORDER", 0, "Order of all folios, 0 to 9 (0)", 0 },
	{ "trace", 't', "KIND", 0, "zipf, shift, scan or uniform (zipf)", 0 },
	{ "theta", OPTION_THETA, "NUMBER", 0, "Skew of zipf (0.99)", 0 },
	{ "replay", 'r', "FILE", 0,
	  "Replay physical addresses, one a line in hexadecimal, as perf script -F phys_addr prints them",
	  0 },
	{ "accesses", 'n', "NUMBER", 0, "Accesses to generate (100e6)", 0 },
	{ "period", 'p', "NUMBER", 0, "Accesses for each sample (199)", 0 },
	{ "generate", 'g', "NUMBER", 0,
	  "Of the accesses between two samples, generate so many; each stands for several (10)",
	  0 },
	{ "rate", OPTION_RATE, "MIB", 0, "Bandwidth for moves in MiB/s, 0: unlimited (1024)", 0 },
	{ "seed", 'S', "NUMBER", 0, "Of the generator (1)", 0 },
	{ "policy", 'P', "LIST", 0,
	  "Policies, comma separated: thermocline, hemem, two-touch, recency, none, oracle (all)",
	  0 },
	{ "cost", OPTION_COST, NULL, 0, "Count the instructions of a sample too", 0 },
	{ "svg", OPTION_SVG, "FILE", 0, "Draw instructions and metadata over the sizes", 0 },
	{ "json", 'j', NULL, 0, "Print JSON, also of errors", 0 },
	{ 0 },
};

static const char doc[] =
	"Replays a trace of memory accesses through the policy of the thermocline module and others.\v"
	"An access takes 5 ns of the simulated time; one that is generated stands for PERIOD / GENERATE. Memory was filled by ascending address, fast memory "
	"first, so at the beginning a page's place says nothing of its heat.";

static bool is_named(const char *names, const char *name)
{
	size_t length = strlen(name);
	const char *at;

	for (at = names; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (!strncmp(at, name, length) && (!at[length] || at[length] == ','))
			return true;
	}
	return false;
}

static void refuse_unknown(const char *names)
{
	char *copy = tc_strdup(names), *name;
	size_t i;

	for (name = strtok(copy, ","); name; name = strtok(NULL, ",")) {
		for (i = 0; i < NR_POLICIES && strcmp(policies[i]->name, name); i++)
			;
		if (i == NR_POLICIES)
			tc_die(TC_EXIT_USAGE, "'%s' is no policy: see tcsim --help", name);
	}
	free(copy);
}

static void open_trace(const struct options *options, u64 size, struct trace *trace)
{
	char *why;

	if (options->replay) {
		if (!trace_read(trace, options->replay, options->order, &why))
			tc_die(TC_EXIT_FAILED, "%s", why);
	} else if (!trace_generate(trace, options->trace, size >> (12 + options->order),
				   options->accesses, options->theta, options->seed)) {
		tc_die(TC_EXIT_USAGE, "'%s' is no kind of trace: zipf, shift, scan or uniform",
		       options->trace);
	}
}

static void run(const struct options *options, u64 size, const struct sim_policy *policy,
		struct result *result, u64 *bytes)
{
	/* Of a recording there is each access; popularity can be had with fewer. */
	u64 thin = options->replay || options->thin > options->period ? options->period :
									options->thin;
	struct trace trace;
	struct sim sim;

	open_trace(options, size, &trace);
	*bytes = trace.folios << (12 + options->order);
	sim_init(&sim, *bytes, *bytes * options->fast, options->order, options->rate_mib);
	sim.access_ns = SIM_ACCESS_NS * options->period / thin;
	sim_run(&sim, &trace, policy, thin, options->count, result);
	sim_exit(&sim);
	trace_exit(&trace);
}

static void print_head(const struct options *options)
{
	printf("%s%-9s %-12s %9s %9s %13s %13s %10s %9s", tc_style(TC_BOLD), "memory", "policy",
	       "hits", "2nd half", "promoted", "demoted", "metadata", "of memory");
	printf("%s%s\n", options->count ? " instr/sample" : "", tc_style(TC_PLAIN));
}

static void print_result(const struct options *options, const char *name, u64 bytes,
			 const struct result *result)
{
	char memory[TC_UNIT_SIZE], hits[TC_UNIT_SIZE], late[TC_UNIT_SIZE], up[TC_UNIT_SIZE];
	char down[TC_UNIT_SIZE], metadata[TC_UNIT_SIZE];

	printf("%-9s %-12s %9s %9s %13s %13s %10s %8.4f%%", tc_bytes_text(memory, bytes), name,
	       tc_share_text(hits, result->hits, result->accesses),
	       tc_share_text(late, result->late_hits, result->late_accesses),
	       tc_bytes_text(up, result->promoted << (12 + options->order)),
	       tc_bytes_text(down, result->demoted << (12 + options->order)),
	       tc_bytes_text(metadata, result->metadata), 100.0 * result->metadata / bytes);
	if (options->count && result->instructions)
		printf(" %12.1f", result->instructions / 100.0);
	else if (options->count)
		printf(" %12s", "-");
	putchar('\n');
	fflush(stdout);
}

static json_t *result_json(const char *name, u64 bytes, const struct result *result)
{
	return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f}", "policy", name,
			 "memory_bytes", (json_int_t)bytes, "accesses",
			 (json_int_t)result->accesses, "hits", (json_int_t)result->hits,
			 "late_accesses", (json_int_t)result->late_accesses, "late_hits",
			 (json_int_t)result->late_hits, "samples", (json_int_t)result->samples,
			 "promoted_folios", (json_int_t)result->promoted, "demoted_folios",
			 (json_int_t)result->demoted, "metadata_bytes",
			 (json_int_t)result->metadata, "instructions_per_sample",
			 result->instructions / 100.0);
}

static void run_all(const struct options *options, json_t *array, struct chart *chart)
{
	int sizes = options->replay ? 1 : options->nr_sizes, size;
	struct result result;
	u64 bytes;
	size_t i;

	for (size = 0; size < sizes; size++) {
		for (i = 0; i < NR_POLICIES; i++) {
			if (options->names && !is_named(options->names, policies[i]->name))
				continue;
			run(options, options->sizes[size], policies[i], &result, &bytes);
			if (tc_json)
				json_array_append_new(array, result_json(policies[i]->name, bytes,
									 &result));
			else
				print_result(options, policies[i]->name, bytes, &result);
			chart_add(chart, policies[i]->name, bytes, result.instructions / 100.0,
				  100.0 * result.metadata / bytes);
		}
	}
}

int main(int argc, char **argv)
{
	const struct argp argp = { option_table, parse, "", doc, NULL, NULL, NULL };
	struct options options = { .sizes = { 64ULL << 30 },
				   .nr_sizes = 1,
				   .fast = 0.2,
				   .trace = "zipf",
				   .accesses = 100000000,
				   .period = 199,
				   .thin = 10,
				   .seed = 1,
				   .theta = 0.99,
				   .rate_mib = 1024 };
	struct chart chart = { 0 };
	json_t *array = json_array();

	setlocale(LC_CTYPE, "");
	tc_program = "tcsim";
	argp_err_exit_status = TC_EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &options);
	if (options.names)
		refuse_unknown(options.names);
	if (options.svg)
		options.count = true;
	if (!tc_json)
		print_head(&options);
	run_all(&options, array, &chart);
	if (tc_json)
		tc_json_print(array);
	if (options.svg && !chart_write(&chart, options.svg))
		tc_die(TC_EXIT_FAILED, "%s cannot be written", options.svg);
	return TC_EXIT_OK;
}
