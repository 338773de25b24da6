// SPDX-License-Identifier: GPL-2.0
/*
 * thermoctl report: readings over time as one self-contained page. Knows HTML and SVG; the figures
 * are those of thermoctl record.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"
#include "thermoctl.h"

struct options {
	const char *html;
	const char *input;
	double seconds;
};

#define WIDTH 640
#define HEIGHT 200
#define LEFT 60

static double number(const json_t *reading, const char *table, const char *name)
{
	return json_number_value(json_object_get(json_object_get(reading, table), name));
}

/* Text as it may stand in HTML. */
static void put_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*text, out);
		}
	}
}

static void put_value(FILE *out, const json_t *value)
{
	char text[TC_UNIT_SIZE];

	if (json_is_string(value))
		put_text(out, json_string_value(value));
	else if (json_is_integer(value) && json_integer_value(value) < 0)
		fprintf(out, "%lld", (long long)json_integer_value(value));
	else
		fputs(tc_count_text(text, json_number_value(value)), out);
}

typedef double (*series_fn)(const json_t *before, const json_t *reading);

static double hit_percent(const json_t *before, const json_t *reading)
{
	double all = number(reading, "stats", "window_hit_all");

	return all > 0 ? 100 * number(reading, "stats", "window_hit_fast") / all : 0;
}

static double per_second(const json_t *before, const json_t *reading, const char *name)
{
	double seconds = json_number_value(json_object_get(reading, "time")) -
			 json_number_value(json_object_get(before, "time"));
	double pages = number(reading, "stats", name) - number(before, "stats", name);

	return seconds > 0 && pages > 0 ? pages / 256 / seconds : 0;
}

static double promoted(const json_t *before, const json_t *reading)
{
	return per_second(before, reading, "promote_moved_pages");
}

static double demoted(const json_t *before, const json_t *reading)
{
	return per_second(before, reading, "demote_moved_pages");
}

static double at(const json_t *readings, size_t i, series_fn series)
{
	return series(json_array_get(readings, i ? i - 1 : 0), json_array_get(readings, i));
}

static double most_of(const json_t *readings, series_fn series)
{
	double most = 0;
	size_t i;

	for (i = 0; i < json_array_size(readings); i++)
		most = fmax(most, at(readings, i, series));
	return most;
}

static void put_line(FILE *out, const json_t *readings, series_fn series, double most,
		     const char *class)
{
	size_t count = json_array_size(readings), i;

	fprintf(out, "<polyline class=\"%s\" points=\"", class);
	for (i = 0; i < count; i++)
		fprintf(out, "%s%.1f,%.1f", i ? " " : "",
			LEFT + (WIDTH - LEFT - 10.0) * (count > 1 ? (double)i / (count - 1) : 0),
			HEIGHT - 20 - (HEIGHT - 30) * at(readings, i, series) / most);
	fputs("\"/>\n", out);
}

static void put_frame(FILE *out, const char *id, double most, const char *unit, double seconds)
{
	int i;

	fprintf(out, "<svg id=\"%s\" role=\"img\" viewBox=\"0 0 %d %d\">\n", id, WIDTH, HEIGHT);
	for (i = 0; i <= 4; i++)
		fprintf(out,
			"<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g%s</text>\n",
			LEFT, HEIGHT - 20 - (HEIGHT - 30) * i / 4.0, WIDTH - 10, LEFT - 4,
			HEIGHT - 16 - (HEIGHT - 30) * i / 4.0, most * i / 4, i == 4 ? unit : "");
	fprintf(out,
		"<text x=\"%d\" y=\"%d\">0 s</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.0f s</text>\n",
		LEFT, HEIGHT - 4, WIDTH - 10, HEIGHT - 4, seconds);
}

static void put_over_time(FILE *out, const json_t *readings)
{
	const json_t *first = json_array_get(readings, 0);
	const json_t *last = json_array_get(readings, json_array_size(readings) - 1);
	double seconds = json_number_value(json_object_get(last, "time")) -
			 json_number_value(json_object_get(first, "time"));
	double most = fmax(fmax(most_of(readings, promoted), most_of(readings, demoted)), 0.001);

	fputs("<h2>Hit ratio over time</h2>\n<p>Share of the sampled accesses that fast memory served.</p>\n",
	      out);
	put_frame(out, "hits", 100, " %", seconds);
	put_line(out, readings, hit_percent, 100, "a");
	fputs("</svg>\n<h2>Moves over time</h2>\n<p><span class=\"ka\">up</span>, <span class=\"kb\">down</span>, MiB/s</p>\n",
	      out);
	put_frame(out, "moves", most, "", seconds);
	put_line(out, readings, promoted, most, "a");
	put_line(out, readings, demoted, most, "b");
	fputs("</svg>\n", out);
}

/* Bars by the logarithm of the pages: cold memory would hide the rest. */
static void put_histogram(FILE *out, const json_t *reading)
{
	const json_t *bins = json_object_get(reading, "histogram"), *bin;
	double most = 1, pages, height, width;
	char text[TC_UNIT_SIZE];
	size_t i;

	json_array_foreach(bins, i, bin)
		most = fmax(most, log1p(json_number_value(json_object_get(bin, "pages"))));
	width = (WIDTH - 20.0) / fmax(json_array_size(bins), 1);
	fprintf(out,
		"<h2>Histogram</h2>\n<p>Memory by hotness bin, each twice as hot as the one before; <span class=\"khot\">hot</span>, <span class=\"kwarm\">warm</span>, <span class=\"kcold\">cold</span>; heights by logarithm.</p>\n<svg id=\"histogram\" role=\"img\" viewBox=\"0 0 %d %d\">\n",
		WIDTH, HEIGHT);
	json_array_foreach(bins, i, bin)
	{
		pages = json_number_value(json_object_get(bin, "pages"));
		height = (HEIGHT - 50) * log1p(pages) / most;
		fputs("<rect class=\"", out);
		put_value(out, json_object_get(bin, "temperature"));
		fprintf(out,
			"\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s</title></rect>",
			10 + i * width, HEIGHT - 20 - height, width - 4, height,
			tc_pages_text(text, pages));
		fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%zu</text>\n",
			10 + (i + 0.5) * width, HEIGHT - 4, i);
	}
	fputs("</svg>\n", out);
}

/* An array of objects with the same members, as a table. */
static void put_table(FILE *out, const char *title, const char *id, const json_t *rows)
{
	const json_t *row, *value;
	const char *name;
	size_t i;

	fprintf(out, "<h2>%s</h2>\n<div class=\"wide\"><table id=\"%s\">\n<tr>", title, id);
	json_object_foreach((json_t *)json_array_get(rows, 0), name, value)
	{
		fputs("<th>", out);
		put_text(out, name);
		fputs("</th>", out);
	}
	fputs("</tr>\n", out);
	json_array_foreach(rows, i, row)
	{
		fputs("<tr>", out);
		json_object_foreach((json_t *)row, name, value)
		{
			fputs("<td>", out);
			put_value(out, value);
			fputs("</td>", out);
		}
		fputs("</tr>\n", out);
	}
	fputs("</table></div>\n", out);
}

static void put_head(FILE *out, const json_t *reading)
{
	const json_t *status = json_object_get(reading, "status"), *value;
	const char *name;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	      "<title>thermocline</title>\n<style>\n"
	      "body{font:16px/1.5 sans-serif;max-width:44rem;margin:auto;padding:1rem;color:#222;background:#fff}\n"
	      "svg{width:100%;height:auto;font-size:12px}\n.wide{overflow-x:auto}\n"
	      "table{border-collapse:collapse;font-size:.85rem}td,th{padding:.15rem .6rem;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}\n"
	      "dt{font-weight:bold}dd{margin:0 0 .4rem 1rem;overflow-wrap:anywhere}\n"
	      ".grid{stroke:#ddd}polyline{fill:none;stroke-width:2}.a{stroke:#0b62a4}.b{stroke:#d95f02}.ka{color:#0b62a4}.kb{color:#d95f02}\n"
	      ".hot{fill:#c0392b}.warm{fill:#e0a030}.cold{fill:#4a90c0}.khot{color:#c0392b}.kwarm{color:#a06a00}.kcold{color:#2f6f9f}\n"
	      "</style>\n</head>\n<body>\n<h1>thermocline</h1>\n<dl id=\"status\">\n",
	      out);
	json_object_foreach((json_t *)status, name, value)
	{
		fputs("<dt>", out);
		put_text(out, name);
		fputs("</dt><dd>", out);
		put_value(out, value);
		fputs("</dd>\n", out);
	}
	fputs("</dl>\n", out);
}

static void put_page(FILE *out, const json_t *readings)
{
	const json_t *last = json_array_get(readings, json_array_size(readings) - 1);

	put_head(out, last);
	put_over_time(out, readings);
	put_histogram(out, last);
	put_table(out, "Nodes", "nodes", json_object_get(last, "nodes"));
	put_table(out, "Moves and reasons", "outcomes", json_object_get(last, "outcomes"));
	put_table(out, "Samplers", "samplers", json_object_get(last, "samplers"));
	put_table(out, "Settings", "settings", json_object_get(last, "config"));
	fputs("</body>\n</html>\n", out);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	char *end;

	switch (key) {
	case 'H':
		options->html = arg;
		return 0;
	case 'I':
		options->input = arg;
		return 0;
	case 's':
		options->seconds = strtod(arg, &end);
		if (*end || !(options->seconds >= 1 && options->seconds <= 86400))
			argp_error(state, "seconds: '%s' is not from 1 to 86400", arg);
		return 0;
	case ARGP_KEY_END:
		if (!options->html)
			argp_error(state, "--html FILE says where the page goes");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_option option_table[] = {
	{ "html", 'H', "FILE", 0, "Write the page there", 0 },
	{ "input", 'I', "FILE", 0, "Use what thermoctl record wrote", 0 },
	{ "seconds", 's', "NUMBER", 0, "Without a record: watch for so long (10)", 0 },
	{ 0 },
};

static const char doc[] =
	"Writes one self-contained page: hit ratio and moves over time, histogram, nodes, moves and their "
	"reasons, samplers, settings.";

int tc_command_report(int argc, char **argv)
{
	struct argp_child children[] = TC_COMMON_CHILDREN;
	struct argp argp = { option_table, parse, "", doc, children, NULL, NULL };
	struct options options = { .seconds = 10 };
	json_t *readings;
	FILE *out;

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	readings = options.input ? record_read(options.input) :
				   record_for(0.5, options.seconds * 2 + 1, "watching");
	out = fopen(options.html, "we");
	if (!out)
		tc_die(TC_EXIT_FAILED, "%s: %s", options.html, strerror(errno));
	put_page(out, readings);
	if (fclose(out))
		tc_die(TC_EXIT_FAILED, "%s: %s", options.html, strerror(errno));
	if (tc_json)
		tc_json_print(json_pack("{s:s, s:I}", "file", options.html, "readings",
					(json_int_t)json_array_size(readings)));
	else
		printf("wrote %s from %zu readings\n", options.html, json_array_size(readings));
	json_decref(readings);
	return TC_EXIT_OK;
}
