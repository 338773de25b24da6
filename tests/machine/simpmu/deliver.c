// SPDX-License-Identifier: GPL-2.0
/*
 * From a record in the ring to perf's overflow path.
 *
 * Knows how AMD's driver fills perf_sample_data (perf_ibs_parse_ld_st_data()
 * and below: only what was asked for, and the flag with each field) and hands
 * the sample to perf_event_overflow(), so that throttling and the event's
 * handler are the kernel's own. Does not know who wrote the record.
 *
 * A pinned timer in hard interrupt context takes the place of the NMI, so
 * samples arrive late, by up to the poll interval, in whatever task runs
 * then. The registers carry the sampled instruction and its privilege.
 */
#define pr_fmt(fmt) "simpmu: " fmt

#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/static_call.h>

#include <asm/irq_regs.h>
#include <asm/perf_event.h>
#include <asm/segment.h>

#include "simpmu.h"

static unsigned int poll_us = 1000;
module_param(poll_us, uint, 0444);
MODULE_PARM_DESC(poll_us,
		 "Interval at which a CPU looks for samples, in microseconds (50 to 100000)");

static int overflow_unresolved(struct perf_event *event, struct perf_sample_data *data,
			       struct pt_regs *regs)
{
	return -EOPNOTSUPP;
}

DEFINE_STATIC_CALL(simpmu_overflow, overflow_unresolved);

/*
 * perf_event_overflow() is not exported. A kprobe's address is that of the
 * function or just behind its ENDBR; a direct call, which is what a static
 * call becomes, may go to either.
 */
static int resolve_overflow(void)
{
	struct kprobe probe = { .symbol_name = "perf_event_overflow" };
	int err = register_kprobe(&probe);

	if (err) {
		pr_err("perf_event_overflow was not found: %d\n", err);
		return err;
	}
	static_call_update(simpmu_overflow, (typeof(perf_event_overflow) *)probe.addr);
	unregister_kprobe(&probe);
	return 0;
}

int simpmu_deliver_init(void)
{
	if (poll_us < 50 || poll_us > 100000) {
		pr_err("poll_us=%u is not in 50..100000\n", poll_us);
		return -EINVAL;
	}
	return resolve_overflow();
}

ktime_t simpmu_poll_interval(void)
{
	return ns_to_ktime((u64)poll_us * NSEC_PER_USEC);
}

#define LEVEL(x) (PERF_MEM_S(LVL, x) | PERF_MEM_S(LVL, HIT))
#define LEVEL_NUMBER(x) PERF_MEM_S(LVLNUM, x)

/*
 * As perf_ibs_get_mem_lvl() and its table for Zen 4 say; the source is valid
 * for loads only. The machine has one level of cache: what that serves is
 * reported as the first level's, which has no latency there either.
 */
static u64 memory_level(const struct tcm_sample *sample)
{
	if (!(sample->flags & TCM_SAMPLE_MISS))
		return LEVEL(L1) | LEVEL_NUMBER(L1);
	switch (sample->data_source) {
	case TCM_KIND_DRAM:
		return LEVEL(LOC_RAM) | LEVEL_NUMBER(RAM);
	case TCM_KIND_PMEM:
		return LEVEL_NUMBER(PMEM);
	case TCM_KIND_CXL:
		return LEVEL_NUMBER(CXL);
	}
	return PERF_MEM_S(LVL, NA) | LEVEL_NUMBER(NA);
}

/* As perf_ibs_get_tlb_lvl(). */
static u64 tlb_level(const struct tcm_sample *sample)
{
	if (sample->flags & TCM_SAMPLE_TLB_MISS)
		return PERF_MEM_TLB_L2 | PERF_MEM_TLB_MISS;
	if (sample->flags & TCM_SAMPLE_TLB_SECOND)
		return PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT;
	return PERF_MEM_TLB_L1 | PERF_MEM_TLB_HIT;
}

static void fill_source(const struct tcm_sample *sample, struct perf_sample_data *data)
{
	data->data_src.mem_lvl = 0;
	data->data_src.mem_lvl_num = 0;
	data->data_src.val |= memory_level(sample);
	data->data_src.mem_snoop = PERF_MEM_SNOOP_NA;
	data->data_src.mem_dtlb = tlb_level(sample);
	data->data_src.mem_lock = PERF_MEM_LOCK_NA;
	data->sample_flags |= PERF_SAMPLE_DATA_SRC;
}

static void fill_weight(u64 asked, const struct tcm_sample *sample, struct perf_sample_data *data)
{
	if (asked & PERF_SAMPLE_WEIGHT_STRUCT) {
		data->weight.var1_dw = sample->latency_cycles;
		data->weight.var2_w = sample->retire_cycles;
	} else {
		data->weight.full = sample->latency_cycles;
	}
	data->sample_flags |= PERF_SAMPLE_WEIGHT_TYPE;
}

static void fill_data(u64 asked, const struct tcm_sample *sample, struct perf_sample_data *data)
{
	bool load = sample->flags & TCM_SAMPLE_LOAD;

	data->data_src.val = PERF_MEM_NA;
	data->data_src.mem_op = PERF_MEM_OP_NA;
	if (!load && !(sample->flags & TCM_SAMPLE_STORE))
		return;
	data->data_src.mem_op = load ? PERF_MEM_OP_LOAD : PERF_MEM_OP_STORE;
	if (asked & PERF_SAMPLE_DATA_SRC)
		fill_source(sample, data);
	if (asked & PERF_SAMPLE_WEIGHT_TYPE && load && sample->flags & TCM_SAMPLE_MISS)
		fill_weight(asked, sample, data);
	if (asked & PERF_SAMPLE_ADDR) {
		data->addr = sample->vaddr;
		data->sample_flags |= PERF_SAMPLE_ADDR;
	}
	if (asked & PERF_SAMPLE_PHYS_ADDR && sample->flags & TCM_SAMPLE_PADDR) {
		data->phys_addr = sample->paddr;
		data->sample_flags |= PERF_SAMPLE_PHYS_ADDR;
	}
}

static void sampled_regs(const struct tcm_sample *sample, struct pt_regs *regs)
{
	struct pt_regs *interrupted = get_irq_regs();

	if (interrupted)
		*regs = *interrupted;
	else
		memset(regs, 0, sizeof(*regs));
	if (!sample->ip)
		return;
	regs->ip = sample->ip;
	regs->cs = (s64)sample->ip < 0 ? __KERNEL_CS : __USER_CS;
	regs->flags |= PERF_EFLAGS_EXACT;
}

static bool filtered(const struct perf_event_attr *attr, const struct tcm_sample *sample,
		     struct pt_regs *regs)
{
	if (!(attr->config2 & SIMPMU_SWFILT))
		return false;
	if (attr->exclude_kernel && (!user_mode(regs) || (s64)sample->vaddr < 0))
		return true;
	return attr->exclude_user && user_mode(regs);
}

/* As perf_ibs_handle_irq(): count, see whether perf's period is through, report, re-arm. */
static void deliver(struct simpmu_cpu *cpu, const struct tcm_sample *sample)
{
	struct perf_event *event = cpu->event;
	struct hw_perf_event *hwc = &event->hw;
	struct perf_sample_data data;
	struct pt_regs regs;
	u64 period;

	local64_add(cpu->armed_period, &event->count);
	local64_sub(cpu->armed_period, &hwc->period_left);
	perf_sample_data_init(&data, 0, hwc->last_period);
	if (!simpmu_set_period(hwc, &period))
		goto rearm;
	sampled_regs(sample, &regs);
	if (filtered(&event->attr, sample, &regs)) {
		atomic64_inc(&simpmu_stats.filtered);
		goto rearm;
	}
	fill_data(event->attr.sample_type, sample, &data);
	atomic64_inc(&simpmu_stats.delivered);
	if (static_call(simpmu_overflow)(event, &data, &regs)) {
		atomic64_inc(&simpmu_stats.throttled);
		simpmu_stop(event, 0);
		return;
	}
rearm:
	if (period != cpu->armed_period)
		simpmu_arm(cpu, period, cpu->control->flags);
	perf_event_update_userpage(event);
}

/* What perf leaves in the ring when it throttles is delivered after it has started again. */
static void drain(struct simpmu_cpu *cpu)
{
	struct tcm_ring *ring = cpu->ring;

	while (cpu->running && simpmu_ring_waiting(ring)) {
		struct tcm_sample sample = ring->slot[ring->tail & (TCM_RING_SLOTS - 1)];

		simpmu_ring_release(ring, 1);
		deliver(cpu, &sample);
	}
}

/*
 * The sampler pauses while samples are handled, as the hardware does between
 * a sample and the driver's re-arming: it never samples its own handler.
 */
static enum hrtimer_restart poll(struct hrtimer *timer)
{
	struct simpmu_cpu *cpu = container_of(timer, struct simpmu_cpu, timer);

	if (!cpu->running)
		return HRTIMER_NORESTART;
	if (simpmu_ring_waiting(cpu->ring)) {
		simpmu_arm(cpu, cpu->armed_period, cpu->control->flags | TCM_PMU_PAUSED);
		drain(cpu);
		if (!cpu->running)
			return HRTIMER_NORESTART;
		simpmu_arm(cpu, cpu->armed_period, cpu->control->flags & ~TCM_PMU_PAUSED);
	}
	hrtimer_forward_now(timer, simpmu_poll_interval());
	return HRTIMER_RESTART;
}

void simpmu_timer_setup(struct hrtimer *timer)
{
#ifdef HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, poll, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer->function = poll;
#endif
}
