/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The simulated machine inside QEMU: what its files share.
 *
 * Knows the state of the machine and of each vCPU. Does not know how a guest
 * finds the shared window (tcmachine.h) nor QEMU's interface (qemu-plugin.h).
 *
 * All of a vCPU's state is touched by its own thread alone, except that a
 * command (mailbox.c) reads and clears the counters of all, and that each
 * reads the others' traffic: with several vCPUs running, these are as of
 * about now.
 */
#ifndef TCM_MACHINE_H
#define TCM_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "../include/qemu-plugin.h"
#include "../include/tcmachine.h"

#include "cache.h"
#include "decode.h"
#include "load.h"
#include "tlb.h"
#include "walk.h"

#define NO_PADDR UINT64_MAX

/*
 * Bits 12..51: below are PCID bits, above flags. With page-table isolation
 * bit 12 tells the user half from the kernel half of one table.
 */
#define CR3_TABLE 0x000ffffffffff000ULL
#define CR3_HALF (1ULL << 12)

/* Per page of the region in the current window. */
struct page_count {
	uint32_t misses;
	uint32_t fast; /* of those, served by tier 0 */
};

/* One vCPU's traffic with each tier and what a miss costs there now; see traffic.c. */
struct meter {
	uint64_t load_ps[TCM_MAX_TIERS];
	uint64_t store_ps[TCM_MAX_TIERS];
	uint64_t lines_read[TCM_MAX_TIERS]; /* since started_ps */
	uint64_t lines_written[TCM_MAX_TIERS];
	struct traffic recent[TCM_MAX_TIERS];
	uint64_t started_ps;
};

struct vcpu {
	uint64_t *ops; /* instructions begun; QEMU adds each block's length on entry */
	uint64_t *kernel_ops; /* of those, kernel code */
	uint64_t next_tag; /* op number the sampler waits for; UINT64_MAX = off */
	uint64_t pmu_seen; /* tcm_pmu.generation in force */
	uint64_t period; /* 0 = off */
	uint64_t left_at_pause; /* ops to the next tag when the sampler was paused */
	uint64_t random;
	uint64_t cr3; /* page table in use, 0 = not known yet */
	uint64_t wait_ps; /* time spent waiting since BEGIN */
	uint64_t kernel_wait_ps; /* of that, by kernel code */
	uint64_t ops_at_begin;
	uint64_t kernel_ops_at_begin;
	struct tcm_counts count; /* since BEGIN; times and instructions are filled in on demand */
	bool l3missonly;
	bool paused;
	bool present;
	struct cache cache;
	struct tlb tlb;
	struct {
		struct walker tables;
		uint64_t waited_ps; /* by the walk under way */
	} walker;
	struct meter meter;
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
	struct tcm_config config;
	struct traffic antagonist[TCM_MAX_TIERS];
	__u64 direct_map; /* kernel address of physical 0 */
	__u64 verify; /* not 0: compare every user translation with QEMU's */
	const char *shared_path;
	const char *pages_path; /* where END writes the page file, or NULL */
	const char *windows_path; /* counts per window and page, or NULL */
	const char *counts_path; /* all counters per window, or NULL */
	const char *text_path; /* where TEXT_END writes counts of module text, or NULL */
	bool running; /* between BEGIN and END */
	double began_at; /* host time, for the speed line */
	struct region region;
	struct vcpu vcpu[TCM_MAX_CPUS];
};

extern struct machine machine;

/* One load or store, as far as the model has come with it. */
struct access {
	uint64_t vaddr;
	uint64_t paddr;
	uint64_t ip;
	uint64_t memory_ps; /* waited for memory */
	uint64_t translation_ps; /* waited for the translation */
	uint32_t flags; /* TCM_SAMPLE_* */
	int tier; /* -1 = none */
	qemu_plugin_meminfo_t info;
};

/* args.c */
bool tcm_parse_args(int argc, char **argv);

/* access.c: the callbacks of each load and store; udata as tcm_op_cookie makes it */
void tcm_on_load(unsigned int vcpu_index, qemu_plugin_meminfo_t info, uint64_t vaddr, void *udata);
void tcm_on_store(unsigned int vcpu_index, qemu_plugin_meminfo_t info, uint64_t vaddr, void *udata);
int tcm_tier_of(uint64_t paddr);

/* Reads a line for the processor, or for its page walker; returns what that waits for. */
uint64_t tcm_memory_miss(struct vcpu *v, int tier, bool store, uint64_t written_back);

/* translate.c: sets paddr, tier and translation_ps; false if the access has no place in the model */
bool tcm_translate(struct vcpu *v, struct access *access);
bool tcm_in_region(const struct vcpu *v, uint64_t vaddr);
void tcm_watch_translations(struct qemu_plugin_insn *insn, struct insn what);
bool tcm_translate_init(struct vcpu *v);
void tcm_translate_begin(struct vcpu *v);

/* traffic.c */
void tcm_meter_begin(struct vcpu *v);
void tcm_meter_idle(struct vcpu *v);
void tcm_meter_close(struct vcpu *v, uint64_t now_ps);
int tcm_set_antagonist(uint64_t tier, uint64_t read_mbs, uint64_t write_mbs);

/* How long traffic is measured before latencies follow it. */
#define METER_PS (10ULL * 1000 * 1000)

static inline uint64_t tcm_now_ps(const struct vcpu *v)
{
	return (*v->ops - v->ops_at_begin) * machine.config.insn_ps + v->wait_ps;
}

/* sampler.c */
void tcm_sampler_begin(struct vcpu *v, unsigned int index);
void tcm_sampler_reload(unsigned int index);
void tcm_sampler_tag(unsigned int index, uint64_t op, const struct access *access);

/* mailbox.c: the callback of a marker instruction; udata is the command */
void tcm_on_marker(unsigned int vcpu_index, void *udata);

/* counts.c */
struct tcm_counts tcm_total(void);
struct tcm_counts tcm_difference(const struct tcm_counts *later, const struct tcm_counts *earlier);
int tcm_write_counts(const char *label, uint64_t window, const struct tcm_counts *counts);
void tcm_print_speed(const struct tcm_counts *total, double seconds);

/* windows.c */
void tcm_windows_begin(void);
int tcm_windows_next(bool relabel);
void tcm_windows_answer(void);
int tcm_set_oracles(void);

/* region.c */
struct vcpu *tcm_next_vcpu(struct vcpu *v);
int tcm_region_set(struct vcpu *caller, uint64_t start, uint64_t bytes);
void tcm_region_clear_counts(void);
struct page_count tcm_region_page(uint64_t page);
int tcm_region_write(const char *path);

/* registers.c */
void tcm_registers_init(struct vcpu *v);
uint64_t tcm_read_cr3(struct vcpu *v);
uint64_t tcm_read_gpr(struct vcpu *v, unsigned int number);

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
