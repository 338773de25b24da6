/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One reading of all that the module tells. Knows the files of its debugfs and the versions of their
 * tables that these tools can read; does not print.
 */
#ifndef TC_LIB_SNAPSHOT_H
#define TC_LIB_SNAPSHOT_H

#include "table.h"

#define TC_DEBUGFS "/sys/kernel/debug/thermocline"
#define TC_PARAMETERS "/sys/module/thermocline/parameters"

/* T(member, file, version that these tools know) */
#define TC_TABLES(T)                     \
	T(stats, "stats", 1)             \
	T(thresholds, "thresholds", 1)   \
	T(histogram, "histogram", 1)     \
	T(nodes, "nodes", 1)             \
	T(outcomes, "outcomes", 1)       \
	T(samplers, "samplers", 1)       \
	T(config, "config", 1)           \
	T(symbols, "symbols", 1)         \
	T(temperature, "temperature", 1) \
	T(tiers, "tiers", 1)

/**
 * struct tc_snapshot - one reading
 * @status: the file of that name, as lines "key: text"
 *
 * The other members are the tables of TC_TABLES.
 */
struct tc_snapshot {
	char *status;
#define TC_SNAPSHOT_MEMBER(member, file, version) struct tc_table *member;
	TC_TABLES(TC_SNAPSHOT_MEMBER)
#undef TC_SNAPSHOT_MEMBER
};

/* Is the module loaded? */
bool tc_module_loaded(void);

/* Ends the program with a sentence when the module's debugfs cannot be read. */
void tc_snapshot_read(struct tc_snapshot *snapshot);
void tc_snapshot_free(struct tc_snapshot *snapshot);

/* Text behind "key: " in the status, in new memory; NULL when there is no such line. */
char *tc_snapshot_status(const struct tc_snapshot *snapshot, const char *key);

/* The mode in effect, which may be less than the one asked for; in new memory. */
char *tc_snapshot_mode(const struct tc_snapshot *snapshot);

/* 4 KiB pages of all nodes of a kind ("fast", "slow"), from a column of the table of nodes. */
uint64_t tc_snapshot_nodes(const struct tc_snapshot *snapshot, const char *tier,
			   const char *column);

/* All of it as one object: the tables by name, and the status. */
json_t *tc_snapshot_json(const struct tc_snapshot *snapshot);

/* Print as JSON, with a line end. */
void tc_json_print(json_t *json);

#endif /* TC_LIB_SNAPSHOT_H */
