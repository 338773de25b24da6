// SPDX-License-Identifier: GPL-2.0
/*
 * Resolves the names of symbols.h: a kprobe finds kallsyms_lookup_name, which finds the rest.
 * Knows how to find, to refuse and to report. Does not know what the symbols are for.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/build_bug.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/memory-tiers.h>
#include <linux/mm.h>
#include <linux/sched/numa_balancing.h>
#include <linux/string.h>
#include <linux/swap.h>
#include <linux/uaccess.h>

#include "symbols.h"

/*
 * The kernel's own declarations must be one of the forms that this file was written for. Forms
 * of one line are called alike on x86-64: an int and an enum travel in the same register, and
 * an argument that the callee does not know is ignored.
 *
 * migrate_pages: the reason became an enum migrate_reason in 7.3.
 * folio_lock_anon_vma_read: the folio became const in 7.x.
 * split_huge_page_to_list_to_order: see tc_older_names.
 * folio_split came after 6.12;
 * what declares it is compared by the BTF alone.
 * cpuset_nodes_allowed came in 7.x; what declares it is compared by the BTF alone.
 * next_demotion_node: allowed_mask came with 7ec9ecf217f8 ("mm/vmscan: select the closest
 * preferred node in demote_folio_list()").
 */
#define TC_FORM(name, ret, ...) \
	__builtin_types_compatible_p(typeof(&(name)), typeof(ret(*)(__VA_ARGS__)))
#define TC_KNOWN_FORM(name, forms) \
	static_assert(forms, "thermocline: " #name " has a prototype unknown to this version")

TC_KNOWN_FORM(migrate_pages,
	      TC_FORM(migrate_pages, int, struct list_head *, new_folio_t *, free_folio_t *,
		      unsigned long, enum migrate_mode, enum migrate_reason, unsigned int *) ||
		      TC_FORM(migrate_pages, int, struct list_head *, new_folio_t *, free_folio_t *,
			      unsigned long, enum migrate_mode, int, unsigned int *));
TC_KNOWN_FORM(isolate_folio_to_list,
	      TC_FORM(isolate_folio_to_list, bool, struct folio *, struct list_head *));
TC_KNOWN_FORM(putback_movable_pages, TC_FORM(putback_movable_pages, void, struct list_head *));
TC_KNOWN_FORM(rmap_walk, TC_FORM(rmap_walk, void, struct folio *, struct rmap_walk_control *));
TC_KNOWN_FORM(folio_lock_anon_vma_read,
	      TC_FORM(folio_lock_anon_vma_read, struct anon_vma *, struct folio *,
		      struct rmap_walk_control *) ||
		      TC_FORM(folio_lock_anon_vma_read, struct anon_vma *, const struct folio *,
			      struct rmap_walk_control *));
TC_KNOWN_FORM(page_vma_mapped_walk,
	      TC_FORM(page_vma_mapped_walk, bool, struct page_vma_mapped_walk *));
TC_KNOWN_FORM(__mpol_put, TC_FORM(__mpol_put, void, struct mempolicy *));
TC_KNOWN_FORM(lru_add_drain_all, TC_FORM(lru_add_drain_all, void, void));
TC_KNOWN_FORM(split_huge_page_to_list_to_order,
	      TC_FORM(split_huge_page_to_list_to_order, int, struct page *, struct list_head *,
		      unsigned int));
TC_KNOWN_FORM(do_madvise, TC_FORM(do_madvise, int, struct mm_struct *, unsigned long, size_t, int));
TC_KNOWN_FORM(node_is_toptier, TC_FORM(node_is_toptier, bool, int));
TC_KNOWN_FORM(next_demotion_node,
	      TC_FORM(next_demotion_node, int, int) ||
		      TC_FORM(next_demotion_node, int, int, const nodemask_t *));
TC_KNOWN_FORM(kallsyms_on_each_match_symbol,
	      TC_FORM(kallsyms_on_each_match_symbol, int, int (*)(void *, unsigned long),
		      const char *, void *));
TC_KNOWN_FORM(should_numa_migrate_memory, TC_FORM(should_numa_migrate_memory, bool,
						  struct task_struct *, struct folio *, int, int));

/* The stubs, and the static calls that lead to them until the names are resolved. */
#define TC_SYMBOL_STUB(name, ret, params, value, required, lost) \
	ret tc_stub_##name params                                \
	{                                                        \
		return value;                                    \
	}                                                        \
	DEFINE_STATIC_CALL(tc_##name, tc_stub_##name);
TC_FUNCTIONS(TC_SYMBOL_STUB)

static unsigned long tc_stub_kallsyms_lookup_name(const char *name)
{
	return 0;
}
DEFINE_STATIC_CALL(tc_kallsyms_lookup_name, tc_stub_kallsyms_lookup_name);

static struct tc_symbol tc_symbols[TC_NR_SYMBOLS] = {
#define TC_SYMBOL_FUNCTION(n, ret, params, value, need, without) \
	[TC_SYMBOL_##n] = { .name = #n, .lost = without, .required = need, .function = true },
	TC_FUNCTIONS(TC_SYMBOL_FUNCTION)
#define TC_SYMBOL_DATA(n, need, without) \
	[TC_SYMBOL_##n] = { .name = #n, .lost = without, .required = need },
		TC_DATA_SYMBOLS(TC_SYMBOL_DATA)
#define TC_SYMBOL_PROBED(n, need, without) \
	[TC_SYMBOL_##n] = { .name = #n, .lost = without, .required = need, .function = true },
			TC_PROBED_SYMBOLS(TC_SYMBOL_PROBED)
};

/*
 * Names that older kernels have for a function of the same form.
 *
 * split_huge_page_to_list_to_order: the function got its underscores in 7.x, where the name without
 * them is an inline function over it.
 */
static const struct {
	enum tc_symbol_id id;
	const char *name;
} tc_older_names[] = {
	{ TC_SYMBOL___split_huge_page_to_list_to_order, "split_huge_page_to_list_to_order" },
};

const struct tc_symbol *tc_symbol(enum tc_symbol_id id)
{
	return &tc_symbols[id];
}

static enum tc_entry_kind tc_entry_read(unsigned long address)
{
	u8 first[4];

	if (copy_from_kernel_nofault(first, (void *)address, sizeof(first)))
		return TC_ENTRY_OTHER;
	return tc_entry_classify(first);
}

/*
 * A kprobe on a kernel with IBT lands behind the ENDBR (or behind what sealing left of it);
 * that address serves for one direct call, which then gives the exact one.
 */
static int tc_find_lookup_name(void)
{
	struct kprobe kp = { .symbol_name = "kallsyms_lookup_name" };
	unsigned long address;
	int err;

	err = register_kprobe(&kp);
	if (err) {
		pr_err("no kprobe on kallsyms_lookup_name (%d): kprobes are off or refused: refusing to load\n",
		       err);
		return err;
	}
	address = (unsigned long)kp.addr;
	unregister_kprobe(&kp);

	static_call_update(tc_kallsyms_lookup_name, (typeof(&tc_stub_kallsyms_lookup_name))address);
	address = static_call(tc_kallsyms_lookup_name)("kallsyms_lookup_name");
	if (!address) {
		pr_err("kallsyms_lookup_name does not know itself: refusing to load\n");
		return -ENOENT;
	}
	static_call_update(tc_kallsyms_lookup_name, (typeof(&tc_stub_kallsyms_lookup_name))address);
	return 0;
}

static int tc_count_match(void *data, unsigned long address)
{
	unsigned int *matches = data;

	(*matches)++;
	return 0;
}

static bool tc_is_hidden(const char *hidden, const char *name)
{
	size_t length = strlen(name);
	const char *at = hidden;

	while (at && *at) {
		if (!strncmp(at, name, length) && (at[length] == ',' || !at[length]))
			return true;
		at = strchr(at, ',');
		if (at)
			at++;
	}
	return false;
}

/* Before anything is looked for or hidden: by which of its names is a function known here? */
static void tc_symbols_choose_names(void)
{
	struct tc_symbol *symbol;
	int i;

	for (i = 0; i < ARRAY_SIZE(tc_older_names); i++) {
		symbol = &tc_symbols[tc_older_names[i].id];
		if (!static_call(tc_kallsyms_lookup_name)(symbol->name) &&
		    static_call(tc_kallsyms_lookup_name)(tc_older_names[i].name))
			symbol->name = tc_older_names[i].name;
	}
}

/* The counter of matches is itself the first of the table: it counts itself the second time. */
static void tc_symbol_find(struct tc_symbol *symbol, const char *hidden)
{
	bool countable = tc_symbol_found(TC_SYMBOL_kallsyms_on_each_match_symbol);
	unsigned long address = 0;

	symbol->address = 0;
	symbol->matches = 0;
	if (!tc_is_hidden(hidden, symbol->name))
		address = static_call(tc_kallsyms_lookup_name)(symbol->name);
	if (!address)
		return;
	if (countable)
		static_call(tc_kallsyms_on_each_match_symbol)(tc_count_match, symbol->name,
							      &symbol->matches);
	else
		symbol->matches = 1;
	if (symbol->matches != 1)
		return;
	if (symbol->function)
		symbol->entry = tc_entry_read(address);
	symbol->address = address;
}

static int tc_symbol_judge(const struct tc_symbol *symbol)
{
	bool ambiguous = symbol->matches > 1;

	if (symbol->address)
		return 0;
	if (symbol->required) {
		if (ambiguous)
			pr_err("symbol %s is ambiguous (%u addresses): refusing to load\n",
			       symbol->name, symbol->matches);
		else
			pr_err("symbol %s is not in this kernel, needed for %s: refusing to load\n",
			       symbol->name, symbol->lost);
		return ambiguous ? -ENOTUNIQ : -ENOENT;
	}
	pr_warn("symbol %s is %s: going without %s\n", symbol->name,
		ambiguous ? "ambiguous" : "not in this kernel", symbol->lost);
	return 0;
}

static void tc_symbols_update_calls(void)
{
#define TC_SYMBOL_UPDATE(name, ...)               \
	if (tc_symbols[TC_SYMBOL_##name].address) \
		static_call_update(tc_##name,     \
				   (typeof(&tc_stub_##name))tc_symbols[TC_SYMBOL_##name].address);
	TC_FUNCTIONS(TC_SYMBOL_UPDATE)
}

int tc_symbols_resolve(const char *hidden)
{
	struct tc_symbol *counter = &tc_symbols[TC_SYMBOL_kallsyms_on_each_match_symbol];
	int err, i;

	err = tc_find_lookup_name();
	if (err)
		return err;

	tc_symbols_choose_names();
	tc_symbol_find(counter, hidden);
	tc_symbols_update_calls();
	for (i = 0; i < TC_NR_SYMBOLS; i++) {
		tc_symbol_find(&tc_symbols[i], hidden);
		err = tc_symbol_judge(&tc_symbols[i]);
		if (err)
			return err;
	}
	tc_symbols_update_calls();
	return 0;
}
