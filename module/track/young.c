// SPDX-License-Identifier: GPL-2.0
/*
 * The looks of young.h. On x86 the accessed bit is the same in an entry for a page and for a huge
 * page, and is cleared without asking anybody; the kernel's helpers for it are not exported.
 */
#include <linux/bitops.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/page_idle.h>
#include <linux/pgtable.h>
#include <linux/rmap.h>

#include "../kernel/rmap.h"
#include "young.h"

/**
 * struct tc_look - one folio's way through its mappings
 * @pfn: page frame asked for, or TC_YOUNG_FOLIO
 * @mappings: seen so far
 * @young: a bit was set
 * @hidden: some mapping could not be looked at
 */
struct tc_look {
	unsigned long pfn;
	unsigned int mappings;
	bool young;
	bool hidden;
};

/* The plain read first: most are not set, and an atomic operation takes the cache line. */
static bool tc_clear_accessed(unsigned long *entry)
{
	return READ_ONCE(*entry) & _PAGE_ACCESSED && test_and_clear_bit(_PAGE_BIT_ACCESSED, entry);
}

static bool tc_pte_look(pte_t *pte, unsigned long wanted)
{
	pte_t entry = ptep_get(pte);

	/* An entry of device memory is found too, and is not present. */
	if (!pte_present(entry) || (wanted != TC_YOUNG_FOLIO && pte_pfn(entry) != wanted))
		return false;
	return tc_clear_accessed((unsigned long *)&pte->pte);
}

/* An entry that is on its way elsewhere is not present: its bits mean something else. */
static bool tc_pmd_look(pmd_t *pmd)
{
	return pmd_present(READ_ONCE(*pmd)) && tc_clear_accessed((unsigned long *)&pmd->pmd);
}

/* Called by rmap_walk() for each mapping; false ends the walk. */
static bool tc_look_vma(struct folio *folio, struct vm_area_struct *vma, unsigned long address,
			void *arg)
{
	DEFINE_FOLIO_VMA_WALK(walk, folio, vma, address, 0);
	struct tc_look *look = arg;

	if (look->mappings++ >= TC_YOUNG_MAPPINGS || mm_has_notifiers(vma->vm_mm)) {
		look->hidden = true;
		return look->mappings <= TC_YOUNG_MAPPINGS;
	}
	while (static_call(tc_page_vma_mapped_walk)(&walk))
		look->young |= walk.pte ? tc_pte_look(walk.pte, look->pfn) : tc_pmd_look(walk.pmd);
	return true;
}

static enum tc_young tc_look_locked(struct folio *folio, unsigned long pfn)
{
	struct tc_look look = { .pfn = pfn };
	bool all;

	/* Truncated since it was found, or merged: KSM has a reverse map of its own. */
	if (!folio->mapping || folio_test_ksm(folio))
		return TC_YOUNG_UNSEEN;
	all = tc_walk_mappings(folio, tc_look_vma, &look);
	if (look.young) {
		folio_clear_idle(folio);
		folio_set_young(folio);
		return TC_YOUNG_YES;
	}
	if (!all)
		return TC_YOUNG_UNSURE;
	return look.hidden || !look.mappings ? TC_YOUNG_UNSEEN : TC_YOUNG_NO;
}

enum tc_young tc_young_look(struct folio *folio, unsigned long pfn)
{
	enum tc_young answer;

	if (!tc_young_available() || !folio_mapped(folio))
		return TC_YOUNG_UNSEEN;
	if (!folio_trylock(folio))
		return TC_YOUNG_UNSURE;
	answer = tc_look_locked(folio, pfn);
	folio_unlock(folio);
	return answer;
}
