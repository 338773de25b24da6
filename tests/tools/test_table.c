// SPDX-License-Identifier: GPL-2.0
/*
 * The parser of debugfs tables: the forms that the module writes, columns that a newer module adds,
 * and texts that nobody should write.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../../tools/lib/errors.h"
#include "../../tools/lib/table.h"

static struct tc_table *parse(const char *text)
{
	const char *why = NULL;
	struct tc_table *table = tc_table_parse(tc_strdup(text), &why);

	if (!table)
		fail_msg("refused: %s", why);
	return table;
}

static void test_list(void **state)
{
	struct tc_table *table = parse("# thermocline stats v1\na 1\nb 18446744073709551615\n");

	assert_string_equal(table->name, "stats");
	assert_int_equal(table->version, 1);
	assert_true(tc_table_is_list(table));
	assert_int_equal(tc_table_get(table, "a"), 1);
	assert_true(tc_table_get(table, "b") == UINT64_MAX);
	assert_false(tc_table_value(table, "c", NULL));
	tc_table_free(table);
}

static void test_columns(void **state)
{
	struct tc_table *table = parse(
		"# thermocline nodes v3: node tier free (memory in pages)\n0 fast 17\n1 slow 4\n");

	assert_int_equal(table->version, 3);
	assert_int_equal(table->columns, 3);
	assert_int_equal(table->rows, 2);
	assert_string_equal(tc_table_cell(table, 1, "tier"), "slow");
	assert_int_equal(tc_table_number(table, 0, "free"), 17);
	assert_string_equal(tc_table_cell(table, 0, "nothing"), "");
	assert_string_equal(tc_table_cell(table, 2, "node"), "");
	tc_table_free(table);
}

static void test_phrases(void **state)
{
	struct tc_table *table =
		parse("# thermocline histogram v1: bin, pages of 4 KiB, temperature\n0 5 cold\n");

	assert_int_equal(table->columns, 3);
	assert_int_equal(tc_table_number(table, 0, "pages"), 5);
	assert_string_equal(tc_table_cell(table, 0, "temperature"), "cold");
	tc_table_free(table);
}

static void test_rest(void **state)
{
	struct tc_table *table = parse(
		"# thermocline symbols v1: name kind, then what is lost without it\nf function moving pages up\n");

	/* With a list of words before "then", the words are the columns. */
	assert_int_equal(table->columns, 3);
	assert_string_equal(tc_table_cell(table, 0, "kind"), "function");
	assert_string_equal(tc_table_cell(table, 0, "rest"), "moving pages up");
	tc_table_free(table);
}

static void test_unit_with_blanks(void **state)
{
	struct tc_table *table = parse(
		"# thermocline config v1: name value unit\nmode tier\nx 3 1/10000 of the node\n");

	assert_string_equal(tc_table_cell(table, 0, "unit"), "");
	assert_string_equal(tc_table_cell(table, 1, "unit"), "1/10000 of the node");
	assert_int_equal(tc_table_get(table, "x"), 3);
	tc_table_free(table);
}

static void test_json(void **state)
{
	struct tc_table *table = parse("# thermocline nodes v1: node tier target\n0 fast -1\n");
	json_t *json = tc_table_json(table), *row = json_array_get(json, 0);

	assert_int_equal(json_integer_value(json_object_get(row, "target")), -1);
	assert_string_equal(json_string_value(json_object_get(row, "tier")), "fast");
	json_decref(json);
	tc_table_free(table);
}

static void test_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"\n",
		"stats v1\na 1\n",
		"# thermocline stats\na 1\n",
		"# thermocline v1\n",
		"# thermocline stats vx\n",
		"# thermocline stats v0\n",
		"# thermocline stats v1x\n",
		"# thermocline nodes v1: \n",
		"# thermocline nodes v1:(x)\n",
	};
	const char *why;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (tc_table_parse(tc_strdup(texts[i]), &why))
			fail_msg("taken: '%s'", texts[i]);
}

/* SplitMix64, as in the unit tests of the policy core. */
static uint64_t random_state;

static uint64_t next_random(void)
{
	uint64_t z = random_state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static void use(struct tc_table *table)
{
	json_t *json = tc_table_json(table);
	int row, i;

	assert_non_null(json);
	for (row = 0; row < table->rows; row++)
		for (i = 0; i < table->columns; i++)
			assert_non_null(tc_table_cell(table, row, table->column[i]));
	json_decref(json);
	tc_table_free(table);
}

/* Whatever the text: no access outside of it, under ASan. */
static void test_damaged(void **state)
{
	static const char good[] =
		"# thermocline symbols v1: name kind, then what is lost (x)\na b c d\n\ne\n# f\ng h i\n";
	static const char signs[] = "\n\t #:,(v1-\377";
	const char *seed = getenv("TC_SEED"), *why;
	struct tc_table *table;
	int round, changes;
	char *text;

	random_state = seed ? strtoull(seed, NULL, 0) : 1;
	for (round = 0; round < 20000; round++) {
		text = tc_strdup(good);
		for (changes = next_random() % 8; changes; changes--)
			text[next_random() % (sizeof(good) - 1)] =
				signs[next_random() % (sizeof(signs))];
		table = tc_table_parse(text, &why);
		if (table)
			use(table);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_phrases),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_unit_with_blanks),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
