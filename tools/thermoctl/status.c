// SPDX-License-Identifier: GPL-2.0
/*
 * thermoctl status: one screen in plain words. Knows what the figures mean to someone who runs a
 * server; every figure is in `thermoctl stat` too.
 */
#include "thermoctl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the screen tells, computed once for text and JSON. Memory in 4 KiB pages. */
struct summary {
	char *mode, *reduced, *sampler, *others, *version;
	uint64_t hit_fast, hit_all;
	uint64_t fast, slow;
	uint64_t hot_bin, hot_pages, budget_pages, adaptations;
	uint64_t waiting;
	uint64_t promoted_pages, demoted_pages, tried, moved, advised;
	uint64_t received, lost;
};

static void summarize(const struct tc_snapshot *s, struct summary *sum)
{
	sum->mode = tc_snapshot_mode(s);
	sum->reduced = tc_snapshot_status(s, "reduced");
	sum->sampler = tc_snapshot_status(s, "sampler");
	sum->others = tc_snapshot_status(s, "others");
	sum->version = tc_snapshot_status(s, "version");
	sum->hit_fast = tc_table_get(s->stats, "window_hit_fast");
	sum->hit_all = tc_table_get(s->stats, "window_hit_all");
	sum->fast = tc_snapshot_nodes(s, "fast", "managed");
	sum->slow = tc_snapshot_nodes(s, "slow", "managed");
	sum->waiting = tc_snapshot_nodes(s, "slow", "queued");
	sum->hot_bin = tc_table_get(s->thresholds, "hot_bin");
	sum->hot_pages = tc_table_get(s->thresholds, "hot_pages");
	sum->budget_pages = tc_table_get(s->thresholds, "budget_pages");
	sum->adaptations = tc_table_get(s->thresholds, "adaptations");
	sum->promoted_pages = tc_table_get(s->stats, "promote_moved_pages");
	sum->demoted_pages = tc_table_get(s->stats, "demote_moved_pages");
	sum->tried =
		tc_table_get(s->stats, "promote_tried") + tc_table_get(s->stats, "demote_tried");
	sum->moved =
		tc_table_get(s->stats, "promote_moved") + tc_table_get(s->stats, "demote_moved");
	sum->advised = tc_table_get(s->stats, "promote_advised") +
		       tc_table_get(s->stats, "demote_advised");
	sum->received = tc_table_get(s->stats, "samples_received");
	sum->lost = tc_table_get(s->stats, "samples_lost");
}

static void free_summary(struct summary *sum)
{
	free(sum->mode);
	free(sum->reduced);
	free(sum->sampler);
	free(sum->others);
	free(sum->version);
}

/* Fast memory's share of the sampled accesses beside its share of all memory. */
static const char *verdict(const struct summary *sum)
{
	double hits, share;

	if (!sum->slow)
		return "there is one kind of memory only: nothing to gain by moving";
	if (!sum->adaptations || !sum->hit_all)
		return "not known yet: too few samples so far";
	hits = (double)sum->hit_fast / sum->hit_all;
	share = (double)sum->fast / (sum->fast + sum->slow);
	if (hits > share + 0.05)
		return "yes: fast memory serves more than its share of the memory";
	if (hits > share - 0.05)
		return "hardly: fast memory serves about its share of the memory, as if pages lay anywhere";
	return "no: fast memory serves less than its share of the memory";
}

static void label(const char *name)
{
	printf("%s%-9s%s", tc_style(TC_BOLD), name, tc_style(TC_PLAIN));
}

static void print_mode(const struct summary *sum)
{
	label("Mode");
	printf("%s%s%s, module %s\n", tc_style(sum->reduced ? TC_WARN : TC_GOOD), sum->mode,
	       tc_style(TC_PLAIN), sum->version ? sum->version : "of unknown version");
	if (sum->reduced)
		printf("         %sreduced: %s%s\n", tc_style(TC_WARN), sum->reduced,
		       tc_style(TC_PLAIN));
}

static void print_tiers(const struct tc_snapshot *s)
{
	char managed[TC_UNIT_SIZE], unused[TC_UNIT_SIZE], keep[TC_UNIT_SIZE];
	const char *name = "Tiers", *tier;
	int row;

	for (row = 0; row < s->nodes->rows; row++) {
		tier = tc_table_cell(s->nodes, row, "tier");
		label(name);
		name = "";
		printf("node %s, %s: %s, %s free", tc_table_cell(s->nodes, row, "node"), tier,
		       tc_pages_text(managed, tc_table_number(s->nodes, row, "managed")),
		       tc_pages_text(unused, tc_table_number(s->nodes, row, "free")));
		if (!strcmp(tier, "fast"))
			printf(" (%s are kept free)",
			       tc_pages_text(keep, tc_table_number(s->nodes, row, "keep_free")));
		putchar('\n');
	}
}

static void print_hot(const struct summary *sum)
{
	char hot[TC_UNIT_SIZE], budget[TC_UNIT_SIZE], waiting[TC_UNIT_SIZE];

	label("Hot");
	if (!sum->adaptations) {
		puts("not known yet: the first thresholds come after the first adaptation");
		return;
	}
	printf("%s are hot (bin %llu and above), fast memory can hold %s; %s in slow memory wait\n",
	       tc_pages_text(hot, sum->hot_pages), (unsigned long long)sum->hot_bin,
	       tc_pages_text(budget, sum->budget_pages), tc_pages_text(waiting, sum->waiting));
}

/* The reason most often given for not moving. */
static const char *top_reason(const struct tc_table *outcomes, uint64_t *count)
{
	const char *best = NULL, *outcome;
	int row;

	*count = 0;
	for (row = 0; row < outcomes->rows; row++) {
		outcome = tc_table_cell(outcomes, row, "outcome");
		if (!strncmp(outcome, "moved", 5) || !strcmp(outcome, "advised") ||
		    tc_table_number(outcomes, row, "folios") <= *count)
			continue;
		best = outcome;
		*count = tc_table_number(outcomes, row, "folios");
	}
	return best;
}

static void print_moved(const struct tc_snapshot *s, const struct summary *sum)
{
	char up[TC_UNIT_SIZE], down[TC_UNIT_SIZE], moved[TC_UNIT_SIZE], tried[TC_UNIT_SIZE];
	uint64_t count;
	const char *reason = top_reason(s->outcomes, &count);

	label("Moved");
	printf("%s up, %s down; %s of %s folios tried", tc_pages_text(up, sum->promoted_pages),
	       tc_pages_text(down, sum->demoted_pages), tc_count_text(moved, sum->moved),
	       tc_count_text(tried, sum->tried));
	if (sum->advised)
		printf(", %s advised", tc_count_text(up, sum->advised));
	if (reason)
		printf("; most often not: %s (%s)", reason, tc_count_text(up, count));
	putchar('\n');
}

static void print_helping(const struct summary *sum)
{
	char hits[TC_UNIT_SIZE], share[TC_UNIT_SIZE];

	label("Helps?");
	printf("%s\n", verdict(sum));
	if (sum->hit_all)
		printf("         %s of the sampled accesses were to fast memory, which is %s of all memory\n",
		       tc_share_text(hits, sum->hit_fast, sum->hit_all),
		       tc_share_text(share, sum->fast, sum->fast + sum->slow));
}

static void print_samples(const struct summary *sum)
{
	char received[TC_UNIT_SIZE], lost[TC_UNIT_SIZE];

	label("Samples");
	printf("%s; %s so far", sum->sampler ? sum->sampler : "unknown",
	       tc_count_text(received, sum->received));
	if (sum->lost)
		printf(", %s%s lost%s", tc_style(TC_WARN), tc_count_text(lost, sum->lost),
		       tc_style(TC_PLAIN));
	putchar('\n');
}

static void print_text(const struct tc_snapshot *s, const struct summary *sum)
{
	print_mode(sum);
	print_tiers(s);
	print_samples(sum);
	print_hot(sum);
	print_moved(s, sum);
	print_helping(sum);
	if (sum->others) {
		label("Others");
		printf("%s\n", sum->others);
	}
}

static void print_json(const struct tc_snapshot *s, const struct summary *sum)
{
	tc_json_print(json_pack(
		"{s:s, s:s*, s:s*, s:s*, s:s*, s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
		"mode", sum->mode, "version", sum->version, "reduced", sum->reduced, "sampler",
		sum->sampler, "others", sum->others, "helps", verdict(sum), "nodes",
		tc_table_json(s->nodes), "hit_fast", (json_int_t)sum->hit_fast, "hit_all",
		(json_int_t)sum->hit_all, "fast_pages", (json_int_t)sum->fast, "slow_pages",
		(json_int_t)sum->slow, "hot_bin", (json_int_t)sum->hot_bin, "hot_pages",
		(json_int_t)sum->hot_pages, "budget_pages", (json_int_t)sum->budget_pages,
		"waiting_pages", (json_int_t)sum->waiting, "promoted_pages",
		(json_int_t)sum->promoted_pages, "demoted_pages", (json_int_t)sum->demoted_pages,
		"folios_tried", (json_int_t)sum->tried, "folios_moved", (json_int_t)sum->moved,
		"samples_lost", (json_int_t)sum->lost));
}

static const char doc[] =
	"Tells on one screen what the module does: its mode and tiers, what is hot, what was moved, and "
	"whether it helps.";

int tc_command_status(int argc, char **argv)
{
	struct argp_child children[] = TC_COMMON_CHILDREN;
	struct argp argp = { NULL, NULL, "", doc, children, NULL, NULL };
	struct tc_snapshot snapshot;
	struct summary summary;

	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	tc_snapshot_read(&snapshot);
	summarize(&snapshot, &summary);
	if (tc_json)
		print_json(&snapshot, &summary);
	else
		print_text(&snapshot, &summary);
	free_summary(&summary);
	tc_snapshot_free(&snapshot);
	return TC_EXIT_OK;
}
