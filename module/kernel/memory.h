/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much memory of a node is free, kept free and movable, in the kernel's own terms. Knows
 * zones and watermarks. Decides nothing.
 */
#ifndef TC_KERNEL_MEMORY_H
#define TC_KERNEL_MEMORY_H

#include <linux/types.h>

/**
 * tc_node_managed() - memory of a node that the page allocator manages
 * @nid: node
 *
 * Return: 4 KiB pages; 0 for a node without memory.
 */
unsigned long tc_node_managed(int nid);

/**
 * tc_node_free() - free memory of a node that a movable page may take
 * @nid: node
 *
 * What the kernel reserves in a zone for other kinds of allocation (lowmem_reserve) is not
 * free for a page of a process: a node may have 16 MiB free in ZONE_DMA and be full.
 *
 * Return: 4 KiB pages.
 */
unsigned long tc_node_free(int nid);

/**
 * tc_node_high_watermark() - free memory up to which the kernel itself reclaims
 * @nid: node
 *
 * Return: 4 KiB pages, the sum over the node's zones.
 */
unsigned long tc_node_high_watermark(int nid);

/**
 * tc_node_min_watermark() - free memory that only the kernel's emergencies may take
 * @nid: node
 *
 * Return: 4 KiB pages, the sum over the node's zones. The allocator keeps each zone's own.
 */
unsigned long tc_node_min_watermark(int nid);

/**
 * tc_node_lru() - pages of a node on its evictable LRU lists
 * @nid: node
 *
 * Return: 4 KiB pages, anonymous and file.
 */
unsigned long tc_node_lru(int nid);

/* Does memory of the node lie in a window of CXL, as the kernel's driver of these has claimed it? Context: process context. */
bool tc_node_is_cxl(int nid);

#endif /* TC_KERNEL_MEMORY_H */
