/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who else moves pages on this machine. Knows the kernel's switches for it. Changes none.
 */
#ifndef TC_KERNEL_COMPANY_H
#define TC_KERNEL_COMPANY_H

#include <linux/types.h>

/**
 * struct tc_company - others that move pages between nodes
 * @numa_balancing: kernel.numa_balancing: 0 off, bit 0 locality, bit 1 tiering
 * @demotion: reclaim demotes (/sys/kernel/mm/numa/demotion_enabled)
 * @kdamonds: running DAMON threads, which may have schemes that migrate
 * @known: the first two could be found out on this kernel
 */
struct tc_company {
	int numa_balancing;
	bool demotion;
	unsigned int kdamonds;
	bool known;
};

/* Look at the present state. Context: process context; takes RCU. */
void tc_company(struct tc_company *company);

#endif /* TC_KERNEL_COMPANY_H */
