/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What can become of a folio that was taken up for a move. Every folio tried ends in exactly
 * one of these, so "tried" equals the sum over all of them in every reading.
 * Shared by the module, the tools and the tests. Does not know how an outcome comes about.
 */
#ifndef THERMOCLINE_OUTCOMES_H
#define THERMOCLINE_OUTCOMES_H

/* O(enumerator, name in the statistics, text) */
#define TC_OUTCOMES(O)                                                                             \
	O(MOVED, moved, "is on its target node")                                                   \
	O(ADVISED, advised, "would have been moved: mode advise")                                  \
	O(GONE, skip_gone, "freed, or its memory is offline or going there")                       \
	O(CHANGED, skip_changed, "became part of another folio")                                   \
	O(PLACED, skip_placed, "no longer on the node it was to leave")                            \
	O(TEMPERATURE, skip_temperature, "cooled before its promotion, or heated before demotion") \
	O(HUGETLB, skip_hugetlb, "hugetlb page")                                                   \
	O(DEVICE, skip_device, "device memory or a driver's movable page")                         \
	O(HWPOISON, skip_hwpoison, "has a memory failure")                                         \
	O(UNEVICTABLE, skip_unevictable, "unevictable")                                            \
	O(MLOCKED, skip_mlocked, "locked by mlock")                                                \
	O(KSM, skip_ksm, "merged by KSM")                                                          \
	O(PINNED, skip_pinned, "pinned for DMA")                                                   \
	O(WRITEBACK, skip_writeback, "under writeback")                                            \
	O(PARTIAL, skip_partial, "large and only partially mapped")                                \
	O(REFERENCED, skip_referenced, "somebody holds an extra reference")                        \
	O(MEMPOLICY, skip_mempolicy, "a memory policy of an owner forbids the target")             \
	O(CPUSET, skip_cpuset, "the cpuset of an owner forbids the target")                        \
	O(NOTIFIER, skip_notifier, "mapped by a KVM guest or a device that sampling cannot see")   \
	O(EXCLUDED, skip_excluded, "the operator's lists leave it alone")                          \
	O(POLICY, skip_policy,                                                                     \
	  "not admitted: by the attached policy, or the direction of traffic")                     \
	O(SHARED, skip_shared, "mapped too often to ask every owner")                              \
	O(UNOWNED, skip_unowned, "memory with a policy that nobody maps: nobody to ask")           \
	O(CONTENDED, skip_contended, "an owner could not be asked without waiting")                \
	O(ISOLATED, skip_isolated, "the LRU did not give it: somebody else works on it")           \
	O(NO_MEMORY, fail_no_memory, "the target had no memory for it or, just before, its like")  \
	O(BUSY, fail_busy, "the kernel left it: locked, referenced or not movable now")            \
	O(FREED, fail_freed, "freed by its owner during the move")

enum tc_outcome {
#define TC_OUTCOME_ENUM(id, name, text) TC_OUTCOME_##id,
	TC_OUTCOMES(TC_OUTCOME_ENUM)
#undef TC_OUTCOME_ENUM
		TC_NR_OUTCOMES
};

/**
 * enum tc_split_why - why the trace tells of a split
 * @TC_SPLIT_FOUND: a huge page that the heat map knew was found split, by whomever
 * @TC_SPLIT_SKEW: the module tried to split it, as its heat is on few of its pages
 * @TC_SPLIT_PROMOTION: the module tried to split it, to promote its hot pieces alone
 */
enum tc_split_why { TC_SPLIT_FOUND, TC_SPLIT_SKEW, TC_SPLIT_PROMOTION };

#endif /* THERMOCLINE_OUTCOMES_H */
