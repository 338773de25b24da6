// SPDX-License-Identifier: GPL-2.0
/*
 * One load or store of the guest: does it miss, and what does that cost.
 *
 * Knows cache, tiers and their present latencies. Does not know how an address
 * is translated (translate.c) nor how samples are chosen (sampler.c). This is
 * the hot path of the whole machine.
 *
 * An access that crosses a cache line counts for its first line only. A
 * string instruction calls back once per element, a locked one twice, a
 * prefetch never (QEMU's doing). Misses follow one another: nothing overlaps.
 */
#include "machine.h"

int tcm_tier_of(uint64_t paddr)
{
	const struct tcm_tier *tier = machine.config.tier;
	unsigned int i;

	for (i = 0; i < machine.config.nr_tiers; i++)
		if (paddr - tier[i].start < tier[i].end - tier[i].start)
			return i;
	return -1;
}

uint64_t tcm_memory_miss(struct vcpu *v, int tier, bool store, uint64_t written_back)
{
	uint64_t now = tcm_now_ps(v);

	if (now - v->meter.started_ps >= METER_PS)
		tcm_meter_close(v, now);
	v->meter.lines_read[tier]++;
	if (written_back != CACHE_NOTHING) {
		int to = tcm_tier_of(written_back);

		v->meter.lines_written[to]++;
		v->count.write_backs[to]++;
	}
	return store ? v->meter.store_ps[tier] : v->meter.load_ps[tier];
}

static void count_region(struct vcpu *v, uint64_t vaddr, int tier)
{
	struct page_count *page;

	if (!tcm_in_region(v, vaddr))
		return;
	page = &v->page[(vaddr - machine.region.start) >> TCM_PAGE_SHIFT];
	page->misses++;
	page->fast += tier == 0;
	v->count.region[tier]++;
}

static void miss(struct vcpu *v, struct access *access, bool store, uint64_t written_back)
{
	int tier = access->tier;

	access->flags |= TCM_SAMPLE_MISS;
	access->memory_ps = tcm_memory_miss(v, tier, store, written_back);
	v->count.memory_ps[tier] += access->memory_ps;
	if (store)
		v->count.stores[tier]++;
	else
		v->count.loads[tier]++;
	count_region(v, access->vaddr, tier);
}

static void charge(struct vcpu *v, const struct access *access)
{
	uint64_t wait = access->memory_ps + access->translation_ps;

	v->wait_ps += wait;
	if (access->ip >> 63)
		v->kernel_wait_ps += wait;
}

static void sample(unsigned int index, uint64_t op, const struct access *access)
{
	struct vcpu *v = &machine.vcpu[index];

	if (machine.shared->pmu[index].generation != v->pmu_seen)
		tcm_sampler_reload(index);
	if (op >= v->next_tag)
		tcm_sampler_tag(index, op, access);
}

static inline void on_access(unsigned int index, qemu_plugin_meminfo_t info, uint64_t vaddr,
			     void *udata, bool store)
{
	struct vcpu *v = &machine.vcpu[index];
	struct access access = {
		.vaddr = vaddr,
		.ip = tcm_cookie_ip(udata),
		.flags = store ? TCM_SAMPLE_STORE : TCM_SAMPLE_LOAD,
		.info = info,
	};
	uint64_t written_back;

	if (!tcm_translate(v, &access))
		return;
	v->count.accesses++;
	if (access.tier >= 0 && !tcm_cache_access(&v->cache, access.paddr, store, &written_back))
		miss(v, &access, store, written_back);
	if (access.memory_ps + access.translation_ps)
		charge(v, &access);
	sample(index, *v->ops - tcm_cookie_from_end(udata), &access);
}

void tcm_on_load(unsigned int vcpu_index, qemu_plugin_meminfo_t info, uint64_t vaddr, void *udata)
{
	on_access(vcpu_index, info, vaddr, udata, false);
}

void tcm_on_store(unsigned int vcpu_index, qemu_plugin_meminfo_t info, uint64_t vaddr, void *udata)
{
	on_access(vcpu_index, info, vaddr, udata, true);
}
