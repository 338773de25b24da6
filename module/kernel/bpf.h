/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What of the kernel's interface for eBPF differs between versions. Knows nothing of what is offered to programs.
 */
#ifndef TC_KERNEL_BPF_H
#define TC_KERNEL_BPF_H

#include <linux/btf.h>

/*
 * Only pointers that the verifier knows to be valid are taken as arguments of a kfunc. Newer kernels take no others, and
 * have no flag to ask for it (bpf: Make KF_TRUSTED_ARGS the default for all kfuncs).
 */
#ifdef KF_TRUSTED_ARGS
#define TC_KF_TRUSTED KF_TRUSTED_ARGS
#else
#define TC_KF_TRUSTED 0
#endif

#endif /* TC_KERNEL_BPF_H */
