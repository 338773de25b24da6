// SPDX-License-Identifier: GPL-2.0
/*
 * Intel PEBS as a source of samples: loads that missed the last-level cache, and stores. PEBS gives
 * a virtual address, which the handler translates while the sampled address space is current.
 * Knows CPU models and page tables, nothing of what a page is used for.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <asm/cpu_device_id.h>
#include <asm/intel-family.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/pgtable.h>
#include <linux/sched.h>

#include "sampler.h"

/*
 * Raw codes (umask, event) that give an address on every big core from Broadwell to Granite Rapids:
 * MEM_LOAD_RETIRED.L3_MISS and MEM_INST_RETIRED.ALL_STORES (tools/perf/pmu-events/arch/x86). Which
 * memory served an access is known from its page, so no event of one kind of memory is needed, and
 * none of those knows CXL before Granite Rapids.
 */
#define TC_PEBS_LOAD_MISS 0x20d1
#define TC_PEBS_STORE 0x82d0

enum { TC_PEBS_LOADS, TC_PEBS_STORES, TC_PEBS_EVENTS };

static const struct x86_cpu_id tc_pebs_models[] = { X86_MATCH_VFM(INTEL_BROADWELL_X, NULL),
						    X86_MATCH_VFM(INTEL_SKYLAKE_X, NULL),
						    X86_MATCH_VFM(INTEL_ICELAKE_X, NULL),
						    X86_MATCH_VFM(INTEL_ICELAKE_D, NULL),
						    X86_MATCH_VFM(INTEL_SAPPHIRERAPIDS_X, NULL),
						    X86_MATCH_VFM(INTEL_EMERALDRAPIDS_X, NULL),
						    X86_MATCH_VFM(INTEL_GRANITERAPIDS_X, NULL),
						    X86_MATCH_VFM(INTEL_GRANITERAPIDS_D, NULL),
						    {} };

static int tc_pebs_probe(const char **why)
{
	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL)
		*why = "no hardware sampling: this machine has no PMU ibs_op and no Intel CPU";
	else if (boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		*why = "PEBS: hybrid CPUs are not supported, their cores have different events";
	else if (!x86_match_cpu(tc_pebs_models))
		*why = "PEBS: the events of this CPU model are not known to this version";
	else
		return 0;
	return -ENODEV;
}

/*
 * Walks the page tables of the running task without taking anything: interrupts are off, so no
 * table can be freed under us (as perf's own perf_get_pgtable_size() does). A reference, as
 * get_user_pages_fast_only() takes one, would disturb splits and migrations of just the hot pages.
 *
 * Returns the page frame, 0 when nothing is mapped.
 */
static unsigned long tc_walk_user(struct mm_struct *mm, unsigned long address)
{
	pgd_t *pgdp = pgd_offset(mm, address), pgd = READ_ONCE(*pgdp);
	p4d_t *p4dp, p4d;
	pud_t *pudp, pud;
	pmd_t *pmdp, pmd;
	pte_t pte;

	if (pgd_none(pgd) || pgd_bad(pgd))
		return 0;
	p4dp = p4d_offset_lockless(pgdp, pgd, address);
	p4d = READ_ONCE(*p4dp);
	if (!p4d_present(p4d) || p4d_bad(p4d))
		return 0;
	pudp = pud_offset_lockless(p4dp, p4d, address);
	pud = READ_ONCE(*pudp);
	if (!pud_present(pud))
		return 0;
	if (pud_leaf(pud))
		return pud_pfn(pud) + ((address & ~PUD_MASK) >> PAGE_SHIFT);
	pmdp = pmd_offset_lockless(pudp, pud, address);
	pmd = READ_ONCE(*pmdp);
	if (!pmd_present(pmd))
		return 0;
	if (pmd_leaf(pmd))
		return pmd_pfn(pmd) + ((address & ~PMD_MASK) >> PAGE_SHIFT);
	pte = READ_ONCE(*pte_offset_kernel(&pmd, address));
	return pte_present(pte) ? pte_pfn(pte) : 0;
}

/* Kernel addresses on the direct map are accesses to the page cache, by read() and write(). */
static unsigned long tc_translate(unsigned long address)
{
	if (address < TASK_SIZE_MAX)
		return current->mm ? tc_walk_user(current->mm, address) : 0;
	if (address >= PAGE_OFFSET && address < (unsigned long)high_memory)
		return PHYS_PFN(__pa(address));
	return 0;
}

/* NMI context: no lock, no allocation, no print. */
static void tc_pebs_overflow(struct perf_event *event, struct perf_sample_data *data, u32 flags)
{
	struct tc_sampler_cpu *sc = event->overflow_handler_context;
	struct tc_sample sample = { .flags = flags, .tgid = tc_sample_tgid() };
	u64 begin = tc_handler_begin(sc, event);
	unsigned long irqs;

	if (data->sample_flags & PERF_SAMPLE_ADDR) {
		local_irq_save(irqs);
		sample.pfn = tc_translate(data->addr);
		local_irq_restore(irqs);
	}
	if (sample.pfn)
		tc_ring_push(&sc->ring, &sample);
	else
		local_inc(&sc->no_address);
	tc_handler_end(sc, begin);
}

static void tc_pebs_load_overflow(struct perf_event *event, struct perf_sample_data *data,
				  struct pt_regs *regs)
{
	tc_pebs_overflow(event, data, 0);
}

static void tc_pebs_store_overflow(struct perf_event *event, struct perf_sample_data *data,
				   struct pt_regs *regs)
{
	tc_pebs_overflow(event, data, TC_SAMPLE_STORE);
}

/*
 * wakeup_events keeps perf from collecting records in the PEBS buffer ("large PEBS"), as it hands
 * those to its own ring buffer and not to us. Guests have page tables of their own.
 */
static struct perf_event *tc_pebs_create(int cpu, unsigned int which, unsigned int period,
					 struct tc_sampler_cpu *sc)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = which == TC_PEBS_LOADS ? TC_PEBS_LOAD_MISS : TC_PEBS_STORE,
		.sample_period = period,
		.disabled = 1,
		.sample_type = PERF_SAMPLE_ADDR,
		.precise_ip = 2,
		.wakeup_events = 1,
		.exclude_guest = 1,
		.exclude_hv = 1,
	};

	return perf_event_create_kernel_counter(
		&attr, cpu, NULL,
		which == TC_PEBS_LOADS ? tc_pebs_load_overflow : tc_pebs_store_overflow, sc);
}

static unsigned int tc_pebs_period(unsigned int which, unsigned int wanted)
{
	return wanted;
}

const struct tc_sampler_ops tc_pebs_ops = {
	.name = "pebs",
	.events = TC_PEBS_EVENTS,
	.probe = tc_pebs_probe,
	.create = tc_pebs_create,
	.period = tc_pebs_period,
};
