// SPDX-License-Identifier: GPL-2.0
/*
 * AMD IBS as a source of samples: the op event of PMU ibs_op, which gives the physical address,
 * what served the access and how long it took. Knows perf's view of IBS, nothing of pages.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/bits.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/perf_event.h>

#include "../kernel/symbols.h"
#include "../policy/prime.h"
#include "sampler.h"

/*
 * Fields of config, published as formats of the PMU (AMD APM volume 2, 13.3). Only what is
 * there on every CPU with IBS is needed; the rest is tried and left out where it is refused.
 */
#define TC_IBS_COUNT_OPS BIT_ULL(19)
#define TC_IBS_L3_MISS_ONLY BIT_ULL(16)

static const u64 tc_ibs_configs[] = {
	TC_IBS_COUNT_OPS | TC_IBS_L3_MISS_ONLY,
	TC_IBS_COUNT_OPS,
	0,
};

/*
 * Without L3_MISS_ONLY every tagged access interrupts, most of them for a cache hit: the interval is
 * made longer by this, to keep the rate of interrupts bearable.
 */
#define TC_IBS_UNFILTERED 64

static u32 tc_ibs_type;

/* The accepted configuration; the same on all CPUs, and found by the first. */
static u64 tc_ibs_config = TC_IBS_COUNT_OPS | TC_IBS_L3_MISS_ONLY;

static unsigned int tc_ibs_period_for(u64 config, unsigned int wanted)
{
	if (config & TC_IBS_L3_MISS_ONLY)
		return wanted;
	return tc_ibs_period_nearest((u64)wanted * TC_IBS_UNFILTERED);
}

static unsigned int tc_ibs_period(unsigned int which, unsigned int wanted)
{
	return tc_ibs_period_for(READ_ONCE(tc_ibs_config), wanted);
}

static int tc_ibs_probe(const char **why)
{
	struct device *device;
	struct pmu *pmu;

	if (!tc_symbol_found(TC_SYMBOL_pmu_bus)) {
		*why = "the kernel's list of PMUs was not found";
		return -ENODEV;
	}
	device = bus_find_device_by_name(
		(const struct bus_type *)tc_symbol(TC_SYMBOL_pmu_bus)->address, NULL, "ibs_op");
	if (!device) {
		*why = "no hardware sampling: this machine has no PMU ibs_op";
		return -ENODEV;
	}
	pmu = dev_get_drvdata(device);
	tc_ibs_type = pmu->type;
	put_device(device);
	return 0;
}

/*
 * Did a cache serve it? IBS says what served a load; of a store it knows first and second level
 * hits only. What it does not know may have come from memory and is kept.
 */
static bool tc_ibs_cache_hit(union perf_mem_data_src source)
{
	switch (source.mem_lvl_num) {
	case PERF_MEM_LVLNUM_L1:
	case PERF_MEM_LVLNUM_L2:
	case PERF_MEM_LVLNUM_L3:
	case PERF_MEM_LVLNUM_ANY_CACHE:
		return true;
	default:
		return false;
	}
}

static __always_inline void tc_ibs_sample(struct tc_sampler_cpu *sc, struct perf_sample_data *data)
{
	struct tc_sample sample = { .tgid = tc_sample_tgid() };

	if (!(data->sample_flags & PERF_SAMPLE_PHYS_ADDR)) {
		local_inc(&sc->no_address);
		return;
	}
	if (data->sample_flags & PERF_SAMPLE_DATA_SRC) {
		if (tc_ibs_cache_hit(data->data_src)) {
			local_inc(&sc->cache_hit);
			return;
		}
		if (data->data_src.mem_op & PERF_MEM_OP_STORE)
			sample.flags |= TC_SAMPLE_STORE;
		if (data->data_src.mem_dtlb & PERF_MEM_TLB_MISS)
			sample.flags |= TC_SAMPLE_TLB_MISS;
	}
	if (data->sample_flags & PERF_SAMPLE_WEIGHT)
		sample.latency = min_t(u64, data->weight.full, U32_MAX);
	sample.pfn = PHYS_PFN(data->phys_addr);
	tc_ring_push(&sc->ring, &sample);
}

/* NMI context: no lock, no allocation, no print. */
static void tc_ibs_overflow(struct perf_event *event, struct perf_sample_data *data,
			    struct pt_regs *regs)
{
	struct tc_sampler_cpu *sc = event->overflow_handler_context;
	u64 begin = tc_handler_begin(sc, event);

	tc_ibs_sample(sc, data);
	tc_handler_end(sc, begin);
}

/*
 * No exclude bit is set: IBS refuses them under 6.12. The event is not pinned, so a user who
 * runs perf on IBS shares the hardware with it instead of being locked out.
 */
static struct perf_event *tc_ibs_create(int cpu, unsigned int which, unsigned int period,
					struct tc_sampler_cpu *sc)
{
	struct perf_event_attr attr = {
		.type = tc_ibs_type,
		.size = sizeof(attr),
		.disabled = 1,
		.sample_type = PERF_SAMPLE_ADDR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_SRC |
			       PERF_SAMPLE_WEIGHT,
	};
	struct perf_event *event = ERR_PTR(-EINVAL);
	int i;

	for (i = 0; i < ARRAY_SIZE(tc_ibs_configs) && event == ERR_PTR(-EINVAL); i++) {
		attr.config = tc_ibs_configs[i];
		attr.sample_period = tc_ibs_period_for(attr.config, period);
		event = perf_event_create_kernel_counter(&attr, cpu, NULL, tc_ibs_overflow, sc);
	}
	if (!IS_ERR(event))
		WRITE_ONCE(tc_ibs_config, attr.config);
	return event;
}

const struct tc_sampler_ops tc_ibs_ops = {
	.name = "ibs",
	.events = 1,
	.probe = tc_ibs_probe,
	.create = tc_ibs_create,
	.period = tc_ibs_period,
	.tells_tlb = true,
	.tells_stores = true,
};
