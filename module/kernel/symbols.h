/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions and data of the kernel that are not exported: one table of what is used, and how
 * to call it. Knows names and prototypes, nothing of what they are used for.
 */
#ifndef TC_KERNEL_SYMBOLS_H
#define TC_KERNEL_SYMBOLS_H

#include <linux/cgroup.h>
#include <linux/list.h>
#include <linux/mempolicy.h>
#include <linux/migrate.h>
#include <linux/nodemask.h>
#include <linux/rmap.h>
#include <linux/static_call.h>
#include <linux/types.h>

#include "../policy/endbr.h"

/*
 * Every function here is called as static_call(tc_NAME)(...) and never through a pointer:
 * the kernel overwrites the ENDBR of functions whose address it takes nowhere, so on a CPU
 * with IBT an indirect call to one of them is fatal. A static call is patched to a direct
 * CALL, which needs no ENDBR. Until a name is resolved its static call leads to a stub that
 * returns the error of the table.
 *
 * The prototypes are those of the newest kernel. Older forms that differ in ways the x86-64
 * calling convention does not see are listed and checked in symbols.c.
 *
 * F(name, return type, parameters, value of the stub, required, what is lost without it)
 */
#define TC_FUNCTIONS(F)                                                                           \
	F(kallsyms_on_each_match_symbol, int,                                                     \
	  (int (*fn)(void *data, unsigned long addr), const char *name, void *data), -EOPNOTSUPP, \
	  true, "telling an ambiguous name from a unique one")                                    \
	F(migrate_pages, int,                                                                     \
	  (struct list_head * from, new_folio_t * new_folio, free_folio_t * free_folio,           \
	   unsigned long private, enum migrate_mode mode, enum migrate_reason reason,             \
	   unsigned int *succeeded),                                                              \
	  -EOPNOTSUPP, true, "moving pages")                                                      \
	F(isolate_folio_to_list, bool, (struct folio * folio, struct list_head * list), false,    \
	  true, "taking pages off the LRU")                                                       \
	F(putback_movable_pages, void, (struct list_head * list), , true,                         \
	  "giving back pages that did not move")                                                  \
	F(rmap_walk, void, (struct folio * folio, struct rmap_walk_control * walk), , true,       \
	  "asking the owners of a page for their memory policies")                                \
	F(folio_lock_anon_vma_read, struct anon_vma *,                                            \
	  (const struct folio *folio, struct rmap_walk_control *walk), NULL, true,                \
	  "asking the owners of anonymous pages")                                                 \
	F(page_vma_mapped_walk, bool, (struct page_vma_mapped_walk * walk), false, false,         \
	  "accessed bits: no sampler scan, and unsampled pages are demoted unseen")               \
	F(__mpol_put, void, (struct mempolicy * policy), , true,                                  \
	  "giving back a shared memory policy")                                                   \
	F(cpuset_nodes_allowed, void, (struct cgroup * cgroup, nodemask_t * mask), , false,       \
	  "moving page cache that nobody maps, in cgroups that have a cpuset of their own")       \
	F(lru_add_drain_all, void, (void), , false,                                               \
	  "the self-test at load: pages in flight to the LRU cannot be moved")                    \
	F(__split_huge_page_to_list_to_order, int,                                                \
	  (struct page * page, struct list_head * list, unsigned int order), -EOPNOTSUPP, false,  \
	  "splitting huge pages")                                                                 \
	F(folio_split, int,                                                                       \
	  (struct folio * folio, unsigned int new_order, struct page *split_at,                   \
	   struct list_head *list),                                                               \
	  -EOPNOTSUPP, false, "splitting a huge page around its hot pieces alone")                \
	F(do_madvise, int, (struct mm_struct * mm, unsigned long start, size_t len, int advice),  \
	  -EOPNOTSUPP, false, "asking the kernel to make huge pages again")                       \
	F(node_is_toptier, bool, (int nid), false, false,                                         \
	  "the kernel's memory tiers: name the nodes by fast_nodes= and slow_nodes=")             \
	F(next_demotion_node, int, (int nid, const nodemask_t *allowed), NUMA_NO_NODE, false,     \
	  "the kernel's demotion targets: the nearest slow node is taken")

/* D(name, required, what is lost without it): data, of which only the address is taken */
#define TC_DATA_SYMBOLS(D)                                                                    \
	D(pmu_bus, false, "finding a PMU by its name: no hardware sampling")                  \
	D(sysctl_numa_balancing_mode, false, "saying whether NUMA balancing moves pages too") \
	D(numa_demotion_enabled, false, "saying whether reclaim demotes pages too")           \
	D(kptr_restrict, false, "showing addresses of the kernel in debugfs")

/* P(name, required, what is lost without it): functions that are probed, never called */
#define TC_PROBED_SYMBOLS(P)                 \
	P(should_numa_migrate_memory, false, \
	  "numa_takeover: NUMA balancing moves pages in the fault")

#define TC_SYMBOL_DECLARE(name, ret, params, value, required, lost) \
	ret tc_stub_##name params;                                  \
	DECLARE_STATIC_CALL(tc_##name, tc_stub_##name);
TC_FUNCTIONS(TC_SYMBOL_DECLARE)
#undef TC_SYMBOL_DECLARE

enum tc_symbol_id {
#define TC_SYMBOL_ENUM(name, ...) TC_SYMBOL_##name,
	TC_FUNCTIONS(TC_SYMBOL_ENUM) TC_DATA_SYMBOLS(TC_SYMBOL_ENUM)
		TC_PROBED_SYMBOLS(TC_SYMBOL_ENUM)
#undef TC_SYMBOL_ENUM
			TC_NR_SYMBOLS
};

/**
 * struct tc_symbol - one resolved name
 * @name: the kernel's name of it
 * @lost: what the module cannot do without it
 * @required: loading is refused without it
 * @function: a function, called by static call or probed; else data
 * @address: where it is; 0: not there, not unique or hidden
 * @matches: how many symbols of the kernel have this name
 * @entry: what its first bytes are, see tc_entry_classify(); functions only
 */
struct tc_symbol {
	const char *name;
	const char *lost;
	bool required;
	bool function;
	unsigned long address;
	unsigned int matches;
	enum tc_entry_kind entry;
};

/**
 * tc_symbols_resolve() - find every name of the table and point the static calls there
 * @hidden: comma separated names to treat as absent (for tests), or NULL
 *
 * Context: process context, sleeps; once, at load.
 *
 * Return: 0; -ENOENT or -ENOTUNIQ when a required symbol is absent or ambiguous, the message
 * names it; another negative errno when kprobes do not work.
 */
int tc_symbols_resolve(const char *hidden);

/**
 * tc_symbol() - look at one entry of the table
 * @id: which
 *
 * Return: the entry, valid and constant once tc_symbols_resolve() has returned.
 */
const struct tc_symbol *tc_symbol(enum tc_symbol_id id);

/* Is this symbol there to be used? */
static inline bool tc_symbol_found(enum tc_symbol_id id)
{
	return tc_symbol(id)->address != 0;
}

#endif /* TC_KERNEL_SYMBOLS_H */
