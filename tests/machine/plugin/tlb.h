/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A two-level data TLB with true LRU replacement in each set.
 *
 * Knows translations, their sizes, and how they are dropped. Does not know page
 * tables (walk.h) nor what a miss costs.
 *
 * The first level has one array for pages of 4 KiB (and for groups of them, if
 * the processor coalesces) and one for pages of 2 MiB; the second level holds
 * all sizes. A page of 1 GiB is entered as pieces of 2 MiB. A translation of
 * the second level may stay in the first when the second drops it.
 */
#ifndef TCM_TLB_H
#define TCM_TLB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TLB_BASE_SHIFT 12
#define TLB_HUGE_SHIFT 21
#define TLB_SHIFT_MASK 0x3fULL
#define TLB_GLOBAL 1ULL /* survives a change of page tables */
#define TLB_FRAME_MASK (~0xfffULL)

struct tlb_entry {
	uint64_t tag; /* page number << 6 | shift; 0 = empty, as no shift is 0 */
	uint64_t frame; /* physical address of the page, TLB_GLOBAL in the lowest bit */
};

struct tlb_array {
	struct tlb_entry *entry; /* sets * ways, the most recently used of a set first */
	uint64_t set_mask;
	unsigned int ways;
};

struct tlb_shape {
	unsigned int entries;
	unsigned int ways;
};

struct tlb {
	struct tlb_array base;
	struct tlb_array huge;
	struct tlb_array second;
	unsigned int group_shift; /* of coalesced pages; TLB_BASE_SHIFT = none are */
};

bool tcm_tlb_init(struct tlb *tlb, struct tlb_shape base, struct tlb_shape huge,
		  struct tlb_shape second, unsigned int group_shift);
void tcm_tlb_free(struct tlb *tlb);

/* Enters a translation into both levels; one of 1 GiB as the piece around vaddr. Returns the piece. */
struct tlb_entry tcm_tlb_insert(struct tlb *tlb, uint64_t vaddr, uint64_t frame,
				unsigned int shift);

/* The second level's translation, entered into the first; NULL if there is none. */
const struct tlb_entry *tcm_tlb_second(struct tlb *tlb, uint64_t vaddr);

/* As INVLPG: drops every translation of this address, global or not. */
void tcm_tlb_flush_page(struct tlb *tlb, uint64_t vaddr);

/* As a write to CR3 (keep_global) or a change of CR4.PGE. */
void tcm_tlb_flush(struct tlb *tlb, bool keep_global);

static inline uint64_t tlb_tag(uint64_t vaddr, unsigned int shift)
{
	return vaddr >> shift << 6 | shift;
}

static inline uint64_t tlb_paddr(const struct tlb_entry *entry, uint64_t vaddr)
{
	uint64_t size = 1ULL << (entry->tag & TLB_SHIFT_MASK);

	return (entry->frame & TLB_FRAME_MASK) | (vaddr & (size - 1));
}

static inline struct tlb_entry *tlb_set(const struct tlb_array *array, uint64_t vaddr,
					unsigned int shift)
{
	return array->entry + (vaddr >> shift & array->set_mask) * array->ways;
}

/* Finds a translation and makes it the most recent one of its set. */
static inline const struct tlb_entry *tlb_find(struct tlb_array *array, uint64_t vaddr,
					       unsigned int shift)
{
	struct tlb_entry *set = tlb_set(array, vaddr, shift), found;
	uint64_t tag = tlb_tag(vaddr, shift);
	unsigned int way;

	if (__builtin_expect(set[0].tag == tag, 1))
		return set;
	for (way = 1; way < array->ways; way++)
		if (set[way].tag == tag)
			break;
	if (way == array->ways)
		return NULL;
	for (found = set[way]; way; way--)
		set[way] = set[way - 1];
	set[0] = found;
	return set;
}

/* The first level; most kernel addresses lie in large pages, so that array is asked first for them. */
static inline const struct tlb_entry *tlb_first(struct tlb *tlb, uint64_t vaddr)
{
	const struct tlb_entry *entry;
	bool kernel = vaddr >> 63;

	entry = kernel ? tlb_find(&tlb->huge, vaddr, TLB_HUGE_SHIFT) :
			 tlb_find(&tlb->base, vaddr, TLB_BASE_SHIFT);
	if (__builtin_expect(entry != NULL, 1))
		return entry;
	entry = kernel ? tlb_find(&tlb->base, vaddr, TLB_BASE_SHIFT) :
			 tlb_find(&tlb->huge, vaddr, TLB_HUGE_SHIFT);
	if (!entry && tlb->group_shift != TLB_BASE_SHIFT)
		entry = tlb_find(&tlb->base, vaddr, tlb->group_shift);
	return entry;
}

#endif
