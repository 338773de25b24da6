// SPDX-License-Identifier: GPL-2.0
/*
 * A walk of x86-64 page tables: see walk.h.
 *
 * Knows Intel's manual, volume 3, chapter "Paging" (AMD's is the same here),
 * and when adjacent entries may share one translation. Does not know time.
 */
#include "walk.h"

#include <string.h>

#define PRESENT (1ULL << 0)
#define LARGE (1ULL << 7)
#define GLOBAL (1ULL << 8)
#define ADDRESS 0x000ffffffffff000ULL
/* What coalesced entries must have in common: all but address, accessed, dirty and the kernel's own bits. */
#define ATTRIBUTES (PRESENT | 1ULL << 1 | 1ULL << 2 | 1ULL << 3 | 1ULL << 4 | GLOBAL | 1ULL << 63)

#define PTE_SHIFT 12
#define PDE_SHIFT 21
#define PDPTE_SHIFT 30
#define PML4E_SHIFT 39

void tcm_walk_forget(struct walker *walker)
{
	memset(walker->pde, 0, sizeof(walker->pde));
	memset(walker->pdpte, 0, sizeof(walker->pdpte));
}

static bool recall(const struct walk_memo *memo, unsigned int nr, uint64_t tag, uint64_t *table)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (memo[i].tag == tag) {
			*table = memo[i].table;
			return true;
		}
	}
	return false;
}

static void remember(struct walker *walker, uint64_t vaddr, unsigned int shift, uint64_t table)
{
	struct walk_memo memo = { .tag = (vaddr >> shift) + 1, .table = table };

	if (shift == PDE_SHIFT)
		walker->pde[walker->next_pde++ % WALK_PDES] = memo;
	else if (shift == PDPTE_SHIFT)
		walker->pdpte[walker->next_pdpte++ % WALK_PDPTES] = memo;
}

/* The level to start at, and its table: as far down as is remembered. */
static unsigned int start(const struct walker *walker, uint64_t cr3, uint64_t vaddr,
			  uint64_t *table)
{
	if (recall(walker->pde, WALK_PDES, (vaddr >> PDE_SHIFT) + 1, table))
		return PTE_SHIFT;
	if (recall(walker->pdpte, WALK_PDPTES, (vaddr >> PDPTE_SHIFT) + 1, table))
		return PDE_SHIFT;
	*table = cr3 & ADDRESS;
	return PML4E_SHIFT;
}

static bool is_group(const uint64_t *entry, unsigned int nr)
{
	unsigned int i;

	if (entry[0] & ADDRESS & (((uint64_t)nr << PTE_SHIFT) - 1))
		return false;
	for (i = 0; i < nr; i++)
		if ((entry[i] & ATTRIBUTES) != (entry[0] & ATTRIBUTES) ||
		    (entry[i] & ADDRESS) != (entry[0] & ADDRESS) + ((uint64_t)i << PTE_SHIFT))
			return false;
	return entry[0] & PRESENT;
}

/* The last level: one entry, or the aligned group around it, which lies in one cache line. */
static bool last_level(const struct walker *walker, uint64_t table, uint64_t vaddr,
		       walk_read_fn read, void *context, struct walk_result *result)
{
	unsigned int nr = 1U << (walker->group_shift - PTE_SHIFT);
	unsigned int index = vaddr >> PTE_SHIFT & 511;
	uint64_t entry[WALK_MOST_GROUP];
	const uint64_t *own = &entry[index % nr];

	if (!read(context, table + (index - index % nr) * 8, nr, entry) || !(*own & PRESENT))
		return false;
	if (nr > 1 && is_group(entry, nr)) {
		own = &entry[0];
		result->shift = walker->group_shift;
	} else {
		result->shift = PTE_SHIFT;
	}
	result->frame = *own & ADDRESS;
	result->global = *own & GLOBAL;
	return true;
}

bool tcm_walk(struct walker *walker, uint64_t cr3, uint64_t vaddr, walk_read_fn read, void *context,
	      struct walk_result *result)
{
	uint64_t table, entry;
	unsigned int shift = start(walker, cr3, vaddr, &table);

	for (; shift > PTE_SHIFT; shift -= 9) {
		if (!read(context, table + (vaddr >> shift & 511) * 8, 1, &entry) ||
		    !(entry & PRESENT))
			return false;
		if (entry & LARGE && shift < PML4E_SHIFT) {
			result->shift = shift;
			result->frame = entry & ADDRESS & ~((1ULL << shift) - 1);
			result->global = entry & GLOBAL;
			return true;
		}
		table = entry & ADDRESS;
		remember(walker, vaddr, shift, table);
	}
	return last_level(walker, table, vaddr, read, context, result);
}
