// SPDX-License-Identifier: GPL-2.0
/*
 * Reads all that the module tells, and says in a sentence why it cannot. Knows the files of its
 * debugfs; does not print them.
 */
#include "snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thermocline/version.h>

#include "errors.h"
#include "files.h"

bool tc_module_loaded(void)
{
	return tc_file_exists("/sys/module/thermocline");
}

static void unreadable(const char *file, int err)
{
	if (!tc_module_loaded())
		tc_die(TC_EXIT_NO_MODULE, "the module is not loaded: modprobe thermocline");
	if (err == EACCES)
		tc_die(TC_EXIT_PERMISSION,
		       "%s/%s may be read by root alone: run this as root, or with sudo",
		       TC_DEBUGFS, file);
	if (err == EPERM)
		tc_die(TC_EXIT_PERMISSION,
		       "the kernel is locked down and does not let debugfs be read: see thermoctl doctor");
	if (!tc_file_exists("/sys/kernel/debug") || err != ENOENT)
		tc_die(TC_EXIT_FAILED, "%s/%s: %s", TC_DEBUGFS, file, strerror(err));
	if (!tc_file_exists(TC_DEBUGFS))
		tc_die(TC_EXIT_NO_MODULE,
		       "the module is loaded but %s is not there: mount -t debugfs none /sys/kernel/debug",
		       TC_DEBUGFS);
	tc_die(TC_EXIT_VERSION,
	       "the loaded module has no table '%s': it is another version than these tools (%s)",
	       file, TC_VERSION);
}

static struct tc_table *read_table(const char *file, unsigned int version)
{
	char *path = tc_format("%s/%s", TC_DEBUGFS, file), *text = tc_file_read(path);
	struct tc_table *table;
	const char *why;

	if (!text)
		unreadable(file, errno);
	free(path);
	table = tc_table_parse(text, &why);
	if (!table)
		tc_die(TC_EXIT_VERSION, "%s/%s: %s", TC_DEBUGFS, file, why);
	if (table->version != version)
		tc_die(TC_EXIT_VERSION,
		       "table '%s' has version %u, these tools (%s) read version %u: install the thermocline-tools that came with the loaded module",
		       file, table->version, TC_VERSION, version);
	return table;
}

void tc_snapshot_read(struct tc_snapshot *snapshot)
{
	memset(snapshot, 0, sizeof(*snapshot));
	snapshot->status = tc_file_read(TC_DEBUGFS "/status");
	if (!snapshot->status)
		unreadable("status", errno);
#define READ_TABLE(member, file, version) snapshot->member = read_table(file, version);
	TC_TABLES(READ_TABLE)
}

void tc_snapshot_free(struct tc_snapshot *snapshot)
{
	free(snapshot->status);
#define FREE_TABLE(member, file, version) tc_table_free(snapshot->member);
	TC_TABLES(FREE_TABLE)
	memset(snapshot, 0, sizeof(*snapshot));
}

char *tc_snapshot_status(const struct tc_snapshot *snapshot, const char *key)
{
	size_t length = strlen(key);
	const char *line;
	char *text;

	for (line = snapshot->status; line && *line; line += strcspn(line, "\n")) {
		line += *line == '\n';
		if (strncmp(line, key, length) || line[length] != ':')
			continue;
		line += length + 1;
		line += strspn(line, " ");
		text = tc_strdup(line);
		text[strcspn(text, "\n")] = '\0';
		return text;
	}
	return NULL;
}

char *tc_snapshot_mode(const struct tc_snapshot *snapshot)
{
	char *mode = tc_snapshot_status(snapshot, "mode");

	return mode ? mode : tc_strdup("unknown");
}

uint64_t tc_snapshot_nodes(const struct tc_snapshot *snapshot, const char *tier, const char *column)
{
	const struct tc_table *nodes = snapshot->nodes;
	uint64_t sum = 0;
	int row;

	for (row = 0; row < nodes->rows; row++)
		if (!strcmp(tc_table_cell(nodes, row, "tier"), tier))
			sum += tc_table_number(nodes, row, column);
	return sum;
}

static json_t *status_json(const char *status)
{
	json_t *object = json_object();
	char *copy = tc_strdup(status), *line, *end, *text;

	for (line = copy; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		text = strstr(line, ": ");
		if (!text)
			continue;
		*text = '\0';
		json_object_set_new(object, line, json_string(text + 2));
	}
	free(copy);
	return object;
}

json_t *tc_snapshot_json(const struct tc_snapshot *snapshot)
{
	json_t *object = json_object();

	json_object_set_new(object, "status", status_json(snapshot->status));
#define TABLE_JSON(member, file, version) \
	json_object_set_new(object, #member, tc_table_json(snapshot->member));
	TC_TABLES(TABLE_JSON)
	return object;
}

void tc_json_print(json_t *json)
{
	json_dumpf(json, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(json);
}
