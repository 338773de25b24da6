/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The modes of operation, policies and samplers, by number and by name. Shared by the module, the tools and the
 * tests. Knows nothing of what a mode does.
 */
#ifndef THERMOCLINE_MODES_H
#define THERMOCLINE_MODES_H

/**
 * enum tc_mode - what the module may do
 * @TC_MODE_OFF: loaded and idle: no sampling, no moves
 * @TC_MODE_OBSERVE: sample and classify, move nothing
 * @TC_MODE_ADVISE: also decide each move, count and trace it, but move nothing
 * @TC_MODE_TIER: act: promote what is hot, keep head-room in fast memory
 */
enum tc_mode { TC_MODE_OFF, TC_MODE_OBSERVE, TC_MODE_ADVISE, TC_MODE_TIER, TC_NR_MODES };

#define TC_MODE_NAMES { "off", "observe", "advise", "tier" }

/**
 * enum tc_policy - by what rule pages are promoted and demoted
 * @TC_POLICY_MEMTIS: by heat: what is in a hot bin goes up, what is cold goes down (MEMTIS, SOSP 2023)
 * @TC_POLICY_TPP: by recency: what is touched again while its last touch counts goes up, what was not
 *	touched for the longest time goes down (TPP, ASPLOS 2023)
 * @TC_POLICY_BALANCE: by heat, as long as fast memory is the quicker one under load; when it is not, nothing goes up, and
 *	when that lasts, some goes down (Colloid, SOSP 2024)
 */
enum tc_policy { TC_POLICY_MEMTIS, TC_POLICY_TPP, TC_POLICY_BALANCE, TC_NR_POLICIES };

#define TC_POLICY_NAMES { "memtis", "tpp", "balance" }

/**
 * enum tc_sampler_kind - where samples of memory accesses come from
 * @TC_SAMPLER_AUTO: the best source that this machine has
 * @TC_SAMPLER_IBS: AMD Instruction Based Sampling, PMU ibs_op
 * @TC_SAMPLER_PEBS: Intel's event-based sampling
 * @TC_SAMPLER_SCAN: the accessed bits of page tables, looked at again and again
 * @TC_SAMPLER_HINT: the faults of the kernel's NUMA balancing
 * @TC_SAMPLER_NONE: no samples
 */
enum tc_sampler_kind {
	TC_SAMPLER_AUTO,
	TC_SAMPLER_IBS,
	TC_SAMPLER_PEBS,
	TC_SAMPLER_SCAN,
	TC_SAMPLER_HINT,
	TC_SAMPLER_NONE,
	TC_NR_SAMPLERS
};

#define TC_SAMPLER_NAMES { "auto", "ibs", "pebs", "scan", "hint", "none" }

#endif /* THERMOCLINE_MODES_H */
