/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Policies as eBPF programs: the struct_ops type thermocline_ops and the functions that its programs may call. Knows the
 * kernel's interface for them. Decides nothing: what programs are asked is in engine/ask.h.
 */
#ifndef TC_BPF_HOOKS_H
#define TC_BPF_HOOKS_H

#include <linux/types.h>

struct btf;

/* Is what is here built at all? Kbuild says so where the kernel has BTF of modules and compiles programs. */
#ifdef TC_WITH_HOOKS

/**
 * tc_hooks_init() - let policies be attached
 *
 * A module that has no BTF, as one that was stripped or built without pahole, goes without, and so does a kernel that
 * refuses: a message says so. What is registered goes with the module.
 *
 * Context: process context, sleeps; last at load.
 */
void tc_hooks_init(void);

/* Can a policy be attached? Context: any. */
bool tc_hooks_available(void);

/**
 * tc_kfuncs_register() - offer the functions of thermocline/bpf.h to programs
 * @btf: BTF of this module: only programs for a struct_ops type of it may call them
 *
 * Return: 0 or a negative errno.
 */
int tc_kfuncs_register(const struct btf *btf);

#else

static inline void tc_hooks_init(void)
{
}

static inline bool tc_hooks_available(void)
{
	return false;
}

#endif /* TC_WITH_HOOKS */

#endif /* TC_BPF_HOOKS_H */
