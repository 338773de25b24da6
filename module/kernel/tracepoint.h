/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of the kernel that are not exported, found by the name of their tracepoint. Knows their
 * arguments. Does not know what is done about them.
 */
#ifndef TC_KERNEL_TRACEPOINT_H
#define TC_KERNEL_TRACEPOINT_H

/**
 * tc_watch_exits() - be told when a process exits
 * @gone: called in the context of its last thread, must not sleep; NULL: no more. On 7.x it is
 *        called before the memory of the process is freed, on 6.12 after
 *
 * A kernel without the tracepoint goes without; only the speed of the scrubber depends on it.
 *
 * Context: process context, sleeps; NULL after a function, and a function after NULL.
 */
void tc_watch_exits(void (*gone)(void));

/**
 * tc_watch_kswapd() - be told when the kernel begins to reclaim in the background
 * @woken: called with the node in the context of whoever allocates, with whatever locks that holds: must
 *	take none and wake nobody; NULL: no more
 *
 * A kernel without the tracepoint goes without; what is short of memory is then found a little later.
 *
 * Context: as tc_watch_exits().
 */
void tc_watch_kswapd(void (*woken)(int nid));

#endif /* TC_KERNEL_TRACEPOINT_H */
