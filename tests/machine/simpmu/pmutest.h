/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the two files of pmutest.ko share.
 *
 * Knows the handler of its events and the file that shows what it counted. Does
 * not know simpmu.
 */
#ifndef PMUTEST_H
#define PMUTEST_H

#include <linux/fs.h>
#include <linux/perf_event.h>

/* received.c */
void pmutest_overflow(struct perf_event *event, struct perf_sample_data *data,
		      struct pt_regs *regs);
extern const struct file_operations pmutest_received_fops;

#endif
