// SPDX-License-Identifier: GPL-2.0
/*
 * A return probe on should_numa_migrate_memory(task, folio, source node, processor), which mpol_misplaced() asks
 * about the folio of a hint fault. Only its answer is changed. Nothing is called there: the kernel enters the probe by
 * its trampoline, so no address of the kernel is ever jumped to from here.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/topology.h>

#include <asm/local.h>

#include "symbols.h"
#include "takeover.h"

/* What a call was about; kept in its instance from its entry to its return. */
struct tc_takeover_call {
	struct folio *folio;
	int nid;
};

static bool (*tc_take)(struct folio *folio, int nid, bool yes);
static DEFINE_PER_CPU(local_t, tc_takeover_entered);

/* Of probes that are gone; each new one begins at 0. */
static u64 tc_takeover_missed_before;

static int tc_takeover_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct tc_takeover_call *call = (void *)instance->data;

	call->folio = (void *)regs_get_kernel_argument(regs, 1);
	call->nid = cpu_to_node((int)regs_get_kernel_argument(regs, 3));
	local_inc(this_cpu_ptr(&tc_takeover_entered));
	return 0;
}

/* A bool is returned in the lowest byte: the others hold anything. */
static int tc_takeover_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct tc_takeover_call *call = (void *)instance->data;
	bool yes = (u8)regs_return_value(regs);

	if (tc_take(call->folio, call->nid, yes) && yes)
		regs_set_return_value(regs, false);
	return 0;
}

static struct kretprobe tc_takeover_probe;

int tc_takeover_watch(bool (*take)(struct folio *folio, int nid, bool yes))
{
	if (!tc_symbol_found(TC_SYMBOL_should_numa_migrate_memory))
		return -ENOENT;
	tc_take = take;
	/*
	 * A call holds the page table lock, so there is one at a time on each processor; on PREEMPT_RT, where that lock
	 * sleeps, one that was preempted may be beside it.
	 */
	tc_takeover_probe = (struct kretprobe){
		.kp.symbol_name = tc_symbol(TC_SYMBOL_should_numa_migrate_memory)->name,
		.entry_handler = tc_takeover_entry,
		.handler = tc_takeover_return,
		.data_size = sizeof(struct tc_takeover_call),
		.maxactive = 2 * num_possible_cpus(),
	};
	return register_kretprobe(&tc_takeover_probe);
}

static u64 tc_takeover_missed_now(void)
{
	return (unsigned int)READ_ONCE(tc_takeover_probe.nmissed) +
	       READ_ONCE(tc_takeover_probe.kp.nmissed);
}

/*
 * Waits for the handlers that run. A call that is under way and finds its handler gone returns through the kernel's
 * own trampoline, with the answer it has.
 */
void tc_takeover_unwatch(void)
{
	unregister_kretprobe(&tc_takeover_probe);
	tc_takeover_missed_before += tc_takeover_missed_now();
	tc_takeover_probe.nmissed = 0;
	tc_takeover_probe.kp.nmissed = 0;
}

void tc_takeover_calls(struct tc_takeover_calls *calls)
{
	int cpu;

	*calls = (struct tc_takeover_calls){
		.missed = tc_takeover_missed_before + tc_takeover_missed_now(),
	};
	for_each_possible_cpu(cpu)
		calls->entered += local_read(per_cpu_ptr(&tc_takeover_entered, cpu));
}
