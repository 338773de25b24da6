/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of /sys/kernel/debug/thermocline: a first line "# thermocline NAME vN: COLUMNS", then
 * one row a line. Knows this form; columns are found by their names, so a module that adds some
 * can still be read. Does not know what a figure means.
 */
#ifndef TC_LIB_TABLE_H
#define TC_LIB_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct tc_table - a table that was read
 * @name: what its first line calls it
 * @version: of its form
 * @columns: number of columns; @column: their names
 * @rows: number of rows; @cell: @rows times @columns texts; what a row lacks is ""
 * @head, @body: the memory that all of these lie in
 *
 * Without columns in the first line, they are "name" and "value". The last column takes the rest
 * of the line.
 */
struct tc_table {
	const char *name;
	unsigned int version;
	int columns;
	char **column;
	int rows;
	char **cell;
	char *head;
	char *body;
};

/**
 * tc_table_parse() - take a text apart
 * @text: the text, which the table owns from here on; it is cut into pieces
 * @why: what is wrong with it, when NULL is returned; then @text is freed
 *
 * Return: the table, or NULL.
 */
struct tc_table *tc_table_parse(char *text, const char **why);

void tc_table_free(struct tc_table *table);

/* Number of a column, -1 when there is none of that name. */
int tc_table_column(const struct tc_table *table, const char *column);

/* A cell by row and column name; "" when there is no such column. */
const char *tc_table_cell(const struct tc_table *table, int row, const char *column);

/* The same as a number; 0 when it is none. */
uint64_t tc_table_number(const struct tc_table *table, int row, const char *column);

/**
 * tc_table_value() - value behind a name in a table of names and values
 * @table: the table
 * @name: the name
 * @value: set when there is one; may be NULL
 *
 * Return: false when there is no such line.
 */
bool tc_table_value(const struct tc_table *table, const char *name, uint64_t *value);

/* The same, 0 when there is no such line. */
uint64_t tc_table_get(const struct tc_table *table, const char *name);

/* Is it a table of names and values? */
bool tc_table_is_list(const struct tc_table *table);

/* Lists become an object, others an array of objects; cells that are whole numbers are integers. */
json_t *tc_table_json(const struct tc_table *table);

#endif /* TC_LIB_TABLE_H */
