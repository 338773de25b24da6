// SPDX-License-Identifier: GPL-2.0
/*
 * Cost over size as a picture. Knows SVG, not what is simulated.
 */
#include "chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../lib/term.h"

#define WIDTH 720
#define PANEL 240
#define LEFT 70
#define RIGHT 120

struct panel {
	const char *title;
	int top;
	double most, smallest, largest;
	bool instructions;
};

void chart_add(struct chart *chart, const char *name, uint64_t bytes, double instructions,
	       double metadata)
{
	int at = chart->points;

	if (at == CHART_POINTS)
		return;
	chart->point[at].name = name;
	chart->point[at].bytes = bytes;
	chart->point[at].instructions = instructions;
	chart->point[at].metadata = metadata;
	chart->points++;
}

static double value(const struct chart *chart, const struct panel *panel, int i)
{
	return panel->instructions ? chart->point[i].instructions : chart->point[i].metadata;
}

static double x_of(const struct panel *panel, uint64_t bytes)
{
	double span = log2(panel->largest / panel->smallest);

	return LEFT +
	       (WIDTH - LEFT - RIGHT) * (span > 0 ? log2(bytes / panel->smallest) / span : 0.5);
}

static double y_of(const struct panel *panel, double of)
{
	return panel->top + PANEL - 60 - (PANEL - 100) * of / panel->most;
}

static void measure(const struct chart *chart, struct panel *panel)
{
	int i;

	panel->smallest = 1e30;
	for (i = 0; i < chart->points; i++) {
		panel->most = fmax(panel->most, value(chart, panel, i) * 1.05);
		panel->smallest = fmin(panel->smallest, chart->point[i].bytes);
		panel->largest = fmax(panel->largest, chart->point[i].bytes);
	}
	if (panel->most <= 0)
		panel->most = 1;
}

static void draw_axes(FILE *out, const struct chart *chart, const struct panel *panel)
{
	char text[TC_UNIT_SIZE];
	int i;

	fprintf(out, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>\n", LEFT,
		panel->top + 20, panel->title);
	fprintf(out, "<path d=\"M%d %.1fV%.1fH%d\" fill=\"none\" stroke=\"#888\"/>\n", LEFT,
		y_of(panel, panel->most), y_of(panel, 0), WIDTH - RIGHT);
	for (i = 0; i <= 4; i++)
		fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n",
			LEFT - 6, y_of(panel, panel->most * i / 4) + 4, panel->most * i / 4);
	for (i = 0; i < chart->points; i++)
		if (!strcmp(chart->point[i].name, chart->point[0].name))
			fprintf(out,
				"<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
				x_of(panel, chart->point[i].bytes), y_of(panel, 0) + 18,
				tc_bytes_text(text, chart->point[i].bytes));
}

static void draw_line(FILE *out, const struct chart *chart, const struct panel *panel, int first,
		      int number)
{
	static const char *const colours[] = { "#0b62a4", "#d95f02", "#1b9e77",
					       "#7570b3", "#666666", "#e7298a" };
	const char *colour = colours[number % 6], *name = chart->point[first].name;
	int i, last = first;

	fprintf(out, "<path fill=\"none\" stroke-width=\"2\" stroke=\"%s\" d=\"", colour);
	for (i = first; i < chart->points; i++) {
		if (strcmp(chart->point[i].name, name))
			continue;
		fprintf(out, "%c%.1f %.1f", i == first ? 'M' : 'L',
			x_of(panel, chart->point[i].bytes), y_of(panel, value(chart, panel, i)));
		last = i;
	}
	fprintf(out, "\"/>\n<text x=\"%d\" y=\"%.1f\" fill=\"%s\">%s</text>\n", WIDTH - RIGHT + 6,
		y_of(panel, value(chart, panel, last)) + 4, colour, name);
}

static bool is_first(const struct chart *chart, int at)
{
	int i;

	for (i = 0; i < at; i++)
		if (!strcmp(chart->point[i].name, chart->point[at].name))
			return false;
	return true;
}

static void draw(FILE *out, const struct chart *chart, struct panel *panel)
{
	int i, number = 0;

	measure(chart, panel);
	draw_axes(out, chart, panel);
	for (i = 0; i < chart->points; i++)
		if (is_first(chart, i))
			draw_line(out, chart, panel, i, number++);
}

bool chart_write(const struct chart *chart, const char *path)
{
	struct panel instructions = { .title = "instructions of a sample", .instructions = true };
	struct panel metadata = { .title = "metadata in % of the memory", .top = PANEL };
	FILE *out = fopen(path, "we");

	if (!out)
		return false;
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
		WIDTH, 2 * PANEL);
	draw(out, chart, &instructions);
	draw(out, chart, &metadata);
	fputs("</svg>\n", out);
	return !fclose(out);
}
