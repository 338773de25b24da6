/* SPDX-License-Identifier: GPL-2.0 */
/*
 * May a page leave slow memory now, as far as the direction of the traffic there is concerned?
 * Knows kinds of pages and of traffic.
 * Does not know where they come from.
 */
#ifndef TC_POLICY_ADMIT_H
#define TC_POLICY_ADMIT_H

#include "contention.h"

/* Below so many accesses nothing is known of a page; with 8, five of six in one direction are not chance. */
#define TC_PAGE_ACCESSES_MIN 8U

/* Share of writes up to which a page is read-heavy, and from which it is write-heavy, in 1/10000. */
#define TC_PAGE_READ_BP 3333U
#define TC_PAGE_WRITE_BP 6667U

/**
 * enum tc_page_kind - what a page is used for
 * @TC_PAGE_UNKNOWN: too few accesses are known
 * @TC_PAGE_READ: read-heavy
 * @TC_PAGE_MIXED: neither
 * @TC_PAGE_WRITE: write-heavy
 */
enum tc_page_kind { TC_PAGE_UNKNOWN, TC_PAGE_READ, TC_PAGE_MIXED, TC_PAGE_WRITE, TC_NR_PAGE_KINDS };

#define TC_PAGE_KIND_NAMES { "unknown", "read", "mixed", "write" }

/**
 * enum tc_duplex - does the link of slow memory carry reads and writes at once?
 * @TC_DUPLEX_AUTO: that of CXL does
 * @TC_DUPLEX_FULL: it does
 * @TC_DUPLEX_HALF: it does not: which direction is used makes no difference
 * @TC_DUPLEX_OFF: it is not asked
 */
enum tc_duplex { TC_DUPLEX_AUTO, TC_DUPLEX_FULL, TC_DUPLEX_HALF, TC_DUPLEX_OFF, TC_NR_DUPLEX };

#define TC_DUPLEX_NAMES { "auto", "full", "half", "off" }

/**
 * tc_page_kind - what is a page used for?
 * @reads: sampled accesses that read it
 * @writes: that wrote it
 *
 * Context: Any.
 */
enum tc_page_kind tc_page_kind(u32 reads, u32 writes);

/**
 * tc_duplex_admits - may a page of a full-duplex link be promoted?
 * @traffic: direction of the traffic there
 * @page: what the page is used for
 *
 * A page whose accesses use the direction that is not pressed is left where it is: it takes nothing from what is short.
 *
 *	               traffic: read   balanced   write
 *	read-heavy page         yes    yes        no
 *	write-heavy page        no     yes        yes
 *
 * What is not known, and what is used both ways, may.
 *
 * Source: TierBPF, admission table.
 *
 * Context: Any.
 */
bool tc_duplex_admits(enum tc_traffic_kind traffic, enum tc_page_kind page);

#endif /* TC_POLICY_ADMIT_H */
