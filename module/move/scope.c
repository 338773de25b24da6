// SPDX-License-Identifier: GPL-2.0
/*
 * The lists of scope.h. One immutable set at a time, replaced under RCU.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/cgroup.h>
#include <linux/lockdep.h>
#include <linux/memcontrol.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "scope.h"

struct tc_scope {
	bool include;
	unsigned int nr_cgroups;
	unsigned int nr_comms;
	unsigned int nr_pids;
	struct cgroup *cgroups[TC_SCOPE_ENTRIES];
	char *paths[TC_SCOPE_ENTRIES];
	char comms[TC_SCOPE_ENTRIES][TASK_COMM_LEN];
	pid_t pids[TC_SCOPE_ENTRIES];
};

/* NULL: no lists, everything may be moved. */
static struct tc_scope __rcu *tc_scope;

/* Serializes those who replace it. */
static DEFINE_MUTEX(tc_scope_replace_lock);

static void tc_scope_free(struct tc_scope *scope)
{
	unsigned int i;

	if (!scope)
		return;
	for (i = 0; i < scope->nr_cgroups; i++) {
		cgroup_put(scope->cgroups[i]);
		kfree(scope->paths[i]);
	}
	kfree(scope);
}

/* Context: tc_scope_replace_lock is held. Waits until nobody looks at the old one. */
static void tc_scope_replace(struct tc_scope *scope)
{
	struct tc_scope *old =
		rcu_replace_pointer(tc_scope, scope, lockdep_is_held(&tc_scope_replace_lock));

	synchronize_rcu();
	tc_scope_free(old);
}

static int tc_scope_add_cgroup(struct tc_scope *scope, const char *path)
{
	struct cgroup *cgroup;
	char *copy;

	if (scope->nr_cgroups == TC_SCOPE_ENTRIES)
		return -E2BIG;
	/* With the memory controller on a v1 hierarchy no folio would ever be found in it. */
	if (!cgroup_subsys_on_dfl(memory_cgrp_subsys))
		return -EOPNOTSUPP;
	cgroup = cgroup_get_from_path(path);
	if (IS_ERR(cgroup))
		return PTR_ERR(cgroup);
	copy = kstrdup(path, GFP_KERNEL);
	if (!copy) {
		cgroup_put(cgroup);
		return -ENOMEM;
	}
	scope->paths[scope->nr_cgroups] = copy;
	scope->cgroups[scope->nr_cgroups++] = cgroup;
	return 0;
}

static int tc_scope_add_comm(struct tc_scope *scope, const char *comm)
{
	if (scope->nr_comms == TC_SCOPE_ENTRIES)
		return -E2BIG;
	if (strscpy(scope->comms[scope->nr_comms], comm, TASK_COMM_LEN) < 0)
		return -ENAMETOOLONG;
	scope->nr_comms++;
	return 0;
}

static int tc_scope_add_pid(struct tc_scope *scope, const char *text)
{
	int pid;

	if (scope->nr_pids == TC_SCOPE_ENTRIES)
		return -E2BIG;
	if (kstrtoint(text, 10, &pid) || pid < 1)
		return -EINVAL;
	scope->pids[scope->nr_pids++] = pid;
	return 0;
}

static int tc_scope_parse(struct tc_scope *scope, const char *name, const char *list,
			  int (*add)(struct tc_scope *scope, const char *entry))
{
	char *copy, *rest, *entry;
	int err = 0;

	copy = kstrdup(list ?: "", GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	rest = copy;
	while (!err && (entry = strsep(&rest, ",")) != NULL) {
		entry = strim(entry);
		if (*entry)
			err = add(scope, entry);
		if (err)
			pr_err("%s: '%.128s' cannot be used (%d); at most %d entries, separated by commas\n",
			       name, entry, err, TC_SCOPE_ENTRIES);
	}
	kfree(copy);
	return err;
}

int tc_scope_set(bool include, const char *cgroups, const char *comms, const char *pids)
{
	struct tc_scope *scope = kzalloc(sizeof(*scope), GFP_KERNEL);
	int err;

	if (!scope)
		return -ENOMEM;
	scope->include = include;
	err = tc_scope_parse(scope, "scope_cgroups", cgroups, tc_scope_add_cgroup);
	if (!err)
		err = tc_scope_parse(scope, "scope_comms", comms, tc_scope_add_comm);
	if (!err)
		err = tc_scope_parse(scope, "scope_pids", pids, tc_scope_add_pid);
	if (err) {
		tc_scope_free(scope);
		return err;
	}
	mutex_lock(&tc_scope_replace_lock);
	tc_scope_replace(scope);
	mutex_unlock(&tc_scope_replace_lock);
	return 0;
}

void tc_scope_exit(void)
{
	mutex_lock(&tc_scope_replace_lock);
	tc_scope_replace(NULL);
	mutex_unlock(&tc_scope_replace_lock);
}

static bool tc_cgroup_is_dead(const struct cgroup *cgroup)
{
	return !(READ_ONCE(cgroup->self.flags) & CSS_ONLINE);
}

static bool tc_scope_has_dead(void)
{
	const struct tc_scope *scope;
	bool dead = false;
	unsigned int i;

	rcu_read_lock();
	scope = rcu_dereference(tc_scope);
	for (i = 0; scope && i < scope->nr_cgroups; i++)
		dead |= tc_cgroup_is_dead(scope->cgroups[i]);
	rcu_read_unlock();
	return dead;
}

/* A copy with those cgroups that were made anew, or NULL when there is none, or no memory. */
static struct tc_scope *tc_scope_renewed(const struct tc_scope *old)
{
	struct tc_scope *scope = kmemdup(old, sizeof(*old), GFP_KERNEL);
	bool renewed = false;
	unsigned int i;

	if (!scope)
		return NULL;
	scope->nr_cgroups = 0;
	for (i = 0; i < old->nr_cgroups; i++) {
		if (tc_cgroup_is_dead(old->cgroups[i]) &&
		    !tc_scope_add_cgroup(scope, old->paths[i])) {
			renewed = true;
			continue;
		}
		scope->paths[i] = kstrdup(old->paths[i], GFP_KERNEL);
		if (!scope->paths[i])
			break;
		cgroup_get(old->cgroups[i]);
		scope->cgroups[scope->nr_cgroups++] = old->cgroups[i];
	}
	if (renewed && scope->nr_cgroups == old->nr_cgroups)
		return scope;
	tc_scope_free(scope);
	return NULL;
}

void tc_scope_refresh(void)
{
	struct tc_scope *old, *scope = NULL;

	if (!tc_scope_has_dead() || !mutex_trylock(&tc_scope_replace_lock))
		return;
	old = rcu_dereference_protected(tc_scope, lockdep_is_held(&tc_scope_replace_lock));
	if (old)
		scope = tc_scope_renewed(old);
	if (scope)
		tc_scope_replace(scope);
	mutex_unlock(&tc_scope_replace_lock);
}

static bool tc_scope_cgroup(const struct tc_scope *scope, struct cgroup *cgroup)
{
	unsigned int i;

	for (i = 0; i < scope->nr_cgroups; i++)
		if (cgroup && cgroup_is_descendant(cgroup, scope->cgroups[i]))
			return true;
	return false;
}

static bool tc_scope_task(const struct tc_scope *scope, struct task_struct *task)
{
	unsigned int i;

	for (i = 0; i < scope->nr_pids; i++)
		if (task->tgid == scope->pids[i])
			return true;
	for (i = 0; i < scope->nr_comms; i++)
		if (!strncmp(task->group_leader->comm, scope->comms[i], TASK_COMM_LEN))
			return true;
	return false;
}

static struct cgroup *tc_folio_cgroup(struct folio *folio)
{
	struct mem_cgroup *memcg = folio_memcg_check(folio);

	return memcg ? memcg->css.cgroup : NULL;
}

bool tc_scope_has_mm(struct mm_struct *mm)
{
	const struct tc_scope *scope;
	struct task_struct *owner;
	bool listed, has = true;

	rcu_read_lock();
	scope = rcu_dereference(tc_scope);
	owner = rcu_dereference(mm->owner);
	if (scope && owner) {
		listed = tc_scope_task(scope, owner);
		if (scope->include)
			has = listed || tc_scope_cgroup(scope, task_dfl_cgroup(owner));
		else
			has = !listed;
	}
	rcu_read_unlock();
	return has;
}

bool tc_scope_excludes_cgroup(struct folio *folio)
{
	const struct tc_scope *scope;
	bool excludes = false;

	rcu_read_lock();
	scope = rcu_dereference(tc_scope);
	if (scope && !scope->include)
		excludes = tc_scope_cgroup(scope, tc_folio_cgroup(folio));
	rcu_read_unlock();
	return excludes;
}

bool tc_scope_has_unmapped(struct folio *folio)
{
	const struct tc_scope *scope;
	bool has = true;

	rcu_read_lock();
	scope = rcu_dereference(tc_scope);
	if (scope && scope->include)
		has = tc_scope_cgroup(scope, tc_folio_cgroup(folio));
	rcu_read_unlock();
	return has;
}

bool tc_scope_has_current(void)
{
	const struct tc_scope *scope;
	bool has = true;

	rcu_read_lock();
	scope = rcu_dereference(tc_scope);
	if (scope)
		has = scope->include == (tc_scope_task(scope, current) ||
					 tc_scope_cgroup(scope, task_dfl_cgroup(current)));
	rcu_read_unlock();
	return has;
}
