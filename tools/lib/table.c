// SPDX-License-Identifier: GPL-2.0
/*
 * Takes the tables of debugfs apart. Knows their form; does not know what a figure means.
 */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"

#define BLANKS " \t"
#define MOST_COLUMNS 64
#define LIST_COLUMNS "name value"

/* The next word of *@at, ended by NUL; NULL at the end. *@at moves behind it. */
static char *next_word(char **at, const char *ends)
{
	char *word = *at + strspn(*at, ends);

	if (!*word)
		return NULL;
	*at = word + strcspn(word, ends);
	if (**at)
		*(*at)++ = '\0';
	return word;
}

/*
 * Columns are words, or begin the parts of a list with commas: "bin, pages of 4 KiB, temperature".
 * What is behind "then" is the rest of the line: "name kind, then what is lost without it". A remark
 * in brackets at the end says something of the values.
 */
static bool parse_columns(struct tc_table *table, char *text)
{
	char *words = text, *rest = strstr(text, ", then "), *bracket = strchr(text, '('), *word;
	const char *ends;

	if (bracket)
		*bracket = '\0';
	if (rest)
		*rest = '\0';
	ends = strchr(text, ',') ? "," : BLANKS;
	table->column = tc_alloc((MOST_COLUMNS + 1) * sizeof(*table->column));
	while ((word = next_word(&words, ends)) != NULL) {
		if (table->columns == MOST_COLUMNS)
			return false;
		word += strspn(word, BLANKS);
		word[strcspn(word, BLANKS)] = '\0';
		if (*word)
			table->column[table->columns++] = word;
	}
	if (rest)
		table->column[table->columns++] = "rest";
	return table->columns > 0;
}

/* @columns: where those of a list, which have none in their first line, may be written */
static bool parse_head(struct tc_table *table, char *line, char *columns)
{
	static const char begin[] = "# thermocline ";
	char *name = line + sizeof(begin) - 1, *version, *end;

	if (strncmp(line, begin, sizeof(begin) - 1))
		return false;
	version = strstr(name, " v");
	if (!version || version == name)
		return false;
	*version = '\0';
	table->name = name;
	table->version = strtoul(version + 2, &end, 10);
	if (!table->version || (*end != ':' && *end))
		return false;
	return parse_columns(table, *end ? end + 1 : strcpy(columns, LIST_COLUMNS));
}

static void parse_row(struct tc_table *table, char *line)
{
	char **cell = table->cell + (size_t)table->rows * table->columns, *word;
	int i;

	for (i = 0; i < table->columns; i++) {
		if (i < table->columns - 1) {
			word = next_word(&line, BLANKS);
		} else {
			word = line + strspn(line, BLANKS);
			line = "";
		}
		if (!word) {
			line = "";
			word = "";
		}
		cell[i] = word;
	}
	table->rows++;
}

static int count_lines(const char *text)
{
	int lines = 1;

	while ((text = strchr(text, '\n')) != NULL) {
		text++;
		lines++;
	}
	return lines;
}

static void parse_rows(struct tc_table *table, char *text)
{
	char *line, *end;

	table->cell = tc_alloc((size_t)count_lines(text) * table->columns * sizeof(*table->cell));
	for (line = text; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		if (*line && *line != '#')
			parse_row(table, line);
	}
}

struct tc_table *tc_table_parse(char *text, const char **why)
{
	struct tc_table *table = tc_alloc(sizeof(*table));
	size_t head = strcspn(text, "\n");

	table->body = text;
	table->head = tc_alloc(head + 1 + sizeof(LIST_COLUMNS));
	memcpy(table->head, text, head);
	if (!parse_head(table, table->head, table->head + head + 1)) {
		*why = "its first line is not '# thermocline NAME vN'";
		tc_table_free(table);
		return NULL;
	}
	parse_rows(table, text + head + (text[head] ? 1 : 0));
	return table;
}

void tc_table_free(struct tc_table *table)
{
	if (!table)
		return;
	free(table->column);
	free(table->cell);
	free(table->head);
	free(table->body);
	free(table);
}

int tc_table_column(const struct tc_table *table, const char *column)
{
	int i;

	for (i = 0; i < table->columns; i++)
		if (!strcmp(table->column[i], column))
			return i;
	return -1;
}

const char *tc_table_cell(const struct tc_table *table, int row, const char *column)
{
	int i = tc_table_column(table, column);

	return i < 0 || row < 0 || row >= table->rows ? "" : table->cell[row * table->columns + i];
}

uint64_t tc_table_number(const struct tc_table *table, int row, const char *column)
{
	return strtoull(tc_table_cell(table, row, column), NULL, 10);
}

bool tc_table_is_list(const struct tc_table *table)
{
	return table->columns == 2 && tc_table_column(table, "name") == 0;
}

bool tc_table_value(const struct tc_table *table, const char *name, uint64_t *value)
{
	int row;

	for (row = 0; row < table->rows; row++) {
		if (strcmp(tc_table_cell(table, row, "name"), name))
			continue;
		if (value)
			*value = tc_table_number(table, row, "value");
		return true;
	}
	return false;
}

uint64_t tc_table_get(const struct tc_table *table, const char *name)
{
	uint64_t value = 0;

	tc_table_value(table, name, &value);
	return value;
}

static json_t *cell_json(const char *text)
{
	char *end;
	long long number = strtoll(text, &end, 10);

	if (*text && !*end && strchr("-0123456789", *text))
		return json_integer(number);
	/* Not UTF-8, which the kernel never writes here: told as unknown. */
	return json_string(text) ?: json_null();
}

static json_t *list_json(const struct tc_table *table)
{
	json_t *object = json_object();
	int row;

	for (row = 0; row < table->rows; row++)
		json_object_set_new(object, tc_table_cell(table, row, "name"),
				    cell_json(tc_table_cell(table, row, "value")));
	return object;
}

json_t *tc_table_json(const struct tc_table *table)
{
	json_t *array, *object;
	int row, i;

	if (tc_table_is_list(table))
		return list_json(table);
	array = json_array();
	for (row = 0; row < table->rows; row++) {
		object = json_object();
		for (i = 0; i < table->columns; i++)
			json_object_set_new(object, table->column[i],
					    cell_json(table->cell[row * table->columns + i]));
		json_array_append_new(array, object);
	}
	return array;
}
