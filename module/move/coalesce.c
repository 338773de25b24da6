// SPDX-License-Identifier: GPL-2.0
/*
 * The asking of coalesce.h: from a page through the reverse map to its process and address, from
 * there to all pages of the region, and then to the kernel's collapse.
 */
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/mmu_notifier.h>
#include <linux/pagemap.h>
#include <linux/rmap.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "../kernel/symbols.h"
#include "../track/folio.h"
#include "coalesce.h"
#include "scope.h"

/**
 * struct tc_region_place - where a region is
 * @mm: its address space, in use; NULL: it has none that may be asked
 * @start: its address
 */
struct tc_region_place {
	struct mm_struct *mm;
	unsigned long start;
};

/* Private memory of one process, all of the region in one mapping, and nothing against it. */
static bool tc_vma_coalesces(struct vm_area_struct *vma, unsigned long start)
{
	return vma_is_anonymous(vma) && start >= vma->vm_start && start + PMD_SIZE <= vma->vm_end &&
	       !(vma->vm_flags & VM_LOCKED) && !mm_has_notifiers(vma->vm_mm) &&
	       tc_scope_has_mm(vma->vm_mm);
}

/* Called by rmap_walk() for the one mapping. */
static bool tc_find_vma(struct folio *folio, struct vm_area_struct *vma, unsigned long address,
			void *arg)
{
	struct tc_region_place *place = arg;
	unsigned long start = ALIGN_DOWN(address, PMD_SIZE);

	if (!mmap_read_trylock(vma->vm_mm))
		return false;
	if (tc_vma_coalesces(vma, start) && mmget_not_zero(vma->vm_mm)) {
		place->mm = vma->vm_mm;
		place->start = start;
	}
	mmap_read_unlock(vma->vm_mm);
	return false;
}

static struct anon_vma *tc_lock_anon_vma(const struct folio *folio, struct rmap_walk_control *walk)
{
	return static_call(tc_folio_lock_anon_vma_read)(folio, walk);
}

/* The folio is locked. */
static void tc_find_place(struct folio *folio, struct tc_region_place *place)
{
	struct rmap_walk_control walk = {
		.rmap_one = tc_find_vma,
		.arg = place,
		.try_lock = true,
	};

	walk.anon_lock = (typeof(walk.anon_lock))tc_lock_anon_vma;
	static_call(tc_rmap_walk)(folio, &walk);
}

/* Sets @place to the region, whose mm the caller puts, or its mm to NULL. */
static void tc_locate(const struct tc_coalesce_request *request, struct tc_region_place *place)
{
	int token = tc_offline_enter();
	struct folio *folio = tc_folio_get(request->pfn);

	place->mm = NULL;
	if (folio) {
		if (folio_pfn(folio) == request->pfn && folio_test_anon(folio) &&
		    !folio_test_ksm(folio) && tc_folio_owner(folio) == request->owner &&
		    folio_mapcount(folio) == folio_nr_pages(folio) && folio_trylock(folio)) {
			if (!tc_scope_excludes_cgroup(folio))
				tc_find_place(folio, place);
			folio_unlock(folio);
		}
		folio_put(folio);
	}
	tc_offline_leave(token);
}

/* Are all pages of the region there and hot? Nothing is faulted in. */
static bool tc_all_hot(const struct tc_region_place *place, struct page **pages,
		       bool (*hot)(unsigned long pfn))
{
	bool all = true;
	long nr = -EAGAIN, i;

	if (mmap_read_trylock(place->mm)) {
		nr = get_user_pages_remote(place->mm, place->start, TC_BLOCK_PAGES, FOLL_NOFAULT,
					   pages, NULL);
		mmap_read_unlock(place->mm);
	}
	for (i = 0; i < nr; i++) {
		all = all && hot(page_to_pfn(pages[i]));
		put_page(pages[i]);
	}
	return all && nr == TC_BLOCK_PAGES;
}

static enum tc_coalesce_outcome tc_coalesce_at(const struct tc_region_place *place,
					       struct page **pages, bool (*hot)(unsigned long pfn))
{
	int err;

	if (!tc_all_hot(place, pages, hot))
		return TC_COALESCE_COLD;
	err = static_call(tc_do_madvise)(place->mm, place->start, PMD_SIZE, MADV_COLLAPSE);
	return err ? TC_COALESCE_FAILED : TC_COALESCE_DONE;
}

enum tc_coalesce_outcome tc_coalesce_try(const struct tc_coalesce_request *request,
					 bool (*hot)(unsigned long pfn))
{
	enum tc_coalesce_outcome outcome = TC_COALESCE_REFUSED;
	struct page **pages = kmalloc_array(TC_BLOCK_PAGES, sizeof(*pages), GFP_KERNEL);
	struct tc_region_place place;

	if (!pages)
		return TC_COALESCE_FAILED;
	tc_locate(request, &place);
	if (place.mm) {
		outcome = tc_coalesce_at(&place, pages, hot);
		mmput(place.mm);
	}
	kfree(pages);
	return outcome;
}
