/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module and policies as eBPF programs share: the questions that a policy may answer, what a question is
 * about, and the functions that tell more of it. docs/policies.md has the text for those who write one.
 * All that a program has to include. Knows none of the module's own types.
 */
#ifndef THERMOCLINE_BPF_H
#define THERMOCLINE_BPF_H

#ifdef __bpf__
#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#define THERMOCLINE_CORE __attribute__((preserve_access_index))
#define THERMOCLINE_KSYM __ksym
#else
#include <linux/types.h>
#define THERMOCLINE_CORE
#define THERMOCLINE_KSYM
#endif

/* Room for a policy's name with its end; of letters, digits, '-', '_' and '.'. */
#define THERMOCLINE_NAME_LEN 32

/* The order of a huge page of 2 MiB, and of the smallest pieces that a policy may ask for: 64 KiB. */
#define THERMOCLINE_WHOLE 9
#define THERMOCLINE_SMALLEST 4

/* Pressure on the slow tier, as thermocline_contention() tells it. */
enum thermocline_contention {
	THERMOCLINE_CONTENTION_UNKNOWN,
	THERMOCLINE_CONTENTION_NONE,
	THERMOCLINE_CONTENTION_MODERATE,
	THERMOCLINE_CONTENTION_HIGH,
};

/* In which direction the link of a node is used, as thermocline_node_traffic() tells it. */
enum thermocline_traffic {
	THERMOCLINE_TRAFFIC_UNKNOWN,
	THERMOCLINE_TRAFFIC_READ,
	THERMOCLINE_TRAFFIC_BALANCED,
	THERMOCLINE_TRAFFIC_WRITE,
};

struct tc_ask_page;

/**
 * struct thermocline_page - the page that a question is about; read only
 * @pfn: page frame of its first page
 * @order: its order: it has 2^order pages of 4 KiB
 * @nid: node it is on
 * @target: node it would go to
 * @verdict: what the module's own rule answers
 * @reads: reads of it that the module's filters estimate
 * @writes: writes alike; both 0: not known, as reads and writes are told apart only where duplex admission is on
 * @about: the module's own. As the struct has a pointer, the verifier takes nothing for a page that a program has put
 *	together in memory of its own: of numbers alone it would
 */
struct thermocline_page {
	__u64 pfn;
	__u32 order;
	__s32 nid;
	__s32 target;
	__u32 verdict;
	__u32 reads;
	__u32 writes;
	const struct tc_ask_page *about;
} THERMOCLINE_CORE;

/**
 * struct thermocline_ops - a policy
 * @split_order: into pieces of which order shall this huge page be split, before what is hot of it is promoted?
 *	THERMOCLINE_SMALLEST .. THERMOCLINE_WHOLE; THERMOCLINE_WHOLE: it stays whole
 * @piece_is_cold: shall this piece of a split huge page stay on slow memory? 0 or 1
 * @admit: may this folio be moved to its target now? 0 or 1; asked for promotions and demotions
 * @name: what status and log call it
 *
 * The module's own rule answers in place of a callback that is absent, or that returns anything else. A callback may
 * not sleep.
 */
struct thermocline_ops {
	int (*split_order)(const struct thermocline_page *page);
	int (*piece_is_cold)(const struct thermocline_page *page);
	int (*admit)(const struct thermocline_page *page);
	char name[THERMOCLINE_NAME_LEN];
};

/*
 * Functions that a callback may call (kfuncs). Each takes the page that the callback was given, so that nothing can be
 * asked outside of a callback. None changes anything.
 */

/* Bin of the heat of its folio, 0 .. 15; 0: nothing is known. */
__u32 thermocline_page_bin(const struct thermocline_page *page) THERMOCLINE_KSYM;

/* Heat of all its pages, in 1/16 sample. */
__u64 thermocline_page_heat(const struct thermocline_page *page) THERMOCLINE_KSYM;

/* Heat of its page number i, below 2^order, in 1/16 sample; 0 beyond that. */
__u32 thermocline_page_subheat(const struct thermocline_page *page, __u32 i) THERMOCLINE_KSYM;

/* Identifier of the memory cgroup that it is charged to: the inode number of its folder; 0: it is gone. */
__u64 thermocline_page_cgroup(const struct thermocline_page *page) THERMOCLINE_KSYM;

/* Loaded latency of a node in ns; 0: it takes no part in tiering. */
__u32 thermocline_node_latency_ns(const struct thermocline_page *page, __s32 nid) THERMOCLINE_KSYM;

/* enum thermocline_traffic of a node. */
__u32 thermocline_node_traffic(const struct thermocline_page *page, __s32 nid) THERMOCLINE_KSYM;

/* enum thermocline_contention of the slow tier. */
__u32 thermocline_contention(const struct thermocline_page *page) THERMOCLINE_KSYM;

#endif /* THERMOCLINE_BPF_H */
