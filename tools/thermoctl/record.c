// SPDX-License-Identifier: GPL-2.0
/*
 * thermoctl record: every figure, again and again, one JSON object a line. Knows time; thermoctl
 * report reads what is written here.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "record.h"
#include "thermoctl.h"

struct options {
	double interval;
	long count;
	const char *output;
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	stopped = 1;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void pause_for(double seconds)
{
	struct timespec t = { .tv_sec = seconds, .tv_nsec = (seconds - (long)seconds) * 1e9 };

	/* A signal ends the pause: then the record is finished. */
	nanosleep(&t, NULL);
}

json_t *record_take(void)
{
	struct tc_snapshot snapshot;
	json_t *json;

	tc_snapshot_read(&snapshot);
	json = tc_snapshot_json(&snapshot);
	json_object_set_new(json, "time", json_real(now()));
	tc_snapshot_free(&snapshot);
	return json;
}

json_t *record_for(double interval, long count, const char *what)
{
	json_t *array = json_array();
	long i;

	for (i = 0; i < count && !stopped; i++) {
		if (i)
			pause_for(interval);
		json_array_append_new(array, record_take());
		tc_progress(what, i + 1, count);
	}
	tc_progress_end();
	return array;
}

json_t *record_read(const char *path)
{
	FILE *file = fopen(path, "re");
	json_t *array = json_array(), *json;
	json_error_t error;

	if (!file)
		tc_die(TC_EXIT_FAILED, "%s: %s", path, strerror(errno));
	while ((json = json_loadf(file, JSON_DISABLE_EOF_CHECK, &error)) != NULL) {
		if (!json_is_number(json_object_get(json, "time")) ||
		    !json_is_object(json_object_get(json, "stats")))
			tc_die(TC_EXIT_FAILED, "%s is no record of thermoctl record", path);
		json_array_append_new(array, json);
	}
	if (!feof(file) || !json_array_size(array))
		tc_die(TC_EXIT_FAILED, "%s is no record of thermoctl record: %s", path, error.text);
	fclose(file);
	return array;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	char *end;

	switch (key) {
	case 'i':
		options->interval = strtod(arg, &end);
		if (*end || !(options->interval >= 0.1 && options->interval <= 86400))
			argp_error(state, "interval: '%s' is not from 0.1 to 86400 seconds", arg);
		return 0;
	case 'n':
		options->count = strtol(arg, &end, 10);
		if (*end || options->count < 1)
			argp_error(state, "count: '%s' is no number from 1 on", arg);
		return 0;
	case 'o':
		options->output = arg;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_option option_table[] = {
	{ "interval", 'i', "SECONDS", 0, "Between two readings (1)", 0 },
	{ "count", 'n', "NUMBER", 0, "Readings to take (until interrupted)", 0 },
	{ "output", 'o', "FILE", 0, "Write there instead of standard output", 0 },
	{ 0 },
};

static const char doc[] =
	"Reads every figure again and again and writes each reading as one line of JSON, for thermoctl "
	"report and for tools of your own. Ends when interrupted.";

int tc_command_record(int argc, char **argv)
{
	struct argp_child children[] = TC_COMMON_CHILDREN;
	struct argp argp = { option_table, parse, "", doc, children, NULL, NULL };
	struct options options = { .interval = 1 };
	struct sigaction action = { .sa_handler = stop };
	FILE *out = stdout;
	json_t *json;
	long i;

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	json = record_take();
	if (options.output)
		out = fopen(options.output, "we");
	if (!out)
		tc_die(TC_EXIT_FAILED, "%s: %s", options.output, strerror(errno));
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	for (i = 1;; i++) {
		if (json_dumpf(json, out, JSON_COMPACT) || fputc('\n', out) == EOF || fflush(out))
			tc_die(TC_EXIT_FAILED, "the record cannot be written: %s", strerror(errno));
		json_decref(json);
		if (options.count && i >= options.count)
			break;
		pause_for(options.interval);
		if (stopped)
			break;
		json = record_take();
	}
	if (out != stdout && fclose(out))
		tc_die(TC_EXIT_FAILED, "%s: %s", options.output, strerror(errno));
	return TC_EXIT_OK;
}
