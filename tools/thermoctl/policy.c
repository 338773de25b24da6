// SPDX-License-Identifier: GPL-2.0
/*
 * thermoctl policy: policies as eBPF programs, see docs/policies.md. Knows what has to be there for one and where it is
 * pinned; how one is loaded is in policy-object.c.
 */
#include "policy.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "thermoctl.h"

#define BPF_FILES "/sys/fs/bpf"
#define PIN_FOLDER BPF_FILES "/thermocline"
#define PIN PIN_FOLDER "/policy"
#define MODULE_BTF "/sys/kernel/btf/thermocline"

/* What a policy is asked: lines hook_NAME_asked and so on of the statistics. */
static const char *const questions[] = { "split_order", "piece_is_cold", "admit" };
static const char *const answers[] = { "asked", "changed", "invalid" };

#define NR_QUESTIONS (sizeof(questions) / sizeof(questions[0]))
#define NR_ANSWERS (sizeof(answers) / sizeof(answers[0]))

struct options {
	const char *action;
	char **words;
	int count;
};

/* What the module says of hooks, in new memory: a name, "none" or "unavailable". */
static char *hooks(struct tc_snapshot *snapshot)
{
	char *text;

	tc_snapshot_read(snapshot);
	text = tc_snapshot_status(snapshot, "hooks");
	if (!text)
		tc_die(TC_EXIT_VERSION,
		       "the loaded module takes no policies: it is another version than these tools");
	return text;
}

static uint64_t figure(const struct tc_snapshot *snapshot, const char *question, const char *answer)
{
	char *line = tc_format("hook_%s_%s", question, answer);
	uint64_t value = tc_table_get(snapshot->stats, line);

	free(line);
	return value;
}

static void status_text(const struct tc_snapshot *snapshot, const char *name, bool pinned)
{
	size_t i, k;

	printf("%spolicy%s %s%s\n\n%-16s", tc_style(TC_BOLD), tc_style(TC_PLAIN), name,
	       pinned ? ", pinned in " PIN : "", "question");
	for (k = 0; k < NR_ANSWERS; k++)
		printf(" %12s", answers[k]);
	putchar('\n');
	for (i = 0; i < NR_QUESTIONS; i++) {
		printf("%-16s", questions[i]);
		for (k = 0; k < NR_ANSWERS; k++)
			printf(" %12llu",
			       (unsigned long long)figure(snapshot, questions[i], answers[k]));
		putchar('\n');
	}
}

static void status_json(const struct tc_snapshot *snapshot, const char *name, bool pinned)
{
	json_t *all = json_object(), *one;
	size_t i, k;

	for (i = 0; i < NR_QUESTIONS; i++) {
		one = json_object();
		for (k = 0; k < NR_ANSWERS; k++)
			json_object_set_new(
				one, answers[k],
				json_integer(figure(snapshot, questions[i], answers[k])));
		json_object_set_new(all, questions[i], one);
	}
	tc_json_print(
		json_pack("{s:s, s:b, s:o}", "policy", name, "pinned", pinned, "questions", all));
}

static int status(void)
{
	struct tc_snapshot snapshot;
	char *name = hooks(&snapshot);
	bool pinned = tc_file_exists(PIN);

	if (tc_json)
		status_json(&snapshot, name, pinned);
	else
		status_text(&snapshot, name, pinned);
	free(name);
	tc_snapshot_free(&snapshot);
	return TC_EXIT_OK;
}

static void need_bpf_files(void)
{
	char *path = tc_file_path(BPF_FILES);
	struct statfs files;

	if (statfs(path, &files) || files.f_type != BPF_FS_MAGIC)
		tc_die(TC_EXIT_FAILED,
		       "no file system for what stays attached: mount -t bpf bpf " BPF_FILES);
	free(path);
}

static void need_room_for_one(void)
{
	struct tc_snapshot snapshot;
	char *name = hooks(&snapshot);

	if (!strcmp(name, "unavailable") || !tc_file_exists(MODULE_BTF))
		tc_die(TC_EXIT_FAILED,
		       "the loaded module takes no policies, as it has no BTF (" MODULE_BTF
		       "): build it with pahole installed");
	if (strcmp(name, "none"))
		tc_die(TC_EXIT_REFUSED,
		       "policy %s is attached already: 'thermoctl policy detach' first", name);
	free(name);
	tc_snapshot_free(&snapshot);
}

/* The name of what is attached now, in new memory. */
static char *attached(void)
{
	struct tc_snapshot snapshot;
	char *name = hooks(&snapshot);

	tc_snapshot_free(&snapshot);
	return name;
}

static void told(const char *what, const char *name)
{
	if (tc_json)
		tc_json_print(json_pack("{s:s, s:s}", "action", what, "policy", name));
	else
		printf("policy %s is %s\n", name, what);
}

static int attach(const struct options *options)
{
	char *folder = tc_file_path(PIN_FOLDER), *pin = tc_file_path(PIN), *name;

	need_room_for_one();
	need_bpf_files();
	if (mkdir(folder, 0700) && errno != EEXIST)
		tc_die(TC_EXIT_FAILED, "%s: %s", folder, strerror(errno));
	tc_policy_attach(options->words[0], options->words + 1, options->count - 1, pin);
	name = attached();
	told("attached", name);
	free(name);
	free(pin);
	free(folder);
	return TC_EXIT_OK;
}

static int detach(void)
{
	char *pin = tc_file_path(PIN), *name = attached();
	bool none = !strcmp(name, "none") || !strcmp(name, "unavailable");

	if (!tc_policy_detach(pin) && !none)
		tc_die(TC_EXIT_FAILED,
		       "policy %s was attached by another program: it is attached until that one ends",
		       name);
	if (none && !tc_json)
		puts("no policy is attached");
	else
		told("detached", name);
	free(name);
	free(pin);
	return TC_EXIT_OK;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (options->action)
			return ARGP_ERR_UNKNOWN;
		options->action = arg;
		return 0;
	case ARGP_KEY_ARGS:
		options->words = state->argv + state->next;
		options->count = state->argc - state->next;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const char doc[] =
	"Attaches and detaches a policy: an eBPF program that decides instead of the module's own rules.\v"
	"status: which policy is attached, and what it answered.\n"
	"attach FILE [NAME=VALUE...]: load the policy of an object file, with its global variables set, and attach "
	"it. It stays attached when this program ends. VALUE is a number, or a path, which stands for its inode "
	"number: that of a cgroup's folder is the cgroup's identifier.\n"
	"detach: the module's own rules decide again.";

/* What is wrong with the command line, or NULL. */
static const char *complaint(const struct options *options)
{
	int i;

	if (!options->action || !strcmp(options->action, "status") ||
	    !strcmp(options->action, "detach"))
		return options->count ? "status and detach take no words" : NULL;
	if (strcmp(options->action, "attach"))
		return "only status, attach and detach";
	if (!options->count)
		return "attach which FILE?";
	for (i = 1; i < options->count; i++)
		if (!strchr(options->words[i], '='))
			return "behind FILE come words NAME=VALUE";
	return NULL;
}

static int usage(const struct argp *argp, const char *why)
{
	fprintf(stderr, "%s: policy: %s\n", tc_program, why);
	argp_help(argp, stderr, ARGP_HELP_STD_USAGE, "thermoctl policy");
	return TC_EXIT_USAGE;
}

int tc_command_policy(int argc, char **argv)
{
	struct argp_child children[] = TC_COMMON_CHILDREN;
	struct argp argp = { NULL, parse,    "status|attach FILE [NAME=VALUE...]|detach",
			     doc,  children, NULL,
			     NULL };
	struct options options = { 0 };
	const char *why;

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	why = complaint(&options);
	if (why)
		return usage(&argp, why);
	if (!options.action || !strcmp(options.action, "status"))
		return status();
	if (!tc_module_loaded())
		tc_die(TC_EXIT_NO_MODULE, "the module is not loaded: modprobe thermocline");
	if (geteuid())
		tc_die(TC_EXIT_PERMISSION,
		       "policies are attached and detached by root alone: use sudo");
	return !strcmp(options.action, "attach") ? attach(&options) : detach();
}
