// SPDX-License-Identifier: GPL-2.0
/*
 * thermoctl doctor: can this machine run the module, and what to do where it cannot. Each check tells
 * what was found, what that means, and the next command. Needs no module and mostly no root.
 */
#include "thermoctl.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thermocline/version.h>

#include "doctor.h"

static const char *const state_names[] = { "ok", "note", "warn", "problem" };

struct finding {
	const char *check;
	enum doctor_state state;
	char *found;
	const char *meaning;
	const char *next;
};

#define MOST_FINDINGS 64

static struct finding findings[MOST_FINDINGS];
static int nr_findings;

void doctor_found(const char *check, enum doctor_state state, char *found, const char *meaning,
		  const char *next)
{
	if (nr_findings < MOST_FINDINGS)
		findings[nr_findings++] = (struct finding){ check, state, found, meaning, next };
}

static void print_finding(const struct finding *finding)
{
	static const enum tc_style styles[] = { TC_GOOD, TC_DIM, TC_WARN, TC_BAD };

	printf("%s%-8s%s%-16s %s\n", tc_style(styles[finding->state]), state_names[finding->state],
	       tc_style(TC_PLAIN), finding->check, finding->found);
	if (finding->meaning)
		printf("        %s\n", finding->meaning);
	if (finding->next)
		printf("        next: %s\n", finding->next);
}

static enum doctor_state worst(void)
{
	enum doctor_state state = DOCTOR_OK;
	int i;

	for (i = 0; i < nr_findings; i++)
		if (findings[i].state > state)
			state = findings[i].state;
	return state;
}

static void print_text(void)
{
	static const char *const verdicts[] = {
		"This machine is ready.",
		"This machine is ready.",
		"The module runs here, with what is said above.",
		"The module does not run here before the problems above are solved.",
	};
	int i;

	for (i = 0; i < nr_findings; i++)
		print_finding(&findings[i]);
	puts(verdicts[worst()]);
}

static void print_json(void)
{
	json_t *array = json_array();
	int i;

	for (i = 0; i < nr_findings; i++)
		json_array_append_new(
			array, json_pack("{s:s, s:s, s:s, s:s?, s:s?}", "check", findings[i].check,
					 "state", state_names[findings[i].state], "found",
					 findings[i].found, "meaning", findings[i].meaning, "next",
					 findings[i].next));
	tc_json_print(json_pack("{s:s, s:o}", "worst", state_names[worst()], "checks", array));
}

static const char doc[] =
	"Looks whether this machine can run the module: kernel, symbols, sampling unit, memory tiers, who "
	"else moves pages, lockdown. Exit status 1 when something makes it impossible.";

int tc_command_doctor(int argc, char **argv)
{
	struct argp_child children[] = TC_COMMON_CHILDREN;
	struct argp argp = { NULL, NULL, "", doc, children, NULL, NULL };

	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	doctor_kernel();
	doctor_symbols();
	doctor_sampling();
	doctor_memory();
	doctor_company();
	doctor_lockdown();
	doctor_module();
	if (tc_json)
		print_json();
	else
		print_text();
	return worst() == DOCTOR_PROBLEM ? TC_EXIT_FAILED : TC_EXIT_OK;
}
