/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands where the kernel's NUMA balancing decides whether a hint fault migrates its page. Knows the function that
 * decides, and how to change its answer. Does not know which answers should be changed.
 */
#ifndef TC_KERNEL_TAKEOVER_H
#define TC_KERNEL_TAKEOVER_H

#include <linux/types.h>

struct folio;

/**
 * struct tc_takeover_calls - calls of should_numa_migrate_memory() while it was watched
 * @entered: those whose answer was or will be shown
 * @missed: those that were not seen, for lack of instances or as another probe ran: the kernel's answer stood
 */
struct tc_takeover_calls {
	u64 entered;
	u64 missed;
};

/**
 * tc_takeover_watch() - be asked about every page that NUMA balancing would migrate
 * @take: called with the folio of a hint fault, the node of the processor that faulted, and the kernel's
 *	answer; returns true to change a yes into a no
 *
 * @take runs in the task that faulted, with preemption off and, but on PREEMPT_RT, the page table lock held, which
 * keeps the folio mapped: it must take no lock that sleeps and wake nobody. All that the kernel does to find its
 * answer (access times, the rate limit, the adapting of its threshold) is done by then.
 *
 * Context: process context, sleeps; not watched now.
 *
 * Return: 0; -ENOENT when this kernel has no such function to be probed, or hide_symbols= names it; another negative
 * errno of register_kretprobe().
 */
int tc_takeover_watch(bool (*take)(struct folio *folio, int nid, bool yes));

/* No more. When it returns, @take does not run and will not. Context: process context, sleeps; watched now. */
void tc_takeover_unwatch(void);

/* What was counted since load. Context: process context; not beside the two above. */
void tc_takeover_calls(struct tc_takeover_calls *calls);

#endif /* TC_KERNEL_TAKEOVER_H */
