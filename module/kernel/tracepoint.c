// SPDX-License-Identifier: GPL-2.0
/*
 * The tracepoints sched_process_exit and mm_vmscan_wakeup_kswapd, found by for_each_kernel_tracepoint().
 */
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "tracepoint.h"

/**
 * struct tc_watch - a tracepoint and who is called there
 * @name: its name
 * @probe: a function of this file
 * @tracepoint: the tracepoint, while it is watched
 */
struct tc_watch {
	const char *name;
	void *probe;
	struct tracepoint *tracepoint;
};

static void (*tc_gone)(void);
static void (*tc_woken)(int nid);

/*
 * Whoever goes last of a process. Newer kernels pass a third argument, which a callee on x86-64 may
 * leave unread.
 */
static void tc_exit_probe(void *data, struct task_struct *task)
{
	if (!atomic_read(&task->signal->live))
		tc_gone();
}

/* Called by who allocates, in any context in which memory can be; the arguments behind these are unread. */
static void tc_kswapd_probe(void *data, int nid)
{
	tc_woken(nid);
}

static struct tc_watch tc_exit_watch = { .name = "sched_process_exit", .probe = tc_exit_probe };
static struct tc_watch tc_kswapd_watch = { .name = "mm_vmscan_wakeup_kswapd",
					   .probe = tc_kswapd_probe };

static void tc_find(struct tracepoint *tracepoint, void *found)
{
	struct tc_watch *watch = found;

	if (!strcmp(tracepoint->name, watch->name))
		watch->tracepoint = tracepoint;
}

static void tc_watch_begin(struct tc_watch *watch)
{
	for_each_kernel_tracepoint(tc_find, watch)
		;
	if (watch->tracepoint && tracepoint_probe_register(watch->tracepoint, watch->probe, NULL))
		watch->tracepoint = NULL;
}

static void tc_watch_end(struct tc_watch *watch)
{
	if (!watch->tracepoint)
		return;
	tracepoint_probe_unregister(watch->tracepoint, watch->probe, NULL);
	tracepoint_synchronize_unregister();
	watch->tracepoint = NULL;
}

void tc_watch_exits(void (*gone)(void))
{
	if (!gone) {
		tc_watch_end(&tc_exit_watch);
		return;
	}
	tc_gone = gone;
	tc_watch_begin(&tc_exit_watch);
}

void tc_watch_kswapd(void (*woken)(int nid))
{
	if (!woken) {
		tc_watch_end(&tc_kswapd_watch);
		return;
	}
	tc_woken = woken;
	tc_watch_begin(&tc_kswapd_watch);
}
