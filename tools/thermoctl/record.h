/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Readings over time: taken now, or read from a file that thermoctl record wrote.
 */
#ifndef TC_THERMOCTL_RECORD_H
#define TC_THERMOCTL_RECORD_H

#include <jansson.h>

/* One reading: what tc_snapshot_json() gives, and "time" in seconds. */
json_t *record_take(void);

/* An array of so many readings, one each @interval seconds; tells its progress as @what. */
json_t *record_for(double interval, long count, const char *what);

/* The array of readings in a file. Ends the program with a sentence when it is none. */
json_t *record_read(const char *path);

#endif /* TC_THERMOCTL_RECORD_H */
