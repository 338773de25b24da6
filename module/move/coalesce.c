// SPDX-License-Identifier: GPL-2.0
/*
 * The asking of coalesce.h: from a page through the reverse map to its process and address, from
 * there to all pages of the region, and then to the kernel's collapse.
 */
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/pagemap.h>
#include <linux/rmap.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "../kernel/rmap.h"
#include "../kernel/symbols.h"
#include "../track/folio.h"
#include "coalesce.h"
#include "wishes.h"

/**
 * struct tc_region_place - where a region is
 * @mm: its address space, in use; NULL: it has none that may be asked
 * @start: its address
 */
struct tc_region_place {
	struct mm_struct *mm;
	unsigned long start;
};

/* Private memory, all of the region in one mapping. */
static bool tc_vma_coalesces(struct vm_area_struct *vma, unsigned long start)
{
	return vma_is_anonymous(vma) && start >= vma->vm_start && start + PMD_SIZE <= vma->vm_end;
}

/* Does this process have the page? After a fork the reverse map leads to others too. */
static bool tc_maps(struct folio *folio, struct vm_area_struct *vma, unsigned long address)
{
	DEFINE_FOLIO_VMA_WALK(walk, folio, vma, address, 0);

	if (!static_call(tc_page_vma_mapped_walk)(&walk))
		return false;
	page_vma_mapped_walk_done(&walk);
	return true;
}

/* Called by rmap_walk() for each place where the folio could be mapped, until it is. */
static bool tc_find_vma(struct folio *folio, struct vm_area_struct *vma, unsigned long address,
			void *arg)
{
	struct tc_region_place *place = arg;
	unsigned long start = ALIGN_DOWN(address, PMD_SIZE);

	if (!tc_maps(folio, vma, address))
		return true;
	if (!mmap_read_trylock(vma->vm_mm))
		return false;
	if (tc_vma_coalesces(vma, start) && mmget_not_zero(vma->vm_mm)) {
		place->mm = vma->vm_mm;
		place->start = start;
	}
	mmap_read_unlock(vma->vm_mm);
	return false;
}

/* Is it still what was sampled: private memory of one process, with nothing against it? */
static bool tc_is_request(struct folio *folio, const struct tc_coalesce_request *request)
{
	return folio_pfn(folio) == request->pfn && folio_test_anon(folio) &&
	       !folio_test_ksm(folio) && tc_folio_owner(folio) == request->owner &&
	       folio_mapcount(folio) == folio_nr_pages(folio);
}

/* Sets @place to the region, whose mm the caller puts, or its mm to NULL. */
static void tc_locate(const struct tc_coalesce_request *request, struct tc_region_place *place)
{
	int token = tc_offline_enter();
	struct folio *folio = tc_folio_get(request->pfn);
	struct tc_wishes_memo memo = {};
	enum tc_outcome why;

	place->mm = NULL;
	if (folio) {
		if (tc_is_request(folio, request) &&
		    tc_wishes_allow(folio, folio_nid(folio), &memo, &why) && folio_trylock(folio)) {
			if (folio_test_anon(folio) && folio_mapped(folio))
				tc_walk_mappings(folio, tc_find_vma, place);
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
