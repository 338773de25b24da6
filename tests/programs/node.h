/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel says about its nodes, its moves and the module's.
 *
 * Knows the text files: a node's meminfo, zoneinfo, vmstat, and debugfs
 * thermocline/stats. Does not know what the figures are for.
 */
#ifndef TC_NODE_H
#define TC_NODE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THERMOCLINE_STATS "/sys/kernel/debug/thermocline/stats"

/* The number behind a name at the start of a line; -1 if there is no such line or file. */
static inline long stat_value(const char *path, const char *name)
{
	char line[256];
	long value = -1;
	size_t len = strlen(name);
	FILE *file = fopen(path, "r");

	if (!file)
		return -1;
	while (value < 0 && fgets(line, sizeof(line), file))
		if (!strncmp(line, name, len) && line[len] == ' ')
			value = atol(line + len);
	fclose(file);
	return value;
}

static inline long node_free_pages(int node)
{
	char path[64], line[256];
	long kib = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/meminfo", node);
	file = fopen(path, "r");
	while (file && kib < 0 && fgets(line, sizeof(line), file))
		sscanf(line, "Node %*d MemFree: %ld kB", &kib);
	if (file)
		fclose(file);
	if (kib < 0) {
		fprintf(stderr, "%s has no MemFree\n", path);
		exit(2);
	}
	return kib / 4;
}

/* Pages of a node that a better placement could use: free ones, and all that could leave it. */
static inline long node_room_pages(int node)
{
	static const char *const lists[] = { "nr_active_anon", "nr_inactive_anon", "nr_active_file",
					     "nr_inactive_file" };
	long pages = node_free_pages(node);
	char path[64];
	size_t i;

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/vmstat", node);
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		pages += stat_value(path, lists[i]);
	return pages;
}

/*
 * Free pages of a node above its zones' high watermarks: what a program could
 * still be given before the kernel itself starts to make room.
 */
static inline long node_usable_pages(int node)
{
	long usable = 0, free = 0, high;
	int in_node = -1;
	char line[256];
	FILE *file = fopen("/proc/zoneinfo", "r");

	while (file && fgets(line, sizeof(line), file)) {
		sscanf(line, "Node %d, zone", &in_node);
		if (in_node != node)
			continue;
		sscanf(line, " pages free %ld", &free);
		if (sscanf(line, " high %ld", &high) == 1 && free > high)
			usable += free - high;
	}
	if (file)
		fclose(file);
	return usable;
}

#endif
