// SPDX-License-Identifier: GPL-2.0
/*
 * The checks of thermoctl doctor that concern the machine and its company: sampling unit, memory
 * tiers, and whoever else moves pages.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "thermoctl.h"

static bool intel_pebs(const char *cpuinfo)
{
	return strstr(cpuinfo, "GenuineIntel") && strstr(cpuinfo, " pebs ");
}

void doctor_sampling(void)
{
	char *cpuinfo = tc_file_read("/proc/cpuinfo");

	if (tc_file_exists("/sys/bus/event_source/devices/ibs_op"))
		doctor_found("sampling", DOCTOR_OK, tc_strdup("AMD IBS (ibs_op)"), NULL, NULL);
	else if (cpuinfo && tc_file_exists("/sys/bus/event_source/devices/cpu") &&
		 intel_pebs(cpuinfo))
		doctor_found("sampling", DOCTOR_OK, tc_strdup("Intel PEBS"), NULL, NULL);
	else if (cpuinfo && strstr(cpuinfo, " hypervisor"))
		doctor_found(
			"sampling", DOCTOR_WARN,
			tc_strdup("no sampling unit, and this is a virtual machine"),
			"the module looks at accessed bits instead (sampler=scan), which is coarser and slower",
			"run the module on the host, or give the guest its PMU");
	else
		doctor_found(
			"sampling", DOCTOR_WARN, tc_strdup("neither ibs_op nor PEBS"),
			"the module looks at accessed bits instead (sampler=scan), which is coarser and slower",
			"look whether the firmware switched IBS off");
	free(cpuinfo);
}

/* "0-1" of a file of /sys/devices/system/node; in new memory. */
static char *nodes_with(const char *what)
{
	char *path = tc_format("/sys/devices/system/node/%s", what), *list = tc_file_line(path);

	free(path);
	return list ? list : tc_strdup("");
}

#define TIERS "/sys/devices/virtual/memory_tiering"

/* "memory_tier4: 0; memory_tier22: 1", in new memory */
static char *tiers_text(int *count)
{
	char **names = tc_file_list(TIERS, "memory_tier", count), *text = tc_strdup(""), *more;
	char *path, *nodes;
	int i;

	for (i = 0; i < *count; i++) {
		path = tc_format(TIERS "/%s/nodelist", names[i]);
		nodes = tc_file_line(path);
		more = tc_format("%s%s%s: node %s", text, i ? "; " : "", names[i],
				 nodes ? nodes : "?");
		free(nodes);
		free(path);
		free(text);
		text = more;
	}
	tc_file_list_free(names, *count);
	return text;
}

static bool is_list_of_many(const char *nodes)
{
	return strpbrk(nodes, ",-") != NULL;
}

void doctor_memory(void)
{
	char *memory = nodes_with("has_memory"), *cpus = nodes_with("has_cpu"), *tiers;
	int count;

	tiers = tiers_text(&count);
	if (!is_list_of_many(memory))
		doctor_found("memory nodes", DOCTOR_WARN,
			     tc_format("node %s only", *memory ? memory : "?"),
			     "with one kind of memory the module observes and moves nothing",
			     "cxl list, then daxctl reconfigure-device --mode=system-ram");
	else
		doctor_found("memory nodes", DOCTOR_OK,
			     tc_format("with memory: %s, with processors: %s", memory, cpus), NULL,
			     NULL);
	if (count > 1)
		doctor_found("memory tiers", DOCTOR_OK, tiers, NULL, NULL);
	else if (is_list_of_many(memory))
		doctor_found(
			"memory tiers", DOCTOR_WARN, *tiers ? tiers : tc_strdup("none"),
			"the firmware (HMAT, CDAT) did not tell the kernel which memory is slow",
			"name it: thermoctl config save slow_nodes=LIST");
	else
		free(tiers);
	free(memory);
	free(cpus);
}

#define PARAMETERS "/sys/module/thermocline/parameters/"

/* Does the module move what NUMA balancing would promote? */
static bool takes_over(void)
{
	char *takeover = tc_file_line(PARAMETERS "numa_takeover");
	char *policy = tc_file_line(PARAMETERS "policy");
	bool takes = takeover && policy && !strcmp(takeover, "1") && !strcmp(policy, "tpp");

	free(takeover);
	free(policy);
	return takes;
}

static void check_balancing(void)
{
	char *value = tc_file_line("/proc/sys/kernel/numa_balancing");
	int mode = value ? atoi(value) : 0;

	if (mode & 2 && takes_over())
		doctor_found("NUMA balancing", DOCTOR_OK,
			     tc_format("mode %d: the module moves what it finds", mode), NULL,
			     NULL);
	else if (mode & 2)
		doctor_found("NUMA balancing", DOCTOR_WARN,
			     tc_format("mode %d: it promotes too", mode),
			     "both promote, each by its own rule; pages may go to and fro",
			     "sysctl kernel.numa_balancing=0");
	else if (mode)
		doctor_found("NUMA balancing", DOCTOR_NOTE,
			     tc_format("mode %d: moves pages between sockets", mode),
			     "it does not disturb the module; its hint faults cost time", NULL);
	else
		doctor_found("NUMA balancing", DOCTOR_OK, tc_strdup("off"), NULL, NULL);
	free(value);
}

static bool reclaim_demotes(void)
{
	char *value = tc_file_line("/sys/kernel/mm/numa/demotion_enabled");
	bool demotes = value && (!strcmp(value, "true") || !strcmp(value, "1"));

	free(value);
	return demotes;
}

/* A heading, then a line for each device. */
static bool has_swap(void)
{
	char *text = tc_file_read("/proc/swaps"), *line = text ? strchr(text, '\n') : NULL;
	bool swap = line && line[1];

	free(text);
	return swap;
}

static void check_reclaim(void)
{
	bool demotes = reclaim_demotes();

	if (demotes)
		doctor_found("demotion", DOCTOR_NOTE, tc_strdup("reclaim demotes too"),
			     "useful beside the module when fast memory runs out quickly", NULL);
	if (!has_swap())
		return;
	doctor_found(
		"swap", DOCTOR_NOTE, tc_strdup(demotes ? "on, behind demotion" : "on"),
		demotes ?
			"memory.reclaim counts what it demotes as reclaimed, and demotes memory in use too" :
			"reclaim swaps cold memory out of fast memory where the module has not demoted it before",
		NULL);
}

#define KDAMONDS "/sys/kernel/mm/damon/admin/kdamonds"

static void check_damon(void)
{
	char **names, *path, *state;
	int count, i, on = 0;

	names = tc_file_list(KDAMONDS, "", &count);
	for (i = 0; i < count; i++) {
		path = tc_format(KDAMONDS "/%s/state", names[i]);
		state = tc_file_line(path);
		on += state && !strcmp(state, "on");
		free(state);
		free(path);
	}
	tc_file_list_free(names, count);
	if (on)
		doctor_found("DAMON", DOCTOR_WARN, tc_format("%d threads run", on),
			     "a scheme migrate_hot or migrate_cold would work against the module",
			     "cat " KDAMONDS "/*/contexts/*/schemes/*/action");
	else
		doctor_found("DAMON", DOCTOR_OK, tc_strdup("does not run"), NULL, NULL);
}

/* debugfs has a folder PID-FD for each virtual machine. */
static void check_guests(void)
{
	int count, i, guests = 0;
	char **names = tc_file_list("/sys/kernel/debug/kvm", "", &count);

	for (i = 0; i < count; i++)
		guests += strspn(names[i], "0123456789") > 0;
	tc_file_list_free(names, count);
	if (guests)
		doctor_found(
			"KVM guests", DOCTOR_NOTE, tc_format("%d run here", guests),
			"their memory is left where it is: sampling on the host does not see its use",
			NULL);
	else
		doctor_found("KVM guests", DOCTOR_OK, tc_strdup("none seen"), NULL, NULL);
}

void doctor_company(void)
{
	check_balancing();
	check_reclaim();
	check_damon();
	check_guests();
}
