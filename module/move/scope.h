/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whose memory the operator lets us move: lists of cgroups, command names and processes. Knows
 * how to match an owner. Does not know why.
 */
#ifndef TC_MOVE_SCOPE_H
#define TC_MOVE_SCOPE_H

#include <linux/mm_types.h>
#include <linux/types.h>

/* Entries of each list. */
#define TC_SCOPE_ENTRIES 16

/**
 * tc_scope_set() - replace the lists
 * @include: the lists name what may be moved, nothing else may; else what must not
 * @cgroups: comma separated cgroup paths ("/system.slice/x.service"), with all below them
 * @comms: comma separated command names, as in /proc/PID/comm
 * @pids: comma separated process IDs of the initial namespace
 *
 * Folios that are being looked at keep the lists they began with.
 *
 * Context: process context, sleeps; calls are serialized by the caller.
 *
 * Return: 0; -EINVAL for a list that cannot be read or has too many entries; -ENOENT for a cgroup
 * that does not exist (the message names it); -ENOMEM. On error the old lists stay.
 */
int tc_scope_set(bool include, const char *cgroups, const char *comms, const char *pids);

/**
 * tc_scope_refresh() - find listed cgroups anew that were removed and made again
 *
 * A service that restarts gets another cgroup under the same path. Until there is one, the old one
 * stays listed: page cache may still be charged to it.
 *
 * Context: process context, sleeps; before each batch, cheap while no listed cgroup is gone.
 */
void tc_scope_refresh(void);

/* Drop the lists; nobody may look any more. */
void tc_scope_exit(void);

/**
 * tc_scope_has_mm() - may memory that this address space maps be moved?
 * @mm: address space, whose owner is asked
 *
 * Including by cgroup is by the owner's cgroup.
 *
 * Context: any but NMI.
 */
bool tc_scope_has_mm(struct mm_struct *mm);

/* Is the cgroup that this folio is charged to on an excluding list? Context: any but NMI. */
bool tc_scope_excludes_cgroup(struct folio *folio);

/* May page cache that nobody maps be moved? Context: any but NMI. */
bool tc_scope_has_unmapped(struct folio *folio);

/* Is the running task, by itself or by its cgroup, one whose memory may be moved? Context: task. */
bool tc_scope_has_current(void);

#endif /* TC_MOVE_SCOPE_H */
