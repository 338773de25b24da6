// SPDX-License-Identifier: GPL-2.0
/*
 * The checks of thermoctl doctor that concern the kernel: version, BTF, symbols, seals, lockdown,
 * and the module that is loaded or could be built.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thermocline/version.h>

#include "doctor.h"
#include "thermoctl.h"

/* The window of module/kernel/window.h; a test compares them. */
#define OLDEST_MAJOR 6
#define OLDEST_MINOR 12
#define BEYOND_MAJOR 7
#define BEYOND_MINOR 4

static char *kernel_release(void)
{
	char *release = tc_file_line("/proc/sys/kernel/osrelease");

	return release ? release : tc_strdup("unknown");
}

static void check_headers(const char *release)
{
	char *path = tc_format("/lib/modules/%s/build", release);

	if (tc_file_exists(path))
		doctor_found("headers", DOCTOR_OK, tc_strdup("of this kernel are installed"), NULL,
			     NULL);
	else if (!tc_module_loaded())
		doctor_found("headers", DOCTOR_WARN, tc_format("none of %s", release),
			     "DKMS cannot build the module for this kernel without them",
			     "apt install linux-headers-amd64");
	free(path);
}

void doctor_kernel(void)
{
	char *release = kernel_release();
	int major = 0, minor = 0;

	if (sscanf(release, "%d.%d", &major, &minor) != 2)
		doctor_found("kernel", DOCTOR_WARN, tc_strdup(release),
			     "its version cannot be told", NULL);
	else if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR))
		doctor_found("kernel", DOCTOR_PROBLEM, tc_strdup(release),
			     "older than 6.12: the module does not build for it",
			     "apt install -t bookworm-backports linux-image-amd64, then reboot");
	else if (major > BEYOND_MAJOR || (major == BEYOND_MAJOR && minor >= BEYOND_MINOR))
		doctor_found("kernel", DOCTOR_WARN, tc_strdup(release),
			     "newer than 7.3: the module may load, but was not tried there", NULL);
	else
		doctor_found("kernel", DOCTOR_OK,
			     tc_format("%s, in the window 6.12 to 7.3", release), NULL, NULL);
	check_headers(release);
	free(release);
	if (tc_file_exists("/sys/kernel/btf/vmlinux"))
		doctor_found("BTF", DOCTOR_OK, tc_strdup("the kernel describes its own types"),
			     NULL, NULL);
	else
		doctor_found("BTF", DOCTOR_WARN, tc_strdup("/sys/kernel/btf/vmlinux is not there"),
			     "prototypes of unexported functions cannot be compared at load",
			     "use a kernel with CONFIG_DEBUG_INFO_BTF, as all of Debian's are");
}

struct needed {
	const char *name;
	bool required;
	const char *lost;
	unsigned int matches;
};

static struct needed needed[] = {
#define S(name, required, lost) { #name, required, lost, 0 },
#include "needed-symbols.h"
#undef S
};

#define NR_NEEDED (sizeof(needed) / sizeof(needed[0]))

/* What 7.x calls NEWER_NAME; the module takes the old name where the new one is missing. */
#define NEWER_NAME "__split_huge_page_to_list_to_order"
#define OLDER_NAME "split_huge_page_to_list_to_order"
static unsigned int older_matches;

/* A line of kallsyms: "ffffffff81234560 T name", with "[module]" behind names of modules. */
static void match_symbol(const char *line)
{
	const char *name = strchr(line, ' ');
	size_t length, i;

	name = name ? strchr(name + 1, ' ') : NULL;
	if (!name++)
		return;
	length = strcspn(name, " \t\n");
	if (name[length] == '\t')
		return;
	older_matches += length == strlen(OLDER_NAME) && !strncmp(name, OLDER_NAME, length);
	for (i = 0; i < NR_NEEDED; i++)
		if (!strncmp(needed[i].name, name, length) && !needed[i].name[length])
			needed[i].matches++;
}

static void match_older_name(void)
{
	size_t i;

	for (i = 0; i < NR_NEEDED; i++)
		if (!needed[i].matches && !strcmp(needed[i].name, NEWER_NAME))
			needed[i].matches = older_matches;
}

static bool count_symbols(void)
{
	char *path = tc_file_path("/proc/kallsyms"), *line = NULL;
	FILE *file = fopen(path, "re");
	size_t size = 0;
	long lines = 0;

	free(path);
	if (!file)
		return false;
	while (getline(&line, &size, file) >= 0) {
		match_symbol(line);
		if (!(++lines % 4096))
			tc_progress("reading the kernel's symbols", lines, 250000);
	}
	tc_progress_end();
	free(line);
	fclose(file);
	return lines > 0;
}

static void judge_symbol(const struct needed *symbol, int *good)
{
	if (symbol->matches == 1) {
		++*good;
		return;
	}
	doctor_found(
		"symbol", symbol->required ? DOCTOR_PROBLEM : DOCTOR_NOTE,
		symbol->matches ? tc_format("%s is there %u times", symbol->name, symbol->matches) :
				  tc_format("%s is not there", symbol->name),
		tc_format(symbol->required ? "without it the module refuses to load: it is for %s" :
					     "the module loads without: %s",
			  symbol->lost),
		NULL);
}

/* Which entries are sealed is known to the loaded module only. */
static void check_seals(void)
{
	char *flags = tc_file_read("/proc/cpuinfo"), *table_text;
	bool ibt = flags && strstr(flags, " ibt");
	struct tc_table *table;
	int row, sealed = 0;
	const char *why;

	free(flags);
	table_text = tc_file_read(TC_DEBUGFS "/symbols");
	table = table_text ? tc_table_parse(table_text, &why) : NULL;
	for (row = 0; table && row < table->rows; row++)
		sealed += !strcmp(tc_table_cell(table, row, "entry"), "sealed");
	if (table)
		doctor_found("seals", DOCTOR_NOTE,
			     tc_format("%d functions are sealed, this processor %s IBT", sealed,
				       ibt ? "has" : "does not have"),
			     "sealed functions are called directly, which IBT allows", NULL);
	else
		doctor_found("seals", DOCTOR_NOTE,
			     tc_format("this processor %s IBT", ibt ? "has" : "does not have"),
			     "which functions are sealed is told once the module is loaded", NULL);
	tc_table_free(table);
}

void doctor_symbols(void)
{
	int good = 0;
	size_t i;

	if (count_symbols()) {
		match_older_name();
		for (i = 0; i < NR_NEEDED; i++)
			judge_symbol(&needed[i], &good);
		doctor_found("symbols", good ? DOCTOR_OK : DOCTOR_PROBLEM,
			     tc_format("%d of %zu are there exactly once", good, NR_NEEDED), NULL,
			     NULL);
	} else {
		doctor_found("symbols", DOCTOR_PROBLEM, tc_strdup("/proc/kallsyms cannot be read"),
			     "the module finds what it needs of the kernel there",
			     "use a kernel with CONFIG_KALLSYMS_ALL");
	}
	check_seals();
}

/* The word in brackets of "[none] integrity confidentiality", in new memory. */
static char *chosen_word(char *line)
{
	char *word = line ? strchr(line, '[') : NULL, *copy;

	if (!word)
		return NULL;
	copy = tc_strdup(word + 1);
	copy[strcspn(copy, "]")] = '\0';
	return copy;
}

static int secure_boot(void)
{
	char *path = tc_file_path(
		"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c");
	FILE *file = fopen(path, "re");
	unsigned char value[5];
	size_t got;

	free(path);
	if (!file)
		return -1;
	got = fread(value, 1, sizeof(value), file);
	fclose(file);
	return got == sizeof(value) ? value[4] == 1 : -1;
}

void doctor_lockdown(void)
{
	char *line = tc_file_line("/sys/kernel/security/lockdown"), *word = chosen_word(line);
	int secure = secure_boot();

	if (word && !strcmp(word, "confidentiality"))
		doctor_found(
			"lockdown", DOCTOR_PROBLEM, tc_strdup("confidentiality"),
			"kprobes are forbidden, with which the module finds the kernel's symbols",
			"boot with lockdown=integrity");
	else if (word && !strcmp(word, "integrity"))
		doctor_found("lockdown", DOCTOR_NOTE, tc_strdup("integrity"),
			     "the module must be signed with a key that the kernel knows",
			     "mokutil --import /var/lib/dkms/mok.pub, then reboot");
	else
		doctor_found("lockdown", DOCTOR_OK, tc_strdup(word ? "none" : "not known"), NULL,
			     NULL);
	if (secure == 1)
		doctor_found("Secure Boot", DOCTOR_NOTE, tc_strdup("on"),
			     "the module must be signed with a key that the firmware knows",
			     "mokutil --import /var/lib/dkms/mok.pub, then reboot");
	else if (!secure)
		doctor_found("Secure Boot", DOCTOR_OK, tc_strdup("off"), NULL, NULL);
	free(word);
	free(line);
}

static void check_tables(const char *version)
{
	char *status = tc_file_read(TC_DEBUGFS "/status");
	int err = errno;

	if (status)
		doctor_found("module", DOCTOR_OK, tc_format("%s is loaded", version), NULL,
			     "thermoctl status");
	else if (err == EACCES)
		doctor_found("module", DOCTOR_NOTE, tc_format("%s is loaded", version),
			     "what it tells may be read by root alone", "sudo thermoctl status");
	else
		doctor_found("module", DOCTOR_WARN,
			     tc_format("%s is loaded, %s is not there", version, TC_DEBUGFS),
			     "its figures cannot be read",
			     "mount -t debugfs none /sys/kernel/debug");
	free(status);
}

void doctor_module(void)
{
	char *version = tc_file_line("/sys/module/thermocline/version");

	if (!tc_module_loaded()) {
		doctor_found("module", DOCTOR_NOTE, tc_strdup("is not loaded"), NULL,
			     "modprobe thermocline");
	} else {
		check_tables(version ? version : "a module of unknown version");
		if (version && strcmp(version, TC_VERSION))
			doctor_found(
				"version", DOCTOR_WARN,
				tc_format("module %s, tools %s", version, TC_VERSION),
				"tables of another version are refused",
				"apt install thermocline-tools of the module's version, or load the new module");
	}
	free(version);
}
