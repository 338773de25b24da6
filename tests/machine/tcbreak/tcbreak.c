// SPDX-License-Identifier: GPL-2.0
/*
 * tcbreak how=refuse|miscount|stall: makes migrate_pages() misbehave for calls with the reason
 * MR_NUMA_MISPLACED, as long as it is loaded. refuse: nothing is ever moved. miscount: one page
 * more is said to have moved. stall: the caller sleeps in it until this module goes.
 *
 * Knows one kernel function and its arguments. Does not know who calls it.
 */
#define pr_fmt(fmt) "tcbreak: " fmt

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/migrate.h>
#include <linux/module.h>
#include <linux/string.h>

static char *how = "refuse";
module_param(how, charp, 0444);
MODULE_PARM_DESC(how,
		 "refuse (nothing moves), miscount (one page too many) or stall (do not return)");

static DECLARE_COMPLETION(tcbreak_over);
static atomic_t tcbreak_stalled = ATOMIC_INIT(0);

/* Takes the place of migrate_pages(): the folios stay on the list, as when all were busy. */
static int tcbreak_stall(struct list_head *from)
{
	pr_info("a caller stalls\n");
	wait_for_completion_killable(&tcbreak_over);
	atomic_dec(&tcbreak_stalled);
	return 1;
}

static bool tcbreak_meant(const struct pt_regs *regs)
{
	return regs_get_kernel_argument((struct pt_regs *)regs, 5) == MR_NUMA_MISPLACED;
}

/* The same without the sleep. */
static int tcbreak_nothing(struct list_head *from)
{
	return 1;
}

static int tcbreak_refuse(struct kprobe *probe, struct pt_regs *regs)
{
	if (!tcbreak_meant(regs))
		return 0;
	regs->ip = (unsigned long)tcbreak_nothing;
	return 1;
}

static int tcbreak_divert(struct kprobe *probe, struct pt_regs *regs)
{
	if (!tcbreak_meant(regs))
		return 0;
	atomic_inc(&tcbreak_stalled);
	regs->ip = (unsigned long)tcbreak_stall;
	return 1;
}

/* The seventh argument, where the pages moved are counted, is on the stack. */
static int tcbreak_enter(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	unsigned int **count = (unsigned int **)instance->data;

	if (!tcbreak_meant(regs))
		return 1;
	*count = *(unsigned int **)(regs->sp + sizeof(long));
	return 0;
}

static int tcbreak_leave(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	unsigned int **count = (unsigned int **)instance->data;

	++**count;
	return 0;
}

static struct kprobe tcbreak_probe = { .symbol_name = "migrate_pages" };

static struct kretprobe tcbreak_return = {
	.kp.symbol_name = "migrate_pages",
	.entry_handler = tcbreak_enter,
	.handler = tcbreak_leave,
	.data_size = sizeof(unsigned int *),
};

static int __init tcbreak_init(void)
{
	if (!strcmp(how, "miscount"))
		return register_kretprobe(&tcbreak_return);
	if (!strcmp(how, "refuse"))
		tcbreak_probe.pre_handler = tcbreak_refuse;
	else if (!strcmp(how, "stall"))
		tcbreak_probe.pre_handler = tcbreak_divert;
	else
		return -EINVAL;
	return register_kprobe(&tcbreak_probe);
}

/* Nobody may be left in this module's text. */
static void __exit tcbreak_exit(void)
{
	if (!tcbreak_probe.pre_handler) {
		unregister_kretprobe(&tcbreak_return);
		return;
	}
	unregister_kprobe(&tcbreak_probe);
	complete_all(&tcbreak_over);
	while (atomic_read(&tcbreak_stalled))
		msleep(20);
	msleep(20);
}

module_init(tcbreak_init);
module_exit(tcbreak_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Breaks migrate_pages() on purpose (tests only)");
