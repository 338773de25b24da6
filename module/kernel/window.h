/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernels that this version is made for. The only file that looks at a kernel's version;
 * differences inside the window are found by looking at the interface itself.
 */
#ifndef TC_KERNEL_WINDOW_H
#define TC_KERNEL_WINDOW_H

#include <linux/types.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#error "thermocline: kernels before 6.12 are not supported"
#endif

#ifndef CONFIG_X86_64
#error "thermocline: only x86-64 is supported"
#endif

#if !defined(CONFIG_NUMA) || !defined(CONFIG_MIGRATION) || !defined(CONFIG_KPROBES) || \
	!defined(CONFIG_KALLSYMS_ALL) || !defined(CONFIG_PERF_EVENTS) || !defined(CONFIG_MEMCG)
#error "thermocline: needs CONFIG_NUMA, MIGRATION, KPROBES, KALLSYMS_ALL, PERF_EVENTS and MEMCG"
#endif

/* Is this kernel one of those that this version was tried on? */
static inline bool tc_kernel_is_known(void)
{
	return LINUX_VERSION_CODE < KERNEL_VERSION(7, 4, 0);
}

#endif /* TC_KERNEL_WINDOW_H */
