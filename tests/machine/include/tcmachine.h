/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The simulated machine's memory window: one layout, three readers.
 *
 * Knows the layout of the file that QEMU offers to the guest as BAR 2 of an
 * ivshmem-plain device, and the marker instruction that makes the plugin act.
 * The plugin (host), simpmu.ko (guest kernel) and the programs (guest user)
 * all include this file. Does not know how a cache or a PMU works.
 *
 * Who writes what: config, counters and ring contents are the plugin's; the
 * pmu[] words and ring tails are simpmu's; the mailbox arguments and node[]
 * are the workload's. Nobody writes another's field.
 */
#ifndef TCMACHINE_H
#define TCMACHINE_H

#include <linux/types.h>

#define TCM_MAGIC 0x656e696863616d74ULL /* "tmachine" */
#define TCM_VERSION 2
#define TCM_BAR_BYTES (4UL << 20)
#define TCM_PCI_VENDOR 0x1af4 /* ivshmem, as QEMU documents it */
#define TCM_PCI_DEVICE 0x1110
#define TCM_PCI_BAR 2

#define TCM_MAX_CPUS 8
#define TCM_MAX_TIERS 4
#define TCM_RING_SLOTS 4096 /* power of two */
#define TCM_MAX_PAGES (1UL << 20) /* a region of at most 4 GiB */
#define TCM_PAGE_SHIFT 12

#define TCM_MAX_ORACLES 8
#define TCM_LABEL_BYTES 32

#define TCM_NODE_ABSENT 0xff /* node[]: this page is not in memory */

/* What backs a tier; the values are AMD's IBS data source codes (Zen 4). */
enum tcm_kind {
	TCM_KIND_DRAM = 3,
	TCM_KIND_PMEM = 6,
	TCM_KIND_CXL = 8,
};

/*
 * Guest-physical [start, end) costs latency_ns on a miss when its link is idle.
 * Tier 0 is the fast one. A full-duplex link has its bandwidth in each
 * direction, a half-duplex one in both together.
 */
struct tcm_tier {
	__u64 start;
	__u64 end;
	__u32 latency_ns;
	__u32 kind; /* enum tcm_kind */
	__u32 bandwidth_mbs; /* 0 = without limit */
	__u32 full_duplex;
	__u32 antagonist_read_mbs; /* traffic of others, at the start */
	__u32 antagonist_write_mbs;
};

struct tcm_tlb_shape {
	__u32 entries;
	__u32 ways;
};

/* Filled in by the plugin before the guest starts. */
struct tcm_config {
	__u64 magic;
	__u32 version;
	__u32 nr_cpus;
	__u32 nr_tiers;
	__u32 insn_ps; /* picoseconds one instruction takes */
	__u32 clock_mhz; /* unit of tcm_sample.latency_cycles */
	__u32 llc_ways;
	__u64 llc_bytes; /* per vCPU */
	__u64 seed;
	struct tcm_tlb_shape dtlb; /* first level, 4 KiB */
	struct tcm_tlb_shape dtlb_huge; /* first level, 2 MiB */
	struct tcm_tlb_shape stlb; /* second level, all sizes */
	__u32 coalesce; /* adjacent pages of 4 KiB that may share a translation; 1 = none */
	__u32 stlb_ps; /* a translation from the second level */
	__u32 walk_load_ps; /* an entry that a walk reads from the cache */
	__u32 load_gain_pm; /* of the curve of latency against load, in 1/1000 */
	struct tcm_tier tier[TCM_MAX_TIERS];
};

/* Commands: the byte in the marker instruction. Arguments go into the mailbox first. */
enum tcm_command {
	TCM_CMD_REGION = 1, /* arg[0] virtual start, arg[1] bytes; of the calling process */
	TCM_CMD_BEGIN, /* from here on everything is modelled; all counts start at zero */
	TCM_CMD_WINDOW, /* end the window and start one: per-page counts to zero */
	TCM_CMD_READ, /* fill in the answers */
	TCM_CMD_END, /* end the window, fill in the answers, write the page file; no model from here on */
	TCM_CMD_TEXT_BEGIN, /* from here on executions of module text count; apart from BEGIN..END */
	TCM_CMD_TEXT_END, /* write them to a file */
	TCM_CMD_PHASE, /* as WINDOW; windows bear the name in label from here on */
	TCM_CMD_ORACLE, /* oracle_pages[] says for which sizes; before BEGIN */
	TCM_CMD_ANTAGONIST, /* traffic of others: arg[0] tier, arg[1] MB/s read, arg[2] written */
};

/*
 * Counts of all vCPUs together; time_ps adds their busy times up. Every member
 * is a __u64 counter. A "miss" is an access that the last-level cache did not serve.
 */
struct tcm_counts {
	__u64 time_ps; /* busy time: instructions and waiting, for memory and for translations */
	__u64 kernel_time_ps; /* of that, in kernel code */
	__u64 instructions;
	__u64 kernel_instructions;
	__u64 accesses; /* loads and stores, user and kernel */
	__u64 unplaced; /* of those, at addresses without a physical one; they cost nothing */
	__u64 loads[TCM_MAX_TIERS]; /* load misses */
	__u64 stores[TCM_MAX_TIERS]; /* store misses */
	__u64 write_backs[TCM_MAX_TIERS]; /* written lines that left the cache */
	__u64 memory_ps[TCM_MAX_TIERS]; /* waiting for load and store misses */
	__u64 region[TCM_MAX_TIERS]; /* misses on the region by its process */
	__u64 region_second; /* translations of the region that the second-level TLB had */
	__u64 region_walks; /* those that no TLB had */
	__u64 tlb_second; /* of all addresses */
	__u64 walks[3]; /* of pages of 4 KiB, 2 MiB, 1 GiB; a coalesced group counts as 4 KiB */
	__u64 walk_loads; /* entries, or groups of them, that walks read */
	__u64 walk_misses[TCM_MAX_TIERS]; /* of those, from memory */
	__u64 translation_ps; /* waiting for the second level and for walks */
	__u64 flushes; /* of a whole TLB, global translations kept or not */
	__u64 page_flushes; /* INVLPG */
	__u64 mistranslated; /* QEMU had another physical address: must be 0 */
	__u64 tags; /* ops the sampler tagged */
	__u64 samples; /* of those, put into a ring */
	__u64 samples_lost; /* of those, lost to a full ring */
};

/* Misses on the region in all windows that have ended, for one size of fast memory. */
struct tcm_oracle {
	__u64 fixed; /* served by fast memory under the best placement that never changes */
	__u64 window; /* under the best placement of each window, known before it starts */
};

struct tcm_mailbox {
	__u64 arg[4];
	__s64 status; /* of the last command: 0 or a negative errno */
	char label[TCM_LABEL_BYTES]; /* of windows that start; letters, digits, - and _ */
	__u64 oracle_pages[TCM_MAX_ORACLES]; /* sizes of fast memory; 0 ends the list */
	struct tcm_counts total; /* since BEGIN */
	struct tcm_counts window; /* since the window started; after END, of the last one */
	__u64 windows; /* that have ended */
	__u64 oracle_misses; /* misses on the region in those: what oracle[] is a part of */
	struct tcm_oracle oracle[TCM_MAX_ORACLES];
};

/* One CPU's sampler, set by simpmu. A change counts once generation changes. */
struct tcm_pmu {
	__u64 generation;
	__u64 period; /* ops; 0 = off */
	__u64 flags;
	__u64 pad[5];
};

#define TCM_PMU_L3MISSONLY (1U << 0)
#define TCM_PMU_PAUSED (1U << 1) /* no op is counted until the flag goes */

#define TCM_SAMPLE_LOAD (1U << 0)
#define TCM_SAMPLE_STORE (1U << 1)
#define TCM_SAMPLE_MISS (1U << 2) /* missed the last-level cache */
#define TCM_SAMPLE_PADDR (1U << 3) /* paddr is valid */
#define TCM_SAMPLE_TLB_SECOND (1U << 4) /* the first-level TLB missed, the second had it */
#define TCM_SAMPLE_TLB_MISS (1U << 5) /* both missed: page tables were walked */

/* One tagged op. Neither LOAD nor STORE: no memory op, and only op is valid. */
struct tcm_sample {
	__u64 vaddr;
	__u64 paddr;
	__u64 cr3; /* page table of the access, 0 = not known */
	__u64 ip;
	__u64 op; /* number of the tagged op on its vCPU */
	__u32 flags; /* TCM_SAMPLE_* */
	__u16 latency_cycles; /* of a missed access, from the cache on; 65535 = that or more */
	__u16 data_source; /* enum tcm_kind on a missed load, else 0 */
	__u16 retire_cycles; /* all that the op waited for, the translation too */
	__u16 pad0[3];
	__u64 pad1;
};

/* head and tail only grow; slot = value & (TCM_RING_SLOTS - 1). */
struct tcm_ring {
	__u64 head; /* producer */
	__u64 lost; /* producer: the ring was full */
	__u64 pad0[6];
	__u64 tail; /* consumer */
	__u64 pad1[7];
	struct tcm_sample slot[TCM_RING_SLOTS];
};

struct tcm_shared {
	struct tcm_config config __attribute__((aligned(4096)));
	struct tcm_mailbox mailbox __attribute__((aligned(4096)));
	struct tcm_pmu pmu[TCM_MAX_CPUS] __attribute__((aligned(4096)));
	struct tcm_ring ring[TCM_MAX_CPUS] __attribute__((aligned(4096)));
	__u8 node[TCM_MAX_PAGES] __attribute__((aligned(4096)));
};

_Static_assert(sizeof(struct tcm_mailbox) <= 4096, "the mailbox is one page");
_Static_assert(sizeof(struct tcm_sample) == 64, "a sample is one cache line");
_Static_assert(sizeof(struct tcm_shared) <= TCM_BAR_BYTES, "the BAR is too small");

/* One entry of what a program writes into debugfs simpmu/feed. */
struct tcm_feed {
	__u64 vaddr;
	__u32 flags; /* TCM_FEED_STORE */
	__u32 count; /* so many samples of it */
};

#define TCM_FEED_STORE (1U << 0)

/*
 * The marker: nopl 0x577e57NN(%rax), where NN is the command. A nop on any CPU
 * and without the plugin. Stores before it are seen by the plugin, and the
 * plugin's answer is there when it has executed.
 */
#define TCM_MARKER_BYTES 7

#define tcm_marker(cmd) \
	__asm__ volatile(".byte 0x0f, 0x1f, 0x80, %c0, 0x57, 0x7e, 0x57" : : "i"(cmd) : "memory")

#endif
