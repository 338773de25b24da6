// SPDX-License-Identifier: GPL-2.0
/*
 * How often each instruction of the guest's kernel modules was executed.
 *
 * Knows the address range of module text and one counter per instruction and
 * vCPU. Does not know which module or function an address belongs to.
 *
 * QEMU adds one in the translated code itself, before the instruction, so
 * counts are exact, at little cost, also when a block is left in its middle.
 * A string instruction may repeat within one count. Counting is on from the
 * start (with text=); a measurement is the difference of two sums.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"

/* Modules lie between the kernel image and the fixmap (Documentation/arch/x86/x86_64/mm.rst). */
#define TEXT_START 0xffffffffa0000000ULL
#define TEXT_END 0xffffffffff000000ULL

#define NR_SLOTS (1U << 16) /* instructions of modules that are ever translated; power of two */

struct slot {
	uint64_t ip; /* 0 = free */
	uint64_t at_begin;
};

static struct slot slots[NR_SLOTS];
static unsigned int slots_used;
static uint64_t not_counted; /* translations that found no slot */
static unsigned int measurements;
static struct qemu_plugin_scoreboard *board;

/* vCPUs translate at the same time. */
static pthread_mutex_t slots_lock = PTHREAD_MUTEX_INITIALIZER;

void tcm_text_init(void)
{
	board = qemu_plugin_scoreboard_new(NR_SLOTS * sizeof(uint64_t));
}

/* The slot of an address, or -1 when all are taken. One is always left free to end the search. */
static long find_slot(uint64_t ip)
{
	uint64_t i = (ip * 0x9e3779b97f4a7c15ULL >> 32) & (NR_SLOTS - 1);

	while (slots[i].ip && slots[i].ip != ip)
		i = (i + 1) & (NR_SLOTS - 1);
	if (slots[i].ip)
		return i;
	if (slots_used == NR_SLOTS - 1)
		return -1;
	slots[i].ip = ip;
	slots_used++;
	return i;
}

void tcm_text_count(struct qemu_plugin_insn *insn)
{
	uint64_t ip = qemu_plugin_insn_vaddr(insn);
	long slot;

	if (ip < TEXT_START || ip >= TEXT_END)
		return;
	pthread_mutex_lock(&slots_lock);
	slot = find_slot(ip);
	if (slot < 0 && !not_counted++)
		fprintf(stderr,
			"tcmachine: more than %u instructions of modules: the rest is not counted\n",
			NR_SLOTS - 1);
	pthread_mutex_unlock(&slots_lock);
	if (slot >= 0)
		qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(
			insn, QEMU_PLUGIN_INLINE_ADD_U64,
			(qemu_plugin_u64){ board, slot * sizeof(uint64_t) }, 1);
}

static uint64_t executions(unsigned int slot)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < TCM_MAX_CPUS; i++)
		if (machine.vcpu[i].present)
			sum += ((uint64_t *)qemu_plugin_scoreboard_find(board, i))[slot];
	return sum;
}

int tcm_text_begin(void)
{
	unsigned int i;

	if (!machine.text_path)
		return -ENOENT;
	for (i = 0; i < NR_SLOTS; i++)
		slots[i].at_begin = executions(i);
	return 0;
}

static void write_counts(FILE *file)
{
	unsigned int i;

	for (i = 0; i < NR_SLOTS; i++) {
		uint64_t count = executions(i) - slots[i].at_begin;

		if (count)
			fprintf(file, "%016llx %llu\n", (unsigned long long)slots[i].ip,
				(unsigned long long)count);
	}
}

/* The n-th measurement goes to text_path.n: a line per instruction, its address and how often. */
int tcm_text_end(void)
{
	char path[4096];
	FILE *file;
	int failed;

	if (!machine.text_path)
		return -ENOENT;
	if (not_counted)
		return -ENOSPC;
	snprintf(path, sizeof(path), "%s.%u", machine.text_path, ++measurements);
	file = fopen(path, "w");
	if (!file)
		return -errno;
	write_counts(file);
	failed = ferror(file);
	return fclose(file) || failed ? -EIO : 0;
}
