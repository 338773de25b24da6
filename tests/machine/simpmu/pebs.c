// SPDX-License-Identifier: GPL-2.0
/*
 * With pebs=1: an emulated core PMU of Intel (the one of PERF_TYPE_RAW) that
 * has nothing but two precise memory events, instead of ibs_op.
 *
 * Knows the rules of Intel's driver (intel_pmu_hw_config() and
 * arch/x86/events/intel/ds.c of Linux 6.12 and 7.3): a sample has a virtual
 * address and no physical one, and an event with a fixed period and without
 * wakeup_events collects its records in the PEBS buffer ("large PEBS"), from
 * where they go to perf's ring buffer and never to an overflow handler. Does
 * not know page tables: it reports whatever address it was fed.
 *
 * Samples are delivered in the context of the task that writes them, with
 * interrupts off: as on the hardware, the sampled address space is current.
 */
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include <asm/ptrace.h>

#include "simpmu.h"

/* Umask and event of MEM_LOAD_RETIRED.L3_MISS and MEM_INST_RETIRED.ALL_STORES. */
#define LOAD_MISS 0x20d1
#define STORE 0x82d0

/* What big cores have with hyperthreading on, and the highest precision. */
#define COUNTERS 4
#define MAX_PRECISE 3

/* Samples delivered with interrupts off in one go, and how long a throttled event is waited for. */
#define CHUNK 64
#define STALL_JIFFIES (2 * HZ)

/* LARGE_PEBS_FLAGS of arch/x86/events/perf_event.h */
#define LARGE_SAMPLE                                                                              \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_IDENTIFIER |                  \
	 PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_REGS_INTR |                \
	 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CODE_PAGE_SIZE |                \
	 PERF_SAMPLE_WEIGHT_TYPE)

static DEFINE_PER_CPU(struct perf_event *[COUNTERS], counters);

static bool is_large(const struct perf_event_attr *attr)
{
	if (attr->freq || (attr->wakeup_events && !attr->watermark))
		return false;
	return !(attr->sample_type & ~LARGE_SAMPLE);
}

static int pebs_event_init(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;

	if (event->attr.type != PERF_TYPE_RAW)
		return -ENOENT;
	if (event->attr.config != LOAD_MISS && event->attr.config != STORE)
		return -EINVAL;
	if (!event->attr.precise_ip || event->attr.precise_ip > MAX_PRECISE)
		return -EOPNOTSUPP;
	if (has_branch_stack(event))
		return -EOPNOTSUPP;
	if (!is_sampling_event(event))
		return -EINVAL;
	hwc->last_period = hwc->sample_period;
	return 0;
}

static void pebs_start(struct perf_event *event, int flags)
{
	event->hw.state = 0;
}

static void pebs_stop(struct perf_event *event, int flags)
{
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int pebs_add(struct perf_event *event, int flags)
{
	struct perf_event **counter = *this_cpu_ptr(&counters);
	int i;

	for (i = 0; i < COUNTERS && counter[i]; i++)
		;
	if (i == COUNTERS)
		return -EINVAL;
	event->hw.idx = i;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		pebs_start(event, PERF_EF_RELOAD);
	counter[i] = event;
	return 0;
}

static void pebs_del(struct perf_event *event, int flags)
{
	pebs_stop(event, PERF_EF_UPDATE);
	(*this_cpu_ptr(&counters))[event->hw.idx] = NULL;
	perf_event_update_userpage(event);
}

static void pebs_read(struct perf_event *event)
{
}

struct pmu simpmu_pebs = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_hw_context,
	.event_init = pebs_event_init,
	.add = pebs_add,
	.del = pebs_del,
	.start = pebs_start,
	.stop = pebs_stop,
	.read = pebs_read,
};

static bool is_counting(const struct perf_event *event, const struct tcm_feed *feed)
{
	return event && event->attr.config == (feed->flags & TCM_FEED_STORE ? STORE : LOAD_MISS);
}

/*
 * As precise_datala_hsw(), which both events go through: a load says no more
 * than that it was one, a store whether the first level had it. Fed accesses
 * are misses. Neither event has a latency (only load-latency events do).
 */
static u64 pebs_source(const struct perf_event *event)
{
	union perf_mem_data_src source = { .val = PERF_MEM_NA };

	if (event->attr.config == LOAD_MISS) {
		source.mem_op = PERF_MEM_OP_LOAD;
	} else {
		source.mem_op = PERF_MEM_OP_STORE;
		source.mem_lvl = PERF_MEM_LVL_L1 | PERF_MEM_LVL_MISS;
	}
	return source.val;
}

static void pebs_overflow(struct perf_event *event, u64 address)
{
	struct hw_perf_event *hwc = &event->hw;
	struct perf_sample_data data;

	local64_add(hwc->sample_period, &event->count);
	if (event->attr.exclude_user) {
		atomic64_inc(&simpmu_stats.filtered);
		return;
	}
	if (is_large(&event->attr)) {
		atomic64_inc(&simpmu_stats.large_pebs);
		return;
	}
	perf_sample_data_init(&data, 0, hwc->last_period);
	if (event->attr.sample_type & PERF_SAMPLE_ADDR) {
		data.addr = address;
		data.sample_flags |= PERF_SAMPLE_ADDR;
	}
	if (event->attr.sample_type & PERF_SAMPLE_DATA_SRC) {
		data.data_src.val = pebs_source(event);
		data.sample_flags |= PERF_SAMPLE_DATA_SRC;
	}
	atomic64_inc(&simpmu_stats.delivered);
	if (static_call(simpmu_overflow)(event, &data, task_pt_regs(current))) {
		atomic64_inc(&simpmu_stats.throttled);
		pebs_stop(event, 0);
	}
}

/* One access, seen by every event that counts its kind; false while one of them is throttled. */
static bool access_one(const struct tcm_feed *feed)
{
	struct perf_event **counter = *this_cpu_ptr(&counters);
	bool counted = false;
	int i;

	for (i = 0; i < COUNTERS; i++)
		if (is_counting(counter[i], feed) && counter[i]->hw.state & PERF_HES_STOPPED)
			return false;
	for (i = 0; i < COUNTERS; i++) {
		if (!is_counting(counter[i], feed))
			continue;
		pebs_overflow(counter[i], feed->vaddr);
		counted = true;
	}
	if (!counted)
		atomic64_inc(&simpmu_stats.no_event);
	return true;
}

/*
 * An access ends before its sample is taken, and a page that is being moved is waited for in it. Where
 * nothing is mapped there is none, and the address is reported all the same.
 */
static void access_page(const struct tcm_feed *feed)
{
	char byte;

	if (copy_from_user(&byte, u64_to_user_ptr(feed->vaddr), sizeof(byte)))
		return;
}

/* Returns how many of "count" accesses took place before an event was throttled. */
static u32 access_some(const struct tcm_feed *feed, u32 count)
{
	unsigned long flags;
	u32 done = 0;

	local_irq_save(flags);
	while (done < min(count, CHUNK) && access_one(feed))
		done++;
	local_irq_restore(flags);
	return done;
}

int simpmu_pebs_feed(const struct tcm_feed *feed)
{
	unsigned long since = jiffies;
	u32 left = feed->count, done;

	if (feed->flags & ~TCM_FEED_STORE)
		return -EINVAL;
	while (left && !signal_pending(current)) {
		access_page(feed);
		done = access_some(feed, left);
		atomic64_add(done, &simpmu_stats.fed);
		left -= done;
		if (!done)
			schedule_timeout_interruptible(1);
		if (done)
			since = jiffies;
		if (time_after(jiffies, since + STALL_JIFFIES))
			return -ETIMEDOUT;
		cond_resched();
	}
	return left ? -EINTR : 0;
}
