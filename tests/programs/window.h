/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program's way to the simulated machine: find the window, give commands.
 *
 * Knows how a PCI BAR is reached through sysfs. Does not know what the machine
 * models. Needs root and a guest that was started with the machine.
 */
#ifndef TC_WINDOW_H
#define TC_WINDOW_H

#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../machine/include/tcmachine.h"

static inline unsigned long window_read_id(const char *device, const char *name)
{
	char path[256];
	unsigned long id = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", device, name);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (fscanf(file, "%lx", &id) != 1)
		id = 0;
	fclose(file);
	return id;
}

static inline struct tcm_shared *window_map(const char *device)
{
	char path[256];
	void *map;
	int fd;

	snprintf(path, sizeof(path), "%s/resource%d", device, TCM_PCI_BAR);
	fd = open(path, O_RDWR);
	if (fd < 0)
		return NULL;
	map = mmap(NULL, TCM_BAR_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return map == MAP_FAILED ? NULL : map;
}

/* NULL if there is no machine of this version. */
static inline struct tcm_shared *window_open(void)
{
	struct tcm_shared *shared = NULL;
	glob_t found;
	size_t i;

	if (glob("/sys/bus/pci/devices/*", 0, NULL, &found))
		return NULL;
	for (i = 0; i < found.gl_pathc && !shared; i++)
		if (window_read_id(found.gl_pathv[i], "vendor") == TCM_PCI_VENDOR &&
		    window_read_id(found.gl_pathv[i], "device") == TCM_PCI_DEVICE)
			shared = window_map(found.gl_pathv[i]);
	globfree(&found);
	if (shared && (shared->config.magic != TCM_MAGIC || shared->config.version != TCM_VERSION))
		return NULL;
	return shared;
}

/* Ends the program if the last command failed: none of them fails in a sane run. */
static inline void window_check(const struct tcm_shared *shared, const char *command)
{
	long status = *(volatile __s64 *)&shared->mailbox.status;

	if (!status)
		return;
	fprintf(stderr, "the simulated machine refused %s: %s\n", command, strerror(-status));
	exit(2);
}

static inline void window_region(struct tcm_shared *shared, const void *start, unsigned long bytes)
{
	shared->mailbox.arg[0] = (unsigned long)start;
	shared->mailbox.arg[1] = bytes;
	tcm_marker(TCM_CMD_REGION);
	window_check(shared, "REGION");
}

static inline void window_begin(struct tcm_shared *shared)
{
	tcm_marker(TCM_CMD_BEGIN);
	window_check(shared, "BEGIN");
}

static inline void window_next(struct tcm_shared *shared)
{
	tcm_marker(TCM_CMD_WINDOW);
	window_check(shared, "WINDOW");
}

static inline void window_read(struct tcm_shared *shared)
{
	tcm_marker(TCM_CMD_READ);
	window_check(shared, "READ");
}

static inline void window_end(struct tcm_shared *shared)
{
	tcm_marker(TCM_CMD_END);
	window_check(shared, "END");
}

/* Ends the window; those from here on bear this name. */
static inline void window_phase(struct tcm_shared *shared, const char *label)
{
	snprintf(shared->mailbox.label, sizeof(shared->mailbox.label), "%s", label);
	tcm_marker(TCM_CMD_PHASE);
	window_check(shared, "PHASE");
}

/* Sizes of fast memory to compute the oracle for; before BEGIN. */
static inline void window_oracle(struct tcm_shared *shared, const __u64 *pages, unsigned int nr)
{
	memset(shared->mailbox.oracle_pages, 0, sizeof(shared->mailbox.oracle_pages));
	memcpy(shared->mailbox.oracle_pages, pages, nr * sizeof(*pages));
	tcm_marker(TCM_CMD_ORACLE);
	window_check(shared, "ORACLE");
}

/* Traffic of others on a tier, in MB/s, from here on. */
static inline void window_antagonist(struct tcm_shared *shared, unsigned int tier,
				     unsigned int read, unsigned int written)
{
	shared->mailbox.arg[0] = tier;
	shared->mailbox.arg[1] = read;
	shared->mailbox.arg[2] = written;
	tcm_marker(TCM_CMD_ANTAGONIST);
	window_check(shared, "ANTAGONIST");
}

#endif
