/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of cgroups. Knows where they are mounted and that a folder's inode number identifies its cgroup;
 * does not know what is told of a cgroup.
 */
#ifndef TC_LIB_CGROUPS_H
#define TC_LIB_CGROUPS_H

/**
 * tc_cgroup_path() - path of a cgroup
 * @id: its identifier, as the module tells it; what is no number is returned as it is
 *
 * Return: the path below the mount, which begins with "/", in new memory; @id when there is no such cgroup
 * now.
 */
char *tc_cgroup_path(const char *id);

#endif /* TC_LIB_CGROUPS_H */
