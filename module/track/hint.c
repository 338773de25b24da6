// SPDX-License-Identifier: GPL-2.0
/*
 * The sampler `hint`: NUMA balancing makes pages inaccessible now and then, and the next access to
 * each faults. Each such fault is one sample. Knows where the kernel decides about them; what the
 * kernel then does with the page stays its own business.
 *
 * A kprobe on mpol_misplaced(), which is asked about the page of every hint fault (but for those that
 * the page of has gone meanwhile), for base and huge pages alike. It runs in the task that faulted,
 * with preemption off and the page table lock held, which keeps the page mapped; it pushes one sample
 * into the ring of its CPU and changes nothing.
 *
 * NUMA balancing goes through the memory of each process that runs, a part at a time, and slower where
 * pages stay; in its mode 2 (tiering) it leaves pages of the top tier alone, so that only slow memory
 * is sampled. A page faults at most once for each time it was made inaccessible: as with an accessed
 * bit, that says "at least once since". When it is off, no faults come.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/ptrace.h>

#include "../kernel/company.h"
#include "hint.h"
#include "sampler.h"

/* Page frame that the fault was on: of a huge page the one that was accessed. */
static unsigned long tc_hint_pfn(const struct folio *folio, const struct vm_fault *fault)
{
	unsigned long head = folio_pfn((struct folio *)folio), pfn = head;

	if (fault->pte)
		pfn = pte_pfn(fault->orig_pte);
	else if (folio_test_large(folio))
		pfn = head + ((fault->address & ~HPAGE_PMD_MASK) >> PAGE_SHIFT);
	return pfn - head < folio_nr_pages(folio) ? pfn : head;
}

/* mpol_misplaced(folio, fault, address). No lock, no allocation, no print. */
static int tc_hint_fault(struct kprobe *probe, struct pt_regs *regs)
{
	const struct folio *folio = (const void *)regs_get_kernel_argument(regs, 0);
	const struct vm_fault *fault = (const void *)regs_get_kernel_argument(regs, 1);
	struct tc_sampler_cpu *sc = tc_sampler_cpu(smp_processor_id());
	struct tc_sample sample = {
		.pfn = tc_hint_pfn(folio, fault),
		.tgid = tc_sample_tgid(),
	};

	local_inc(&sc->received);
	/* Pairs with the release in tc_ring_alloc(). */
	if (smp_load_acquire(&sc->ring.slots))
		tc_ring_push(&sc->ring, &sample);
	return 0;
}

static struct kprobe tc_hint_probe = {
	.symbol_name = "mpol_misplaced",
	.pre_handler = tc_hint_fault,
};

bool tc_hint_faults_come(void)
{
	struct tc_company company;

	tc_company(&company);
	return !company.known || company.numa_balancing;
}

static int tc_hint_find(const char **why)
{
	if (IS_ENABLED(CONFIG_NUMA_BALANCING))
		return 0;
	*why = "this kernel has no NUMA balancing, whose faults would be the samples";
	return -ENODEV;
}

static int tc_hint_start(void)
{
	int err;

	/* What an earlier registration left there. */
	tc_hint_probe.addr = NULL;
	tc_hint_probe.flags = KPROBE_FLAG_DISABLED;
	err = register_kprobe(&tc_hint_probe);
	if (err)
		pr_err("sampler=hint: no kprobe on mpol_misplaced (%d)\n", err);
	return err;
}

/* Waits for the handlers that run. */
static void tc_hint_stop(void)
{
	unregister_kprobe(&tc_hint_probe);
}

static void tc_hint_enable(bool on)
{
	int err = on ? enable_kprobe(&tc_hint_probe) : disable_kprobe(&tc_hint_probe);

	/* Handlers that run have preemption disabled. */
	if (!on)
		synchronize_rcu();
	if (err)
		pr_err("sampler=hint: the kprobe could not be %s (%d)\n", on ? "set" : "taken off",
		       err);
}

const struct tc_sampler_ops tc_hint_ops = {
	.name = "hint",
	.does = "counting NUMA hint faults",
	.asked_only = true,
	.probe = tc_hint_find,
	.start = tc_hint_start,
	.stop = tc_hint_stop,
	.enable = tc_hint_enable,
};
