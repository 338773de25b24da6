// SPDX-License-Identifier: GPL-2.0
/*
 * thermocline_alloc.ko: a livepatch that lets new pages of files begin on slow memory (TPP, ASPLOS
 * 2023, section 5.4), for the tasks and cgroups that the operator selects. Knows how to stand in for a
 * function of the kernel. Does not know which allocations are sent where.
 */
#define pr_fmt(fmt) "thermocline_alloc: " fmt

#include <linux/build_bug.h>
#include <linux/debugfs.h>
#include <linux/kprobes.h>
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/seq_file.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include <thermocline/version.h>

#include "../kernel/window.h"
#include "../move/scope.h"
#include "../ui/ui.h"
#include "filemap.h"

/* A listed cgroup that was removed and made anew is found after so long. */
#define TC_ALLOC_REFRESH (10 * HZ)

/* The call that ftrace makes of the entry of a function: so many bytes. */
#define TC_ENTRY_CALL 5

/*
 * The two forms of the function: the policy of the file came in 6.18. On x86-64 an argument that the
 * callee does not know is ignored, and one that the caller does not give is not looked at here.
 */
#define TC_ALLOC_FORM(...)                                                \
	__builtin_types_compatible_p(typeof(&filemap_alloc_folio_noprof), \
				     typeof(struct folio * (*)(__VA_ARGS__)))
#define TC_ALLOC_HAS_POLICY TC_ALLOC_FORM(gfp_t, unsigned int, struct mempolicy *)

static_assert(
	TC_ALLOC_HAS_POLICY || TC_ALLOC_FORM(gfp_t, unsigned int),
	"thermocline_alloc: filemap_alloc_folio_noprof has a prototype unknown to this version");

static struct folio *tc_alloc_stub(gfp_t gfp, unsigned int order, struct mempolicy *policy)
{
	return NULL;
}

/* The kernel's own function, past the place where ftrace sends its callers here. */
DEFINE_STATIC_CALL(tc_alloc_kernel, tc_alloc_stub);

static struct folio *tc_alloc_folio(gfp_t gfp, unsigned int order, struct mempolicy *policy)
{
	struct folio *folio;

	if (!TC_ALLOC_HAS_POLICY)
		policy = NULL;
	folio = tc_alloc_slow(gfp, order, policy);
	return folio ?: static_call(tc_alloc_kernel)(gfp, order, policy);
}

static struct klp_func tc_alloc_functions[] = {
	{ .old_name = "filemap_alloc_folio_noprof", .new_func = tc_alloc_folio },
	{},
};

/* name NULL: the kernel itself */
static struct klp_object tc_alloc_objects[] = {
	{ .funcs = tc_alloc_functions },
	{},
};

static struct klp_patch tc_alloc_patch = {
	.mod = THIS_MODULE,
	.objs = tc_alloc_objects,
};

static char *slow_nodes;
module_param(slow_nodes, charp, 0444);
MODULE_PARM_DESC(slow_nodes, "list of slow memory nodes, as 2,3 (default: all without processors)");

static nodemask_t tc_alloc_nodes;
static struct delayed_work tc_alloc_work;
static struct dentry *tc_alloc_debugfs;

static const char *const tc_alloc_names[TC_ALLOC_OUTCOMES] = {
	[TC_ALLOC_SLOW] = "slow",	  [TC_ALLOC_SHORT] = "short",
	[TC_ALLOC_METADATA] = "metadata", [TC_ALLOC_POLICY] = "policy",
	[TC_ALLOC_CPUSET] = "cpuset",	  [TC_ALLOC_SCOPE] = "scope",
};

/*
 * The function's address, as kprobes know it, is that of the instruction which ftrace makes a call of,
 * behind the ENDBR or its poison. With something else there the function is not what this was made for.
 */
static int tc_alloc_find_kernel(void)
{
	static const u8 nop[TC_ENTRY_CALL] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	struct kprobe kp = { .symbol_name = tc_alloc_functions[0].old_name };
	u8 entry[TC_ENTRY_CALL];
	int err;

	err = register_kprobe(&kp);
	if (err) {
		pr_err("%s is not in this kernel, or kprobes are off (%d): refusing to load\n",
		       kp.symbol_name, err);
		return err;
	}
	unregister_kprobe(&kp);
	/* A call is there while somebody traces the function. */
	if (copy_from_kernel_nofault(entry, kp.addr, sizeof(entry)) ||
	    (memcmp(entry, nop, sizeof(nop)) && entry[0] != 0xe8)) {
		pr_err("%s begins with %*ph, not with a place for ftrace: refusing to load\n",
		       kp.symbol_name, TC_ENTRY_CALL, entry);
		return -EINVAL;
	}
	static_call_update(tc_alloc_kernel,
			   (typeof(&tc_alloc_stub))((unsigned long)kp.addr + TC_ENTRY_CALL));
	return 0;
}

/* What came and went meanwhile: nodes with memory, cgroups that are listed. */
static void tc_alloc_refresh(struct work_struct *work)
{
	tc_scope_refresh();
	tc_alloc_set_nodes(&tc_alloc_nodes);
	queue_delayed_work(system_unbound_wq, &tc_alloc_work, TC_ALLOC_REFRESH);
}

static int stats_show(struct seq_file *m, void *unused)
{
	int i;

	seq_puts(m, "# thermocline_alloc stats v1: page cache and its 4 KiB pages, by outcome\n");
	for (i = 0; i < TC_ALLOC_OUTCOMES; i++)
		seq_printf(m, "%s %llu\n%s_pages %llu\n", tc_alloc_names[i],
			   tc_alloc_count(i, false), tc_alloc_names[i], tc_alloc_count(i, true));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

static int tc_alloc_choose_nodes(void)
{
	int err;

	nodes_clear(tc_alloc_nodes);
	if (slow_nodes &&
	    (nodelist_parse(slow_nodes, tc_alloc_nodes) || nodes_empty(tc_alloc_nodes))) {
		pr_err("slow_nodes: '%.64s' is not a list of nodes, as 1 or 1-2,4\n", slow_nodes);
		return -EINVAL;
	}
	err = tc_alloc_set_nodes(&tc_alloc_nodes);
	if (err && slow_nodes)
		pr_err("slow_nodes: a node of '%.64s' has no memory: refusing to load\n",
		       slow_nodes);
	else if (err)
		pr_err("every node with memory has processors: name the slow ones by slow_nodes=: refusing to load\n");
	return err;
}

static void tc_alloc_greet(void)
{
	pr_info("version %s: new page cache begins on the nearest slow node\n", TC_VERSION);
	if (TC_ALLOC_HAS_POLICY)
		pr_info("on this kernel folios that read_cache_folio() and reads past read-ahead make are allocated without it\n");
}

static int tc_alloc_load(void)
{
	int err;

	err = tc_alloc_choose_nodes();
	if (!err)
		err = tc_alloc_find_kernel();
	if (err)
		return err;
	err = tc_scope_load();
	if (err)
		return err;
	err = klp_enable_patch(&tc_alloc_patch);
	if (err) {
		pr_err("the kernel does not take the livepatch (%d): refusing to load\n", err);
		tc_scope_unload();
	}
	return err;
}

static int __init tc_alloc_init(void)
{
	int err;

	INIT_DELAYED_WORK(&tc_alloc_work, tc_alloc_refresh);
	err = tc_alloc_load();
	if (err)
		return err;
	tc_alloc_debugfs = debugfs_create_dir("thermocline_alloc", NULL);
	debugfs_create_file("stats", 0444, tc_alloc_debugfs, NULL, &stats_fops);
	queue_delayed_work(system_unbound_wq, &tc_alloc_work, TC_ALLOC_REFRESH);
	tc_alloc_greet();
	return 0;
}

/* The kernel lets the module go only when the patch is disabled and nobody is in it any more. */
static void __exit tc_alloc_exit(void)
{
	debugfs_remove_recursive(tc_alloc_debugfs);
	cancel_delayed_work_sync(&tc_alloc_work);
	tc_scope_unload();
}

module_init(tc_alloc_init);
module_exit(tc_alloc_exit);

MODULE_LICENSE("GPL");
MODULE_VERSION(TC_VERSION);
MODULE_INFO(livepatch, "Y");
MODULE_DESCRIPTION("Memory tiering: new page cache begins on slow memory");
