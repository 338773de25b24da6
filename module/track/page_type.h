/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What kind of page a folio is made of, and whose memory it is. Knows the kernel's flags and memory
 * cgroups; decides nothing.
 */
#ifndef TC_TRACK_PAGE_TYPE_H
#define TC_TRACK_PAGE_TYPE_H

#include <linux/cgroup.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>

#include "../policy/usage.h"

/**
 * tc_folio_type() - the type of a folio's pages, as it is now
 * @folio: folio on the LRU, reference held
 *
 * Anonymous memory that madvise() gave up (MADV_FREE) is anonymous still. Of file memory only tmpfs and
 * shared memory are backed by swap. A folio counts as mapped when any page of it is.
 */
static inline enum tc_page_type tc_folio_type(const struct folio *folio)
{
	if (folio_test_anon(folio))
		return TC_PAGE_ANON;
	if (folio_test_swapbacked(folio))
		return TC_PAGE_SHMEM;
	return folio_mapped(folio) ? TC_PAGE_FILE_MAPPED : TC_PAGE_CACHE;
}

/* Memory that is charged to no cgroup counts as the root's. */
#define TC_CGROUP_ROOT 1

/**
 * tc_folio_cgroup() - identifier of the memory cgroup that a folio is charged to
 * @folio: folio on the LRU, reference held
 *
 * It is the inode number of the cgroup's folder. The folio may be charged to another one meanwhile, when
 * its cgroup goes.
 *
 * Context: any but NMI.
 */
static inline u64 tc_folio_cgroup(struct folio *folio)
{
	u64 id = TC_CGROUP_ROOT;
	struct mem_cgroup *memcg;

	rcu_read_lock();
	memcg = folio_memcg_check(folio);
	if (memcg)
		id = cgroup_id(memcg->css.cgroup);
	rcu_read_unlock();
	return id;
}

#endif /* TC_TRACK_PAGE_TYPE_H */
