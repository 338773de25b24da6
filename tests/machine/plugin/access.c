// SPDX-License-Identifier: GPL-2.0
/*
 * One load or store of the guest: where is it, does it miss, what does it cost.
 *
 * Knows how a guest address becomes a physical one and a tier. Does not know
 * how samples are chosen. This is the hot path of the whole machine.
 *
 * An access that crosses a cache line counts for its first line only. A
 * string instruction calls back once per element, a locked one twice, a
 * prefetch never (QEMU's doing).
 */
#include "machine.h"

#define KERNEL_IMAGE 0xffffffff80000000ULL
#define KERNEL_IMAGE_BYTES (1ULL << 30)
#define DIRECT_MAP_BYTES (1ULL << 46)
#define NO_PADDR UINT64_MAX

static int tier_of(uint64_t paddr)
{
	unsigned int i;

	for (i = 0; i < machine.nr_tiers; i++)
		if (paddr - machine.tier[i].start < machine.tier[i].end - machine.tier[i].start)
			return i;
	return -1;
}

/*
 * QEMU's answer for a kernel access can end QEMU (a device register: 10.0.2,
 * iotlb_to_section), so kernel addresses are computed: the direct map and the
 * kernel image are linear (the guest runs with nokaslr). vmalloc and vmemmap
 * are neither; they get no physical address.
 */
static uint64_t kernel_paddr(uint64_t vaddr)
{
	if (vaddr - machine.direct_map < DIRECT_MAP_BYTES)
		return vaddr - machine.direct_map;
	if (vaddr - KERNEL_IMAGE < KERNEL_IMAGE_BYTES)
		return vaddr - KERNEL_IMAGE;
	return NO_PADDR;
}

static uint64_t user_paddr(qemu_plugin_meminfo_t info, uint64_t vaddr)
{
	struct qemu_plugin_hwaddr *hwaddr = qemu_plugin_get_hwaddr(info, vaddr);

	return hwaddr ? qemu_plugin_hwaddr_phys_addr(hwaddr) : NO_PADDR;
}

static void count_region(struct vcpu *v, uint64_t vaddr, int tier)
{
	struct page_count *page;
	uint64_t offset = vaddr - machine.region.start;

	if (offset >= machine.region.bytes || v->cr3 != machine.region.cr3)
		return;
	page = &v->page[offset >> TCM_PAGE_SHIFT];
	page->misses++;
	page->fast += tier == 0;
	v->count.region[tier]++;
}

static void miss(struct vcpu *v, const struct access *access)
{
	int tier = access->tier;

	/* Kernel memory without a physical address lies on the boot node: charged as tier 0. */
	v->wait_ps += machine.wait_ps[tier < 0 ? 0 : tier];
	if (tier < 0) {
		v->count.unplaced_misses++;
		return;
	}
	if (access->flags & TCM_SAMPLE_STORE)
		v->count.stores[tier]++;
	else
		v->count.loads[tier]++;
	count_region(v, access->vaddr, tier);
}

void tcm_on_access(unsigned int vcpu_index, qemu_plugin_meminfo_t info, uint64_t vaddr, void *udata)
{
	struct vcpu *v = &machine.vcpu[vcpu_index];
	bool kernel = vaddr >> 63;
	struct access access = {
		.vaddr = vaddr,
		.flags = qemu_plugin_mem_is_store(info) ? TCM_SAMPLE_STORE : TCM_SAMPLE_LOAD,
		.tier = -1,
	};
	uint64_t op;

	access.paddr = kernel ? kernel_paddr(vaddr) : user_paddr(info, vaddr);
	if (access.paddr != NO_PADDR) {
		access.tier = tier_of(access.paddr);
		if (access.tier < 0)
			return; /* a device, or the shared window itself */
		access.flags |= TCM_SAMPLE_PADDR;
	} else if (!kernel) {
		return;
	}
	v->count.accesses++;
	/* No physical address can equal a kernel address, so both kinds share the cache. */
	if (!tcm_cache_access(&v->cache, access.tier < 0 ? vaddr : access.paddr)) {
		access.flags |= TCM_SAMPLE_MISS;
		miss(v, &access);
	}

	if (machine.shared->pmu[vcpu_index].generation != v->pmu_seen)
		tcm_sampler_reload(vcpu_index);
	op = *v->ops - tcm_cookie_from_end(udata);
	if (op < v->next_tag)
		return;
	access.ip = tcm_cookie_ip(udata);
	tcm_sampler_tag(vcpu_index, op, &access);
}
