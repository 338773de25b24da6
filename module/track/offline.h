/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that is going offline: nobody takes a folio there, and offlining waits for those who
 * did. Knows the memory notifier and SRCU. Does not know what is done with folios.
 */
#ifndef TC_TRACK_OFFLINE_H
#define TC_TRACK_OFFLINE_H

#include <linux/srcu.h>
#include <linux/types.h>

extern struct srcu_struct tc_offline_srcu;

/**
 * tc_offline_init() - watch memory that comes and goes
 * @changed: called when memory has come or gone, in process context with hotplug locks held; must
 *           not sleep for long
 *
 * Return: 0 or a negative errno.
 */
int tc_offline_init(void (*changed)(void));
void tc_offline_exit(void);

/**
 * tc_offline_enter() - begin to look at folios
 *
 * Between enter and leave, a folio that tc_folio_get() gave has its struct page. Keep it short:
 * whoever takes memory offline waits for it.
 *
 * Context: process context.
 *
 * Return: to be given to tc_offline_leave().
 */
static inline int tc_offline_enter(void)
{
	return srcu_read_lock(&tc_offline_srcu);
}

static inline void tc_offline_leave(int token)
{
	srcu_read_unlock(&tc_offline_srcu, token);
}

/* Is this page frame going offline? Context: between enter and leave. */
bool tc_offline_going(unsigned long pfn);

#endif /* TC_TRACK_OFFLINE_H */
