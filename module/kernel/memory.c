// SPDX-License-Identifier: GPL-2.0
/*
 * Sums over the zones of a node. The counters are the kernel's, read without locks.
 */
#include <linux/gfp.h>
#include <linux/ioport.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/nodemask.h>
#include <linux/vmstat.h>

#include "memory.h"

#define tc_for_each_zone(zone, nid)                                                               \
	for (zone = NODE_DATA(nid)->node_zones; zone < NODE_DATA(nid)->node_zones + MAX_NR_ZONES; \
	     zone++)                                                                              \
		if (managed_zone(zone))

unsigned long tc_node_managed(int nid)
{
	unsigned long pages = 0;
	struct zone *zone;

	tc_for_each_zone(zone, nid)
		pages += zone_managed_pages(zone);
	return pages;
}

unsigned long tc_node_free(int nid)
{
	enum zone_type highest = gfp_zone(GFP_HIGHUSER_MOVABLE);
	unsigned long pages = 0, free, reserved;
	struct zone *zone;

	tc_for_each_zone(zone, nid) {
		free = zone_page_state(zone, NR_FREE_PAGES);
		reserved = zone->lowmem_reserve[highest];
		pages += free > reserved ? free - reserved : 0;
	}
	return pages;
}

unsigned long tc_node_high_watermark(int nid)
{
	unsigned long pages = 0;
	struct zone *zone;

	tc_for_each_zone(zone, nid)
		pages += high_wmark_pages(zone);
	return pages;
}

unsigned long tc_node_min_watermark(int nid)
{
	unsigned long pages = 0;
	struct zone *zone;

	tc_for_each_zone(zone, nid)
		pages += min_wmark_pages(zone);
	return pages;
}

unsigned long tc_node_lru(int nid)
{
	unsigned long pages = 0;
	struct zone *zone;

	tc_for_each_zone(zone, nid)
		pages += zone_page_state(zone, NR_ZONE_INACTIVE_ANON) +
			 zone_page_state(zone, NR_ZONE_ACTIVE_ANON) +
			 zone_page_state(zone, NR_ZONE_INACTIVE_FILE) +
			 zone_page_state(zone, NR_ZONE_ACTIVE_FILE);
	return pages;
}

/* Its span may have holes, and other nodes' memory in them: only sections that are its own are asked about. */
bool tc_node_is_cxl(int nid)
{
	unsigned long pfn = NODE_DATA(nid)->node_start_pfn, end = node_end_pfn(nid);

	for (pfn = SECTION_ALIGN_DOWN(pfn); pfn < end; pfn += PAGES_PER_SECTION)
		if (pfn_to_online_page(pfn) && pfn_to_nid(pfn) == nid &&
		    region_intersects(PFN_PHYS(pfn), PAGE_SIZE, IORESOURCE_MEM, IORES_DESC_CXL) !=
			    REGION_DISJOINT)
			return true;
	return false;
}
