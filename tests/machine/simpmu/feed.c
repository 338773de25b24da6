// SPDX-License-Identifier: GPL-2.0
/*
 * debugfs simpmu/: what was counted, and samples written by hand.
 *
 * Knows how to turn a virtual address of the writer into a record, and fills
 * the ring of the CPU it runs on; from there a fed sample goes the way of any
 * other. With pebs=1 the address itself goes to the PMU. Does not know perf.
 *
 * A write returns when all its samples were delivered or dropped for want of
 * an event, or fails when for two seconds none was (the event is disabled).
 */
#define pr_fmt(fmt) "simpmu: " fmt

#include <linux/debugfs.h>
#include <linux/mm.h>
#include <linux/pfn.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "simpmu.h"

/* Latencies of fed samples: what a miss on this kind of memory costs at 3 GHz (80 and 170 ns). */
#define DRAM_CYCLES 240
#define CXL_CYCLES 510

/* What cases may make of them: debugfs simpmu/dram_cycles, cxl_cycles and tlb_miss. */
static u32 dram_cycles = DRAM_CYCLES;
static u32 cxl_cycles = CXL_CYCLES;
static bool tlb_miss;

#define STALL_JIFFIES (2 * HZ)
#define CHUNK 256

struct simpmu_stats simpmu_stats;
static struct dentry *dir;
static bool to_pebs;

static int stats_show(struct seq_file *m, void *unused)
{
	u64 lost = 0;
	int cpu;

	for (cpu = 0; cpu < TCM_MAX_CPUS; cpu++)
		lost += READ_ONCE(simpmu_shared->ring[cpu].lost);
	seq_puts(m, "# simpmu stats v1\n");
	seq_printf(m, "fed %lld\n", atomic64_read(&simpmu_stats.fed));
	seq_printf(m, "delivered %lld\n", atomic64_read(&simpmu_stats.delivered));
	seq_printf(m, "filtered %lld\n", atomic64_read(&simpmu_stats.filtered));
	seq_printf(m, "no_event %lld\n", atomic64_read(&simpmu_stats.no_event));
	seq_printf(m, "large_pebs %lld\n", atomic64_read(&simpmu_stats.large_pebs));
	seq_printf(m, "lost %llu\n", lost);
	seq_printf(m, "period_changes %lld\n", atomic64_read(&simpmu_stats.period_changes));
	seq_printf(m, "throttled %lld\n", atomic64_read(&simpmu_stats.throttled));
	seq_printf(m, "refused %lld\n", atomic64_read(&simpmu_stats.refused));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

/* Touches the page as the sampled instruction would have; the reference is given back at once. */
static int translate(const struct tcm_feed *feed, struct tcm_sample *sample)
{
	bool store = feed->flags & TCM_FEED_STORE;
	struct page *page;
	bool near;

	if (feed->flags & ~TCM_FEED_STORE || feed->vaddr >= TASK_SIZE_MAX)
		return -EINVAL;
	if (get_user_pages_fast(feed->vaddr, 1, store ? FOLL_WRITE : 0, &page) != 1)
		return -EFAULT;
	near = node_state(page_to_nid(page), N_CPU);
	*sample = (struct tcm_sample){
		.vaddr = feed->vaddr,
		.paddr = PFN_PHYS(page_to_pfn(page)) + offset_in_page(feed->vaddr),
		.ip = instruction_pointer(task_pt_regs(current)),
		.flags = (store ? TCM_SAMPLE_STORE : TCM_SAMPLE_LOAD) | TCM_SAMPLE_MISS |
			 TCM_SAMPLE_PADDR | (READ_ONCE(tlb_miss) ? TCM_SAMPLE_TLB_MISS : 0),
		.latency_cycles = READ_ONCE(*(near ? &dram_cycles : &cxl_cycles)),
	};
	if (!store)
		sample->data_source = near ? TCM_KIND_DRAM : TCM_KIND_CXL;
	put_page(page);
	return 0;
}

static bool push_one(struct tcm_ring *ring, const struct tcm_sample *sample)
{
	/* pairs with simpmu_ring_release() */
	if (ring->head - smp_load_acquire(&ring->tail) == TCM_RING_SLOTS)
		return false;
	ring->slot[ring->head & (TCM_RING_SLOTS - 1)] = *sample;
	/* pairs with simpmu_ring_waiting() */
	smp_store_release(&ring->head, ring->head + 1);
	return true;
}

/* Pushes as many copies as the ring of this CPU takes now; returns how many are done with. */
static u32 push(const struct tcm_sample *sample, u32 count)
{
	struct simpmu_cpu *cpu = get_cpu_ptr(&simpmu_cpus);
	u32 done = 0;

	if (!READ_ONCE(cpu->event)) {
		atomic64_add(count, &simpmu_stats.no_event);
		done = count;
	}
	while (done < count && push_one(cpu->ring, sample))
		done++;
	put_cpu_ptr(&simpmu_cpus);
	return done;
}

static u64 backlog(void)
{
	u64 sum = 0;
	int cpu;

	for (cpu = 0; cpu < TCM_MAX_CPUS; cpu++) {
		struct tcm_ring *ring = &simpmu_shared->ring[cpu];

		sum += READ_ONCE(ring->head) - READ_ONCE(ring->tail);
	}
	return sum;
}

/* Sleeps a tick; fails if the backlog has not shrunk since *since. */
static int wait_for_progress(u64 *last, unsigned long *since)
{
	u64 now = backlog();

	if (now < *last)
		*since = jiffies;
	else if (time_after(jiffies, *since + STALL_JIFFIES))
		return -ETIMEDOUT;
	*last = now;
	schedule_timeout_interruptible(1);
	return signal_pending(current) ? -EINTR : 0;
}

static int feed_one(const struct tcm_feed *feed)
{
	unsigned long since = jiffies;
	struct tcm_sample sample;
	u32 left = feed->count;
	u64 last = U64_MAX;
	int err;

	err = translate(feed, &sample);
	while (!err && left) {
		u32 done = push(&sample, left);

		atomic64_add(done, &simpmu_stats.fed);
		left -= done;
		if (left)
			err = wait_for_progress(&last, &since);
	}
	return err;
}

static int wait_until_drained(void)
{
	unsigned long since = jiffies;
	u64 last = U64_MAX;
	int err = 0;

	while (!err && backlog())
		err = wait_for_progress(&last, &since);
	return err;
}

static int feed_chunk(const struct tcm_feed *feed, size_t nr)
{
	size_t i;
	int err = 0;

	for (i = 0; i < nr && !err; i++)
		err = to_pebs ? simpmu_pebs_feed(&feed[i]) : feed_one(&feed[i]);
	return err;
}

static ssize_t feed_write(struct file *file, const char __user *from, size_t len, loff_t *pos)
{
	struct tcm_feed *chunk;
	size_t done = 0;
	int err = 0;

	if (!len || len % sizeof(*chunk))
		return -EINVAL;
	chunk = kmalloc_array(CHUNK, sizeof(*chunk), GFP_KERNEL);
	if (!chunk)
		return -ENOMEM;
	while (done < len && !err) {
		size_t bytes = min(len - done, CHUNK * sizeof(*chunk));

		if (copy_from_user(chunk, from + done, bytes))
			err = -EFAULT;
		else
			err = feed_chunk(chunk, bytes / sizeof(*chunk));
		done += bytes;
	}
	kfree(chunk);
	if (!err)
		err = wait_until_drained();
	return err ? err : len;
}

static const struct file_operations feed_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = feed_write,
	.llseek = noop_llseek,
};

int simpmu_debugfs_init(bool feed, bool pebs)
{
	to_pebs = pebs;
	dir = debugfs_create_dir("simpmu", NULL);
	debugfs_create_file("stats", 0444, dir, NULL, &stats_fops);
	if (feed) {
		debugfs_create_file("feed", 0200, dir, NULL, &feed_fops);
		debugfs_create_u32("dram_cycles", 0644, dir, &dram_cycles);
		debugfs_create_u32("cxl_cycles", 0644, dir, &cxl_cycles);
		debugfs_create_bool("tlb_miss", 0644, dir, &tlb_miss);
	}
	return PTR_ERR_OR_ZERO(dir);
}

void simpmu_debugfs_exit(void)
{
	debugfs_remove_recursive(dir);
}
