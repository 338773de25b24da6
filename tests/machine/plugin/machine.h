/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The simulated machine inside QEMU: what its files share.
 *
 * Knows the state of the machine and of each vCPU. Does not know how a guest
 * finds the shared window (tcmachine.h) nor QEMU's interface (qemu-plugin.h).
 *
 * All of a vCPU's state is touched by its own thread alone, except that a
 * command (mailbox.c) reads and clears the counters of all: with several
 * vCPUs running, its sums are as of about now.
 */
#ifndef TCM_MACHINE_H
#define TCM_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "../include/qemu-plugin.h"
#include "../include/tcmachine.h"

#include "cache.h"

/* Per page of the region in the current window. */
struct page_count {
	uint32_t misses;
	uint32_t fast; /* of those, served by tier 0 */
};

struct vcpu {
	uint64_t *ops; /* instructions begun; QEMU adds each block's length on entry */
	uint64_t next_tag; /* op number the sampler waits for; UINT64_MAX = off */
	uint64_t pmu_seen; /* tcm_pmu.generation in force */
	uint64_t period; /* 0 = off */
	uint64_t left_at_pause; /* ops to the next tag when the sampler was paused */
	uint64_t random;
	uint64_t cr3; /* page table in use, 0 = not known yet */
	uint64_t wait_ps; /* time spent waiting for memory since BEGIN */
	uint64_t ops_at_begin;
	struct tcm_counts count; /* since BEGIN; time_ps and instructions are filled in on demand */
	bool l3missonly;
	bool paused;
	bool present;
	struct cache cache;
	struct page_count *page; /* of the region, nr_pages long */
	struct qemu_plugin_register *cr3_handle;
	struct qemu_plugin_register *gpr[16];
	GByteArray *bytes;
} __attribute__((aligned(64)));

struct region {
	uint64_t start;
	uint64_t bytes;
	uint64_t cr3;
	uint64_t nr_pages;
};

struct machine {
	qemu_plugin_id_t id;
	struct tcm_shared *shared;
	struct tcm_tier tier[TCM_MAX_TIERS];
	unsigned int nr_tiers;
	uint64_t wait_ps[TCM_MAX_TIERS];
	uint64_t direct_map; /* kernel address of physical 0 */
	uint64_t llc_bytes;
	unsigned int llc_ways;
	unsigned int insn_ps;
	unsigned int clock_mhz;
	uint64_t seed;
	const char *shared_path;
	const char *pages_path; /* where END writes the page file, or NULL */
	const char *text_path; /* where TEXT_END writes counts of module text, or NULL */
	bool running; /* between BEGIN and END */
	double began_at; /* host time, for the speed line */
	struct region region;
	struct vcpu vcpu[TCM_MAX_CPUS];
};

extern struct machine machine;

/* args.c */
bool tcm_parse_args(int argc, char **argv);

/* access.c: the callback of each load and store; udata as tcm_op_cookie makes it */
void tcm_on_access(unsigned int vcpu_index, qemu_plugin_meminfo_t info, uint64_t vaddr,
		   void *udata);

/* sampler.c */
struct access {
	uint64_t vaddr;
	uint64_t paddr;
	uint64_t ip;
	uint32_t flags; /* TCM_SAMPLE_* */
	int tier; /* -1 = none */
};

void tcm_sampler_reload(unsigned int index);
void tcm_sampler_tag(unsigned int index, uint64_t op, const struct access *access);

/* mailbox.c: the callback of a marker instruction; udata is the command */
void tcm_on_marker(unsigned int vcpu_index, void *udata);

/* region.c */
int tcm_region_set(struct vcpu *caller, uint64_t start, uint64_t bytes);
void tcm_region_clear_counts(void);
int tcm_region_write(const char *path);

/* registers.c */
void tcm_registers_init(struct vcpu *v);
uint64_t tcm_read_cr3(struct vcpu *v);
void tcm_watch_cr3(struct qemu_plugin_insn *insn, const uint8_t *code, size_t len);

/* text.c: with text_path, each instruction is passed to tcm_text_count() when it is translated */
void tcm_text_init(void);
void tcm_text_count(struct qemu_plugin_insn *insn);
int tcm_text_begin(void);
int tcm_text_end(void);

/* main.c: has all code translated anew, as machine.running now asks; soon, not at once */
void tcm_reinstrument(void);

/*
 * What the callback of one instruction needs to know, in one pointer: how far
 * from the end of its block it is (ops counts the block as a whole), and its
 * address. Canonical addresses leave the upper 16 bits free: they repeat bit 47.
 */
static inline void *tcm_op_cookie(uint64_t ip, unsigned int from_end)
{
	return (void *)(uintptr_t)((ip & 0xffffffffffffULL) | (uint64_t)from_end << 48);
}

static inline uint64_t tcm_cookie_ip(void *cookie)
{
	return (uint64_t)((int64_t)((uint64_t)(uintptr_t)cookie << 16) >> 16);
}

static inline unsigned int tcm_cookie_from_end(void *cookie)
{
	return (uint64_t)(uintptr_t)cookie >> 48;
}

#endif
