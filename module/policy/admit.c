// SPDX-License-Identifier: GPL-2.0
/*
 * May a page leave slow memory now, as far as the direction of the traffic there is concerned?
 * Knows kinds of pages and of traffic.
 * Does not know where they come from.
 */
#include "admit.h"

#define BP 10000U

enum tc_page_kind tc_page_kind(u32 reads, u32 writes)
{
	u64 all = (u64)reads + writes, share;

	if (all < TC_PAGE_ACCESSES_MIN)
		return TC_PAGE_UNKNOWN;
	share = (u64)writes * BP / all;
	if (share <= TC_PAGE_READ_BP)
		return TC_PAGE_READ;
	return share >= TC_PAGE_WRITE_BP ? TC_PAGE_WRITE : TC_PAGE_MIXED;
}

bool tc_duplex_admits(enum tc_traffic_kind traffic, enum tc_page_kind page)
{
	return !(traffic == TC_TRAFFIC_READ && page == TC_PAGE_WRITE) &&
	       !(traffic == TC_TRAFFIC_WRITE && page == TC_PAGE_READ);
}
