// SPDX-License-Identifier: GPL-2.0
/*
 * thermoctl stat: every figure. Knows the tables by their names, and how Prometheus wants figures;
 * does not say what they mean.
 */
#include "thermoctl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/cgroups.h"

struct options {
	bool prom;
	const char *output;
};

#define PAGE_BYTES 4096

/* Is a line of the statistics a figure that goes up and down? All others only grow. */
static bool is_gauge(const char *name)
{
	return !strncmp(name, "window_", 7) || !strcmp(name, "heatmap_blocks") ||
	       !strcmp(name, "heatmap_bytes") || !strcmp(name, "temperature_step") ||
	       !strcmp(name, "temperature_bytes") || !strcmp(name, "takeover_in_hand") ||
	       !strcmp(name, "takeover_waiting") || !strncmp(name, "contention_", 11) ||
	       !strcmp(name, "balance_stopped") || !strcmp(name, "balance_reserve_bp") ||
	       !strcmp(name, "duplex_bytes") || !strcmp(name, "split_pending") ||
	       !strcmp(name, "copy_ns") || !strcmp(name, "split_ns");
}

static void metric(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void prom_stats(FILE *out, const struct tc_table *stats)
{
	const char *name, *value;
	bool gauge;
	int row;

	for (row = 0; row < stats->rows; row++) {
		name = tc_table_cell(stats, row, "name");
		value = tc_table_cell(stats, row, "value");
		gauge = is_gauge(name);
		fprintf(out, "# TYPE thermocline_%s%s %s\n", name, gauge ? "" : "_total",
			gauge ? "gauge" : "counter");
		fprintf(out, "thermocline_%s%s %s\n", name, gauge ? "" : "_total", value);
	}
}

static void prom_thresholds(FILE *out, const struct tc_table *thresholds)
{
	const char *name;
	int row;

	for (row = 0; row < thresholds->rows; row++) {
		name = tc_table_cell(thresholds, row, "name");
		fprintf(out, "# TYPE thermocline_threshold_%s gauge\n", name);
		fprintf(out, "thermocline_threshold_%s %s\n", name,
			tc_table_cell(thresholds, row, "value"));
	}
}

static void prom_histogram(FILE *out, const struct tc_table *histogram)
{
	int row;

	metric(out, "thermocline_histogram_bytes", "gauge",
	       "Memory by hotness bin, with the temperature of the bin.");
	for (row = 0; row < histogram->rows; row++)
		fprintf(out, "thermocline_histogram_bytes{bin=\"%s\",temperature=\"%s\"} %llu\n",
			tc_table_cell(histogram, row, "bin"),
			tc_table_cell(histogram, row, "temperature"),
			(unsigned long long)tc_table_number(histogram, row, "pages") * PAGE_BYTES);
}

static void prom_node_column(FILE *out, const struct tc_table *nodes, const char *column,
			     const char *name, const char *type, unsigned int unit)
{
	int row;

	fprintf(out, "# TYPE %s %s\n", name, type);
	for (row = 0; row < nodes->rows; row++)
		fprintf(out, "%s{node=\"%s\",tier=\"%s\"} %llu\n", name,
			tc_table_cell(nodes, row, "node"), tc_table_cell(nodes, row, "tier"),
			(unsigned long long)tc_table_number(nodes, row, column) * unit);
}

static void prom_nodes(FILE *out, const struct tc_table *nodes)
{
	prom_node_column(out, nodes, "managed", "thermocline_node_bytes", "gauge", PAGE_BYTES);
	prom_node_column(out, nodes, "free", "thermocline_node_free_bytes", "gauge", PAGE_BYTES);
	prom_node_column(out, nodes, "keep_free", "thermocline_node_keep_free_bytes", "gauge",
			 PAGE_BYTES);
	prom_node_column(out, nodes, "queued", "thermocline_node_queued_bytes", "gauge",
			 PAGE_BYTES);
	prom_node_column(out, nodes, "samples", "thermocline_node_samples_total", "counter", 1);
	prom_node_column(out, nodes, "moved_pages", "thermocline_node_moved_bytes_total", "counter",
			 PAGE_BYTES);
}

static void prom_outcomes(FILE *out, const struct tc_table *outcomes)
{
	int row;

	metric(out, "thermocline_folios_total", "counter",
	       "Folios that were tried, by node, direction and what became of them.");
	for (row = 0; row < outcomes->rows; row++)
		fprintf(out,
			"thermocline_folios_total{node=\"%s\",direction=\"%s\",outcome=\"%s\"} %s\n",
			tc_table_cell(outcomes, row, "node"),
			tc_table_cell(outcomes, row, "direction"),
			tc_table_cell(outcomes, row, "outcome"),
			tc_table_cell(outcomes, row, "folios"));
}

/* The text of a label: systemd has backslashes in the names of cgroups. */
static void prom_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("\\\"", *text))
			putc('\\', out);
		putc(*text, out);
	}
}

/*
 * Names of the cgroups of all rows, in new memory. The lines of a cgroup follow each other: each one is looked for once,
 * as that is a walk over all cgroups there are.
 */
static char **cgroup_paths(const struct tc_table *table)
{
	char **paths = tc_alloc((table->rows + 1) * sizeof(*paths));
	const char *id, *before = NULL;
	int row;

	for (row = 0; row < table->rows; row++) {
		id = tc_table_cell(table, row, "cgroup");
		paths[row] = before && !strcmp(id, before) ? tc_strdup(paths[row - 1]) :
							     tc_cgroup_path(id);
		before = id;
	}
	return paths;
}

static void free_paths(char **paths, int rows)
{
	int row;

	for (row = 0; row < rows; row++)
		free(paths[row]);
	free(paths);
}

/* Types of pages overlap with their sum: that is left out, as it can be made from the others. */
static void prom_type_column(FILE *out, const struct tc_table *table, char *const *paths,
			     const char *column, const char *name, const char *label)
{
	int row;

	for (row = 0; row < table->rows; row++) {
		if (!strcmp(tc_table_cell(table, row, "type"), "all"))
			continue;
		fprintf(out, "%s{cgroup=\"", name);
		prom_text(out, paths[row]);
		fprintf(out, "\",type=\"%s\"%s} %llu\n", tc_table_cell(table, row, "type"), label,
			(unsigned long long)tc_table_number(table, row, column) * PAGE_BYTES);
	}
}

static void prom_temperature(FILE *out, const struct tc_table *table)
{
	static const char *const spans[] = { "1", "2", "5", "10" };
	char column[32], label[32], **paths = cgroup_paths(table);
	size_t i;

	metric(out, "thermocline_type_bytes", "gauge",
	       "Memory by cgroup and page type; cgroup machine is all of it.");
	prom_type_column(out, table, paths, "pages", "thermocline_type_bytes", "");
	metric(out, "thermocline_type_hot_bytes", "gauge",
	       "Of that, accessed within so many units of time.");
	for (i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
		snprintf(column, sizeof(column), "within_%s", spans[i]);
		snprintf(label, sizeof(label), ",within=\"%s\"", spans[i]);
		prom_type_column(out, table, paths, column, "thermocline_type_hot_bytes", label);
	}
	metric(out, "thermocline_type_working_set_bytes", "gauge",
	       "The least memory that takes so many percent of the samples of a window.");
	prom_type_column(out, table, paths, "ws_90", "thermocline_type_working_set_bytes",
			 ",percent=\"90\"");
	prom_type_column(out, table, paths, "ws_95", "thermocline_type_working_set_bytes",
			 ",percent=\"95\"");
	prom_type_column(out, table, paths, "ws_99", "thermocline_type_working_set_bytes",
			 ",percent=\"99\"");
	free_paths(paths, table->rows);
}

static void prom_up(FILE *out, int up)
{
	metric(out, "thermocline_up", "gauge", "1 while the module is loaded.");
	fprintf(out, "thermocline_up %d\n", up);
}

static void prom_info(FILE *out, const struct tc_snapshot *s)
{
	char *mode = tc_snapshot_mode(s), *version = tc_snapshot_status(s, "version");
	char *reduced = tc_snapshot_status(s, "reduced");

	metric(out, "thermocline_info", "gauge", "The module's version and the mode in effect.");
	fprintf(out, "thermocline_info{version=\"%s\",mode=\"%s\"} 1\n", version ? version : "",
		mode);
	metric(out, "thermocline_reduced", "gauge",
	       "1 while the module does less than it was asked for.");
	fprintf(out, "thermocline_reduced %d\n", reduced != NULL);
	free(mode);
	free(version);
	free(reduced);
}

static void print_prom(FILE *out)
{
	struct tc_snapshot snapshot;

	/* That the module is not there is a figure too. Everything else that is wrong is an error. */
	if (!tc_module_loaded()) {
		prom_up(out, 0);
		return;
	}
	tc_snapshot_read(&snapshot);
	prom_up(out, 1);
	prom_info(out, &snapshot);
	prom_stats(out, snapshot.stats);
	prom_thresholds(out, snapshot.thresholds);
	prom_histogram(out, snapshot.histogram);
	prom_nodes(out, snapshot.nodes);
	prom_outcomes(out, snapshot.outcomes);
	prom_temperature(out, snapshot.temperature);
	tc_snapshot_free(&snapshot);
}

static void print_list(const char *title, const struct tc_table *table)
{
	int row;

	printf("%s%s%s\n", tc_style(TC_BOLD), title, tc_style(TC_PLAIN));
	for (row = 0; row < table->rows; row++)
		printf("  %-28s %s\n", tc_table_cell(table, row, "name"),
		       tc_table_cell(table, row, "value"));
}

static int column_width(const struct tc_table *table, int column)
{
	int width = strlen(table->column[column]), row, length;

	for (row = 0; row < table->rows; row++) {
		length = strlen(table->cell[row * table->columns + column]);
		width = length > width ? length : width;
	}
	return width;
}

static void print_row(const struct tc_table *table, char *const *cells, const int *columns)
{
	putchar(' ');
	for (; *columns >= 0; columns++)
		printf(" %*s", column_width(table, *columns), cells[*columns]);
	putchar('\n');
}

/* @columns: their numbers, ended by -1 */
static void print_some(const char *title, const struct tc_table *table, const int *columns)
{
	int row;

	printf("%s%s%s\n", tc_style(TC_BOLD), title, tc_style(TC_PLAIN));
	print_row(table, table->column, columns);
	for (row = 0; row < table->rows; row++)
		print_row(table, table->cell + row * table->columns, columns);
}

static void print_columns(const char *title, const struct tc_table *table)
{
	int *columns = tc_alloc((table->columns + 1) * sizeof(*columns)), i;

	for (i = 0; i < table->columns; i++)
		columns[i] = i;
	columns[i] = -1;
	print_some(title, table, columns);
	free(columns);
}

#define MOST_SHOWN 12

/* Columns by their names, separated by blanks; the first one is the cgroup. */
static void print_named(const char *title, const struct tc_table *table, const char *names)
{
	int columns[MOST_SHOWN + 1], count = 0;
	char *copy = tc_strdup(names), *rest = copy, *name;

	while (count < MOST_SHOWN && (name = strsep(&rest, " ")) != NULL) {
		columns[count] = tc_table_column(table, name);
		count += columns[count] >= 0;
	}
	columns[count] = -1;
	print_some(title, table, columns);
	free(copy);
}

/* Exchanges the texts of a column, one for each row. */
static void swap_column(const struct tc_table *table, int column, char **texts)
{
	char **cell, *text;
	int row;

	for (row = 0; row < table->rows; row++) {
		cell = &table->cell[row * table->columns + column];
		text = *cell;
		*cell = texts[row];
		texts[row] = text;
	}
}

/* The table is too wide for a terminal: three parts of it, with the names of cgroups. */
static void print_temperature(const struct tc_snapshot *s)
{
	const struct tc_table *table = s->temperature;
	int cgroup = tc_table_column(table, "cgroup");
	char **paths, *title;

	if (!table->rows || cgroup < 0)
		return;
	/* The table shows them while it is printed. */
	paths = cgroup_paths(table);
	swap_column(table, cgroup, paths);
	title = tc_format(
		"Memory by type (pages of 4 KiB, accessed within units of %llu s; 1 page in %llu is tracked)",
		(unsigned long long)tc_table_get(s->config, "temperature_unit_s"),
		(unsigned long long)tc_table_get(s->stats, "temperature_step"));
	print_named(title, table,
		    "cgroup type pages within_1 within_2 within_5 within_10 longer fresh");
	free(title);
	print_named("Accessed again after so many units", table,
		    "cgroup type again_1 again_2 again_5 again_10 again_longer");
	print_named("Working set (pages of 4 KiB that take 90, 95 and 99 % of the samples)", table,
		    "cgroup type samples sampled once ws_90 ws_95 ws_99");
	swap_column(table, cgroup, paths);
	free_paths(paths, table->rows);
}

static void print_text(const struct tc_snapshot *s)
{
	print_list("Statistics", s->stats);
	print_list("Thresholds", s->thresholds);
	print_columns("Histogram (pages of 4 KiB)", s->histogram);
	print_columns("Nodes (memory in pages of 4 KiB)", s->nodes);
	print_columns("Outcomes", s->outcomes);
	print_columns("Samplers", s->samplers);
	print_columns("Tiers (0 ns and -1 bp: not known)", s->tiers);
	print_temperature(s);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'p':
		options->prom = true;
		return 0;
	case 'o':
		options->output = arg;
		return 0;
	case ARGP_KEY_END:
		if (options->output && !options->prom)
			argp_error(state, "--output goes with --prom");
		if (tc_json && options->prom)
			argp_error(state, "--json or --prom, not both");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_option option_table[] = {
	{ "prom", 'p', NULL, 0, "Print for Prometheus' textfile collector", 0 },
	{ "output", 'o', "FILE", 0, "With --prom: replace FILE in one step", 0 },
	{ 0 },
};

static const char doc[] =
	"Prints every figure that the module keeps: statistics, thresholds, histogram, nodes, outcomes, "
	"samplers, latency and traffic of tiers, and memory by page type.";

static int prom(const struct options *options)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);
	int err;

	if (!out)
		tc_die(TC_EXIT_FAILED, "no memory");
	print_prom(out);
	fclose(out);
	if (!options->output) {
		fputs(text, stdout);
	} else {
		err = tc_file_replace(options->output, text);
		if (err)
			tc_die(TC_EXIT_FAILED, "%s: %s", options->output, strerror(-err));
	}
	free(text);
	return TC_EXIT_OK;
}

int tc_command_stat(int argc, char **argv)
{
	struct argp_child children[] = TC_COMMON_CHILDREN;
	struct argp argp = { option_table, parse, "", doc, children, NULL, NULL };
	struct options options = { 0 };
	struct tc_snapshot snapshot;

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	if (options.prom)
		return prom(&options);
	tc_snapshot_read(&snapshot);
	if (tc_json)
		tc_json_print(tc_snapshot_json(&snapshot));
	else
		print_text(&snapshot);
	tc_snapshot_free(&snapshot);
	return TC_EXIT_OK;
}
