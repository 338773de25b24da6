// SPDX-License-Identifier: GPL-2.0
/*
 * What arrives at a handler of perf: counted by what each sample says.
 *
 * Knows the fields of a sample and that each counts only with its flag. Does
 * not know who filled them in.
 *
 * debugfs pmutest/received has a line "NAME NUMBER" for each count; weight_sum
 * is the sum of the weights of those that have one (weighted).
 */
#include <linux/atomic.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/seq_file.h>

#include "pmutest.h"

#define COUNTS(f)                                                                           \
	f(count) f(loads) f(stores) f(physical) f(virtual) f(kernel) f(dram) f(cxl) f(pmem) \
		f(cached) f(tlb_first) f(tlb_second) f(tlb_miss) f(weighted) f(weight_sum)

static struct {
#define MEMBER(name) atomic64_t name;
	COUNTS(MEMBER)
} received;

static void count_level(union perf_mem_data_src source)
{
	switch (source.mem_lvl_num) {
	case PERF_MEM_LVLNUM_RAM:
		atomic64_inc(&received.dram);
		break;
	case PERF_MEM_LVLNUM_CXL:
		atomic64_inc(&received.cxl);
		break;
	case PERF_MEM_LVLNUM_PMEM:
		atomic64_inc(&received.pmem);
		break;
	case PERF_MEM_LVLNUM_L1:
		atomic64_inc(&received.cached);
		break;
	}
}

static void count_tlb(union perf_mem_data_src source)
{
	if (source.mem_dtlb == (PERF_MEM_TLB_L1 | PERF_MEM_TLB_HIT))
		atomic64_inc(&received.tlb_first);
	if (source.mem_dtlb == (PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT))
		atomic64_inc(&received.tlb_second);
	if (source.mem_dtlb == (PERF_MEM_TLB_L2 | PERF_MEM_TLB_MISS))
		atomic64_inc(&received.tlb_miss);
}

void pmutest_overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	u64 flags = data->sample_flags;

	atomic64_inc(&received.count);
	if (data->data_src.mem_op == PERF_MEM_OP_LOAD)
		atomic64_inc(&received.loads);
	if (data->data_src.mem_op == PERF_MEM_OP_STORE)
		atomic64_inc(&received.stores);
	if (flags & PERF_SAMPLE_PHYS_ADDR)
		atomic64_inc(&received.physical);
	if (flags & PERF_SAMPLE_ADDR)
		atomic64_inc(&received.virtual);
	if (!user_mode(regs))
		atomic64_inc(&received.kernel);
	if (flags & PERF_SAMPLE_DATA_SRC) {
		count_level(data->data_src);
		count_tlb(data->data_src);
	}
	if (flags & PERF_SAMPLE_WEIGHT) {
		atomic64_inc(&received.weighted);
		atomic64_add(data->weight.full, &received.weight_sum);
	}
}

static int show_received(struct seq_file *m, void *unused)
{
#define SHOW(name) seq_printf(m, #name " %lld\n", atomic64_read(&received.name));
	COUNTS(SHOW)
	return 0;
}

static int open_received(struct inode *inode, struct file *file)
{
	return single_open(file, show_received, NULL);
}

const struct file_operations pmutest_received_fops = {
	.owner = THIS_MODULE,
	.open = open_received,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};
