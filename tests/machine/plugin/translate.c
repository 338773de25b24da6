// SPDX-License-Identifier: GPL-2.0
/*
 * From a guest's virtual address to a physical one, as the processor's TLB and
 * page walker do it, and what that costs.
 *
 * Knows TLB, page tables, and which instructions drop translations. Does not
 * know what the access itself costs.
 *
 * QEMU's own answer (qemu_plugin_get_hwaddr) is asked for user addresses only:
 * for a kernel access to a device it can end QEMU (10.0, iotlb_to_section). The
 * walk reads the tables through the kernel's direct map, which every page
 * table has unless the kernel isolates them (it does not on AMD's processors,
 * which QEMU's "max" model reports). A walk that fails, as for an address whose
 * mapping was taken away but not yet flushed, is not cached.
 */
#include "machine.h"

#include <string.h>

#define KERNEL_IMAGE 0xffffffff80000000ULL
#define KERNEL_IMAGE_BYTES (1ULL << 30)
#define DIRECT_MAP_BYTES (1ULL << 46)

/* An entry that a walk reads comes through the cache like any load. */
static bool read_entries(void *context, uint64_t paddr, unsigned int nr, uint64_t *entry)
{
	struct vcpu *v = context;
	size_t bytes = nr * sizeof(*entry);
	int tier = tcm_tier_of(paddr);
	uint64_t written_back, wait = machine.config.walk_load_ps;

	if (tier < 0 || !qemu_plugin_read_memory_vaddr(machine.direct_map + paddr, v->bytes, bytes))
		return false;
	memcpy(entry, v->bytes->data, bytes);
	v->count.walk_loads++;
	if (!tcm_cache_access(&v->cache, paddr, false, &written_back)) {
		v->count.walk_misses[tier]++;
		wait = tcm_memory_miss(v, tier, false, written_back);
	}
	v->count.translation_ps += wait;
	v->walker.waited_ps += wait;
	return true;
}

/* The direct map and the kernel image are linear (the guest runs with nokaslr). */
static uint64_t linear_paddr(uint64_t vaddr)
{
	if (vaddr - machine.direct_map < DIRECT_MAP_BYTES)
		return vaddr - machine.direct_map;
	if (vaddr - KERNEL_IMAGE < KERNEL_IMAGE_BYTES)
		return vaddr - KERNEL_IMAGE;
	return NO_PADDR;
}

static uint64_t qemu_paddr(const struct access *access)
{
	struct qemu_plugin_hwaddr *hwaddr = qemu_plugin_get_hwaddr(access->info, access->vaddr);

	return hwaddr ? qemu_plugin_hwaddr_phys_addr(hwaddr) : NO_PADDR;
}

static uint64_t paddr_without_walk(const struct access *access)
{
	return access->vaddr >> 63 ? linear_paddr(access->vaddr) : qemu_paddr(access);
}

/* Both look at the same tables, so a difference is a defect of the model. */
static void compare_with_qemu(struct vcpu *v, const struct access *access)
{
	if (!(access->vaddr >> 63) && tcm_tier_of(access->paddr) >= 0 &&
	    qemu_paddr(access) != access->paddr)
		v->count.mistranslated++;
}

bool tcm_in_region(const struct vcpu *v, uint64_t vaddr)
{
	return vaddr - machine.region.start < machine.region.bytes &&
	       !((v->cr3 ^ machine.region.cr3) & ~CR3_HALF);
}

static bool from_second(struct vcpu *v, struct access *access)
{
	const struct tlb_entry *entry = tcm_tlb_second(&v->tlb, access->vaddr);

	if (!entry)
		return false;
	access->paddr = tlb_paddr(entry, access->vaddr);
	access->flags |= TCM_SAMPLE_TLB_SECOND;
	access->translation_ps = machine.config.stlb_ps;
	v->count.tlb_second++;
	v->count.region_second += tcm_in_region(v, access->vaddr);
	v->count.translation_ps += machine.config.stlb_ps;
	return true;
}

static void from_tables(struct vcpu *v, struct access *access)
{
	struct walk_result found;
	struct tlb_entry entry;
	bool mapped;

	v->walker.waited_ps = 0;
	mapped = tcm_walk(&v->walker.tables, v->cr3, access->vaddr, read_entries, v, &found);
	access->flags |= TCM_SAMPLE_TLB_MISS;
	access->translation_ps = v->walker.waited_ps;
	if (!mapped) {
		access->paddr = paddr_without_walk(access);
		return;
	}
	v->count.walks[found.shift < TLB_HUGE_SHIFT ? 0 : found.shift == TLB_HUGE_SHIFT ? 1 : 2]++;
	v->count.region_walks += tcm_in_region(v, access->vaddr);
	entry = tcm_tlb_insert(&v->tlb, access->vaddr,
			       found.frame | (found.global ? TLB_GLOBAL : 0), found.shift);
	access->paddr = tlb_paddr(&entry, access->vaddr);
	compare_with_qemu(v, access);
}

/* False for a device or the shared window itself. */
bool tcm_translate(struct vcpu *v, struct access *access)
{
	const struct tlb_entry *entry = tlb_first(&v->tlb, access->vaddr);

	if (__builtin_expect(entry != NULL, 1))
		access->paddr = tlb_paddr(entry, access->vaddr);
	else if (!from_second(v, access))
		from_tables(v, access);
	if (machine.verify)
		compare_with_qemu(v, access);
	if (access->paddr == NO_PADDR) {
		access->tier = -1;
		v->count.unplaced++;
		return access->vaddr >> 63;
	}
	access->flags |= TCM_SAMPLE_PADDR;
	access->tier = tcm_tier_of(access->paddr);
	return access->tier >= 0;
}

/* --- what drops translations ------------------------------------------------------------------ */

static void flush(struct vcpu *v, bool keep_global)
{
	if (!machine.running)
		return;
	v->count.flushes++;
	tcm_tlb_flush(&v->tlb, keep_global);
	tcm_walk_forget(&v->walker.tables);
}

/* QEMU's processors have no PCID, so a new page table always drops what is not global. */
static void on_write_cr3(unsigned int vcpu_index, void *udata)
{
	struct vcpu *v = &machine.vcpu[vcpu_index];

	v->cr3 = tcm_read_gpr(v, (uintptr_t)udata) & CR3_TABLE;
	flush(v, true);
}

/* Linux writes CR4 to toggle PGE, which drops everything; other changes of it are rare. */
static void on_invalidate(unsigned int vcpu_index, void *udata)
{
	(void)udata;
	flush(&machine.vcpu[vcpu_index], false);
}

static void on_invlpg(unsigned int vcpu_index, void *udata)
{
	struct vcpu *v = &machine.vcpu[vcpu_index];

	if (!machine.running)
		return;
	v->count.page_flushes++;
	tcm_tlb_flush_page(&v->tlb, tcm_read_gpr(v, (uintptr_t)udata));
	tcm_walk_forget(&v->walker.tables);
}

/*
 * Watching the instructions costs a callback per flush, reading CR3 at each
 * access would cost one per access. CR3 is watched from the start: a CPU may
 * keep a process's table loaded for long after.
 */
void tcm_watch_translations(struct qemu_plugin_insn *insn, struct insn what)
{
	qemu_plugin_vcpu_udata_cb_t callback = NULL;

	switch (what.kind) {
	case INSN_WRITE_CR3:
		callback = on_write_cr3;
		break;
	case INSN_INVLPG:
		callback = on_invlpg;
		break;
	case INSN_WRITE_CR4:
	case INSN_INVALIDATE:
		callback = on_invalidate;
		break;
	case INSN_MARKER:
	case INSN_OTHER:
		return;
	}
	qemu_plugin_register_vcpu_insn_exec_cb(insn, callback, QEMU_PLUGIN_CB_R_REGS,
					       (void *)(uintptr_t)what.operand);
}

static struct tlb_shape shape(struct tcm_tlb_shape configured)
{
	return (struct tlb_shape){ configured.entries, configured.ways };
}

bool tcm_translate_init(struct vcpu *v)
{
	const struct tcm_config *config = &machine.config;
	unsigned int group_shift = TLB_BASE_SHIFT + __builtin_ctz(config->coalesce);

	v->walker.tables.group_shift = group_shift;
	return tcm_tlb_init(&v->tlb, shape(config->dtlb), shape(config->dtlb_huge),
			    shape(config->stlb), group_shift);
}

void tcm_translate_begin(struct vcpu *v)
{
	tcm_tlb_flush(&v->tlb, false);
	tcm_walk_forget(&v->walker.tables);
}
