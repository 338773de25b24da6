/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples from the hint faults of the kernel's NUMA balancing. Knows where the kernel handles them.
 */
#ifndef TC_TRACK_HINT_H
#define TC_TRACK_HINT_H

#include <linux/types.h>

/* Does NUMA balancing make faults now? True also when that is not known. Context: any. */
bool tc_hint_faults_come(void);

#endif /* TC_TRACK_HINT_H */
