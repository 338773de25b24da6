// SPDX-License-Identifier: GPL-2.0
/*
 * thermoctl top: what happens now, once a second. Knows ncurses; without a terminal, or with --json,
 * it prints one reading of what happened in a second.
 */
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "thermoctl.h"

enum view { VIEW_NODES, VIEW_DECISIONS, VIEW_CPUS, VIEW_HISTOGRAM };

struct top {
	struct tc_snapshot before, now;
	double seconds;
	enum view view;
	bool by_count;
};

static double clock_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void read_next(struct top *top, double *last)
{
	double at = clock_seconds();

	tc_snapshot_free(&top->before);
	top->before = top->now;
	tc_snapshot_read(&top->now);
	top->seconds = at - *last > 0.001 ? at - *last : 0.001;
	*last = at;
}

/* How much a line of the statistics grows in a second. */
static double rate(const struct top *top, const char *name)
{
	uint64_t now = tc_table_get(top->now.stats, name);
	uint64_t before = tc_table_get(top->before.stats, name);

	return now > before ? (now - before) / top->seconds : 0;
}

static void draw_head(const struct top *top)
{
	char hits[TC_UNIT_SIZE], up[TC_UNIT_SIZE], down[TC_UNIT_SIZE];
	char *mode = tc_snapshot_mode(&top->now);

	mvprintw(0, 0, "thermocline  mode %s  hit ratio %s  samples %.0f/s", mode,
		 tc_share_text(hits, tc_table_get(top->now.stats, "window_hit_fast"),
			       tc_table_get(top->now.stats, "window_hit_all")),
		 rate(top, "samples_received"));
	mvprintw(1, 0, "up %s/s  down %s/s  hot bin %llu  adaptations %llu",
		 tc_pages_text(up, rate(top, "promote_moved_pages")),
		 tc_pages_text(down, rate(top, "demote_moved_pages")),
		 (unsigned long long)tc_table_get(top->now.thresholds, "hot_bin"),
		 (unsigned long long)tc_table_get(top->now.thresholds, "adaptations"));
	mvprintw(LINES - 1, 0, "n nodes  d decisions  c CPUs  h histogram  o order  q quit");
	free(mode);
}

static void draw_nodes(const struct top *top)
{
	const struct tc_table *nodes = top->now.nodes;
	char size[TC_UNIT_SIZE], unused[TC_UNIT_SIZE], queued[TC_UNIT_SIZE], moved[TC_UNIT_SIZE];
	int row;

	attron(A_REVERSE);
	mvprintw(3, 0, "%-5s %-5s %10s %10s %10s %10s", "NODE", "TIER", "SIZE", "FREE", "QUEUED",
		 "MOVED");
	attroff(A_REVERSE);
	for (row = 0; row < nodes->rows && row < LINES - 6; row++)
		mvprintw(4 + row, 0, "%-5s %-5s %10s %10s %10s %10s",
			 tc_table_cell(nodes, row, "node"), tc_table_cell(nodes, row, "tier"),
			 tc_pages_text(size, tc_table_number(nodes, row, "managed")),
			 tc_pages_text(unused, tc_table_number(nodes, row, "free")),
			 tc_pages_text(queued, tc_table_number(nodes, row, "queued")),
			 tc_pages_text(moved, tc_table_number(nodes, row, "moved_pages")));
}

static const struct tc_table *sorted_table;

static int by_folios(const void *a, const void *b)
{
	uint64_t x = tc_table_number(sorted_table, *(const int *)a, "folios");
	uint64_t y = tc_table_number(sorted_table, *(const int *)b, "folios");

	return x < y ? 1 : x > y ? -1 : *(const int *)a - *(const int *)b;
}

static void draw_decisions(const struct top *top)
{
	const struct tc_table *outcomes = top->now.outcomes;
	int *order = tc_alloc(outcomes->rows * sizeof(*order)), i;
	char count[TC_UNIT_SIZE];

	for (i = 0; i < outcomes->rows; i++)
		order[i] = i;
	sorted_table = outcomes;
	if (top->by_count)
		qsort(order, outcomes->rows, sizeof(*order), by_folios);
	attron(A_REVERSE);
	mvprintw(3, 0, "%-5s %-9s %-20s %14s", "NODE", "DIRECTION", "OUTCOME", "FOLIOS");
	attroff(A_REVERSE);
	for (i = 0; i < outcomes->rows && i < LINES - 6; i++)
		mvprintw(4 + i, 0, "%-5s %-9s %-20s %14s",
			 tc_table_cell(outcomes, order[i], "node"),
			 tc_table_cell(outcomes, order[i], "direction"),
			 tc_table_cell(outcomes, order[i], "outcome"),
			 tc_count_text(count, tc_table_number(outcomes, order[i], "folios")));
	free(order);
}

static void draw_cpus(const struct top *top)
{
	const struct tc_table *cpus = top->now.samplers;
	char received[TC_UNIT_SIZE], lost[TC_UNIT_SIZE];
	int row;

	attron(A_REVERSE);
	mvprintw(3, 0, "%-5s %-7s %-9s %16s %16s", "CPU", "SOURCE", "STATE", "RECEIVED", "LOST");
	attroff(A_REVERSE);
	for (row = 0; row < cpus->rows && row < LINES - 6; row++)
		mvprintw(4 + row, 0, "%-5s %-7s %-9s %16s %16s", tc_table_cell(cpus, row, "cpu"),
			 tc_table_cell(cpus, row, "source"), tc_table_cell(cpus, row, "state"),
			 tc_count_text(received, tc_table_number(cpus, row, "received")),
			 tc_count_text(lost, tc_table_number(cpus, row, "lost")));
}

static void draw_histogram(const struct top *top)
{
	const struct tc_table *bins = top->now.histogram;
	uint64_t most = 1, pages;
	char text[TC_UNIT_SIZE];
	int row, width = COLS > 40 ? COLS - 30 : 10;

	for (row = 0; row < bins->rows; row++)
		if (tc_table_number(bins, row, "pages") > most)
			most = tc_table_number(bins, row, "pages");
	attron(A_REVERSE);
	mvprintw(3, 0, "%-4s %-5s %12s", "BIN", "", "MEMORY");
	attroff(A_REVERSE);
	for (row = 0; row < bins->rows && row < LINES - 6; row++) {
		pages = tc_table_number(bins, row, "pages");
		mvprintw(4 + row, 0, "%-4s %-5s %12s ", tc_table_cell(bins, row, "bin"),
			 tc_table_cell(bins, row, "temperature"), tc_pages_text(text, pages));
		hline('#', pages ? 1 + pages * (width - 1) / most : 0);
	}
}

static void draw(const struct top *top)
{
	static void (*const views[])(const struct top *top) = { draw_nodes, draw_decisions,
								draw_cpus, draw_histogram };

	erase();
	draw_head(top);
	views[top->view](top);
	refresh();
}

static bool handle_key(struct top *top, int key)
{
	static const char keys[] = "ndch";
	const char *at = key > 0 && key < 128 ? strchr(keys, key) : NULL;

	if (at)
		top->view = at - keys;
	else if (key == 'o')
		top->by_count = !top->by_count;
	return key != 'q';
}

static void end_screen(void)
{
	if (!isendwin())
		endwin();
}

static void run_screen(struct top *top)
{
	double last = clock_seconds();
	int key = ERR;

	if (!initscr())
		tc_die(TC_EXIT_FAILED, "this terminal (TERM) is not known");
	/* An error in the middle, as when the module is unloaded, leaves the terminal in order. */
	atexit(end_screen);
	cbreak();
	noecho();
	curs_set(0);
	timeout(1000);
	do {
		if (key == ERR)
			read_next(top, &last);
		draw(top);
		key = getch();
	} while (handle_key(top, key));
}

static void print_once(struct top *top, double last)
{
	char up[TC_UNIT_SIZE], down[TC_UNIT_SIZE];

	sleep(1);
	read_next(top, &last);
	if (tc_json)
		tc_json_print(
			json_pack("{s:f, s:f, s:f, s:f}", "seconds", top->seconds,
				  "samples_per_second", rate(top, "samples_received"),
				  "promoted_pages_per_second", rate(top, "promote_moved_pages"),
				  "demoted_pages_per_second", rate(top, "demote_moved_pages")));
	else
		printf("samples %.0f/s, up %s/s, down %s/s\n", rate(top, "samples_received"),
		       tc_pages_text(up, rate(top, "promote_moved_pages")),
		       tc_pages_text(down, rate(top, "demote_moved_pages")));
}

static const char doc[] =
	"Shows what happens now, once a second. Keys: n nodes, d decisions, c CPUs, h histogram, o order "
	"decisions by their number, q quit. Without a terminal it prints the rates of one second.";

int tc_command_top(int argc, char **argv)
{
	struct argp_child children[] = TC_COMMON_CHILDREN;
	struct argp argp = { NULL, NULL, "", doc, children, NULL, NULL };
	double last = clock_seconds();
	struct top top = { 0 };

	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	/* Errors are told before the screen is taken. */
	tc_snapshot_read(&top.now);
	tc_snapshot_read(&top.before);
	if (tc_json || !isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))
		print_once(&top, last);
	else
		run_screen(&top);
	tc_snapshot_free(&top.before);
	tc_snapshot_free(&top.now);
	return TC_EXIT_OK;
}
