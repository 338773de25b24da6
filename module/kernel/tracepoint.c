// SPDX-License-Identifier: GPL-2.0
/*
 * The tracepoint sched_process_exit, found by for_each_kernel_tracepoint().
 */
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "tracepoint.h"

static struct tracepoint *tc_exit_tracepoint;
static void (*tc_gone)(void);

/*
 * Whoever goes last of a process. Newer kernels pass a third argument, which a callee on x86-64 may
 * leave unread.
 */
static void tc_exit_probe(void *data, struct task_struct *task)
{
	if (!atomic_read(&task->signal->live))
		tc_gone();
}

static void tc_find_exit(struct tracepoint *tracepoint, void *found)
{
	if (!strcmp(tracepoint->name, "sched_process_exit"))
		*(struct tracepoint **)found = tracepoint;
}

void tc_watch_exits(void (*gone)(void))
{
	if (gone) {
		tc_gone = gone;
		for_each_kernel_tracepoint(tc_find_exit, &tc_exit_tracepoint)
			;
		if (tc_exit_tracepoint &&
		    tracepoint_probe_register(tc_exit_tracepoint, tc_exit_probe, NULL))
			tc_exit_tracepoint = NULL;
	} else if (tc_exit_tracepoint) {
		tracepoint_probe_unregister(tc_exit_tracepoint, tc_exit_probe, NULL);
		tracepoint_synchronize_unregister();
		tc_exit_tracepoint = NULL;
	}
}
