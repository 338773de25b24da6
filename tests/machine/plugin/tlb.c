// SPDX-License-Identifier: GPL-2.0
/*
 * Filling and emptying a TLB; the look-up of the first level is in tlb.h.
 *
 * Knows which array holds which size of page. Does not know who walks page
 * tables, nor time.
 */
#include "tlb.h"

#include <stdlib.h>
#include <string.h>

static bool init_array(struct tlb_array *array, struct tlb_shape shape)
{
	uint64_t sets = shape.ways ? shape.entries / shape.ways : 0;

	if (!sets || sets & (sets - 1) || sets * shape.ways != shape.entries)
		return false;
	array->set_mask = sets - 1;
	array->ways = shape.ways;
	array->entry = calloc(shape.entries, sizeof(*array->entry));
	return array->entry;
}

/* False if a number of sets is no power of two, or there is no memory; nothing is left behind then. */
bool tcm_tlb_init(struct tlb *tlb, struct tlb_shape base, struct tlb_shape huge,
		  struct tlb_shape second, unsigned int group_shift)
{
	memset(tlb, 0, sizeof(*tlb));
	tlb->group_shift = group_shift;
	if (init_array(&tlb->base, base) && init_array(&tlb->huge, huge) &&
	    init_array(&tlb->second, second))
		return true;
	tcm_tlb_free(tlb);
	return false;
}

void tcm_tlb_free(struct tlb *tlb)
{
	free(tlb->base.entry);
	free(tlb->huge.entry);
	free(tlb->second.entry);
	memset(tlb, 0, sizeof(*tlb));
}

/* As the most recent one of its set; an empty place or else the least recent one is given up. */
static void insert(struct tlb_array *array, uint64_t vaddr, struct tlb_entry moved)
{
	struct tlb_entry *set = tlb_set(array, vaddr, moved.tag & TLB_SHIFT_MASK);
	unsigned int way;

	for (way = 0; way < array->ways; way++) {
		struct tlb_entry here = set[way];

		set[way] = moved;
		if (!here.tag)
			return;
		moved = here;
	}
}

static void insert_first(struct tlb *tlb, uint64_t vaddr, struct tlb_entry entry)
{
	bool huge = (entry.tag & TLB_SHIFT_MASK) == TLB_HUGE_SHIFT;

	insert(huge ? &tlb->huge : &tlb->base, vaddr, entry);
}

struct tlb_entry tcm_tlb_insert(struct tlb *tlb, uint64_t vaddr, uint64_t frame, unsigned int shift)
{
	struct tlb_entry entry;

	if (shift > TLB_HUGE_SHIFT) {
		uint64_t pieces = (1ULL << shift) - (1ULL << TLB_HUGE_SHIFT);

		frame |= vaddr & pieces;
		shift = TLB_HUGE_SHIFT;
	}
	entry = (struct tlb_entry){ .tag = tlb_tag(vaddr, shift), .frame = frame };
	insert(&tlb->second, vaddr, entry);
	insert_first(tlb, vaddr, entry);
	return entry;
}

const struct tlb_entry *tcm_tlb_second(struct tlb *tlb, uint64_t vaddr)
{
	const struct tlb_entry *entry = tlb_find(&tlb->second, vaddr, TLB_BASE_SHIFT);

	if (!entry)
		entry = tlb_find(&tlb->second, vaddr, TLB_HUGE_SHIFT);
	if (!entry && tlb->group_shift != TLB_BASE_SHIFT)
		entry = tlb_find(&tlb->second, vaddr, tlb->group_shift);
	if (entry)
		insert_first(tlb, vaddr, *entry);
	return entry;
}

static void drop(struct tlb_array *array, uint64_t vaddr, unsigned int shift)
{
	struct tlb_entry *set = tlb_set(array, vaddr, shift);
	unsigned int way;

	for (way = 0; way < array->ways; way++)
		if (set[way].tag == tlb_tag(vaddr, shift))
			set[way].tag = 0;
}

void tcm_tlb_flush_page(struct tlb *tlb, uint64_t vaddr)
{
	drop(&tlb->base, vaddr, TLB_BASE_SHIFT);
	drop(&tlb->base, vaddr, tlb->group_shift);
	drop(&tlb->huge, vaddr, TLB_HUGE_SHIFT);
	drop(&tlb->second, vaddr, TLB_BASE_SHIFT);
	drop(&tlb->second, vaddr, tlb->group_shift);
	drop(&tlb->second, vaddr, TLB_HUGE_SHIFT);
}

static void flush_array(struct tlb_array *array, bool keep_global)
{
	uint64_t i, nr = (array->set_mask + 1) * array->ways;

	for (i = 0; i < nr; i++)
		if (!keep_global || !(array->entry[i].frame & TLB_GLOBAL))
			array->entry[i].tag = 0;
}

void tcm_tlb_flush(struct tlb *tlb, bool keep_global)
{
	flush_array(&tlb->base, keep_global);
	flush_array(&tlb->huge, keep_global);
	flush_array(&tlb->second, keep_global);
}
