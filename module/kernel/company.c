// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the switches of company.h where they lie. Only their values are read, nothing is called.
 */
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "company.h"
#include "symbols.h"

static unsigned int tc_count_kdamonds(void)
{
	struct task_struct *task;
	unsigned int count = 0;

	rcu_read_lock();
	for_each_process(task)
		if (task->flags & PF_KTHREAD && !strncmp(task->comm, "kdamond", 7))
			count++;
	rcu_read_unlock();
	return count;
}

void tc_company(struct tc_company *company)
{
	const struct tc_symbol *balancing = tc_symbol(TC_SYMBOL_sysctl_numa_balancing_mode);
	const struct tc_symbol *demotion = tc_symbol(TC_SYMBOL_numa_demotion_enabled);

	*company = (struct tc_company){ .kdamonds = tc_count_kdamonds() };
	company->known = balancing->address && demotion->address;
	if (!company->known)
		return;
	company->numa_balancing = READ_ONCE(*(int *)balancing->address);
	company->demotion = READ_ONCE(*(bool *)demotion->address);
}
