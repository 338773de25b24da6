// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of thermocline/bpf.h. They read the heat map and the figures of the tiers; they change nothing.
 *
 * Each takes the page that a callback was given, as a pointer that the verifier trusts. Such a pointer is an argument of
 * a callback and nothing else: no program of another kind, and no timer or work of a policy, can have one. What is loaded
 * from a map is not trusted, and memory of a program is not taken for a page, see struct thermocline_page. So they run in the
 * thread that asks, between tc_offline_enter() and tc_offline_leave().
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "../engine/ask.h"
#include "../engine/engine.h"
#include "../engine/tier.h"
#include "../kernel/bpf.h"
#include "../track/folio.h"
#include "../track/page_type.h"
#include "hooks.h"

static_assert((int)THERMOCLINE_CONTENTION_HIGH == (int)TC_CONTENTION_HIGH);
static_assert((int)THERMOCLINE_CONTENTION_HIGH + 1 == (int)TC_NR_CONTENTION_LEVELS);
static_assert((int)THERMOCLINE_TRAFFIC_WRITE == (int)TC_TRAFFIC_WRITE);
static_assert((int)THERMOCLINE_TRAFFIC_WRITE + 1 == (int)TC_NR_TRAFFIC_KINDS);

/* BTF of this module. */
static const struct btf *tc_kfuncs_btf;

static u64 tc_cgroup_at(unsigned long pfn)
{
	struct folio *folio = tc_folio_get(pfn);
	u64 id;

	if (!folio)
		return 0;
	id = tc_folio_cgroup(folio);
	folio_put(folio);
	return id;
}

__bpf_kfunc_start_defs();

__bpf_kfunc u32 thermocline_page_bin(const struct thermocline_page *page)
{
	return tc_heatmap_bin(&tc_engine.map, page->pfn);
}

__bpf_kfunc u64 thermocline_page_heat(const struct thermocline_page *page)
{
	return tc_heatmap_heat(&tc_engine.map, page->pfn, page->order);
}

__bpf_kfunc u32 thermocline_page_subheat(const struct thermocline_page *page, u32 i)
{
	return i >> page->order ? 0 : tc_heatmap_heat(&tc_engine.map, page->pfn + i, 0);
}

__bpf_kfunc u64 thermocline_page_cgroup(const struct thermocline_page *page)
{
	const struct folio *folio = page->about->folio;

	return folio ? tc_folio_cgroup((struct folio *)folio) : tc_cgroup_at(page->pfn);
}

__bpf_kfunc u32 thermocline_node_latency_ns(const struct thermocline_page *page, s32 nid)
{
	const struct tc_node *node = tc_node(nid);
	struct tc_config config;

	if (!node)
		return 0;
	tc_config_read(&config);
	return tc_tier_latency_ns(node, &config);
}

__bpf_kfunc u32 thermocline_node_traffic(const struct thermocline_page *page, s32 nid)
{
	const struct tc_node *node = tc_node(nid);

	return node ? tc_tier_traffic(node) : TC_TRAFFIC_UNKNOWN;
}

__bpf_kfunc u32 thermocline_contention(const struct thermocline_page *page)
{
	return tc_tier_contention();
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(tc_kfuncs)
BTF_ID_FLAGS(func, thermocline_page_bin, TC_KF_TRUSTED)
BTF_ID_FLAGS(func, thermocline_page_heat, TC_KF_TRUSTED)
BTF_ID_FLAGS(func, thermocline_page_subheat, TC_KF_TRUSTED)
BTF_ID_FLAGS(func, thermocline_page_cgroup, TC_KF_TRUSTED)
BTF_ID_FLAGS(func, thermocline_node_latency_ns, TC_KF_TRUSTED)
BTF_ID_FLAGS(func, thermocline_node_traffic, TC_KF_TRUSTED)
BTF_ID_FLAGS(func, thermocline_contention, TC_KF_TRUSTED)
BTF_KFUNCS_END(tc_kfuncs)

/* The type of this module is the only one that a struct_ops program for its BTF can be of. */
static int tc_kfuncs_filter(const struct bpf_prog *prog, u32 id)
{
	return prog->aux->attach_btf == tc_kfuncs_btf ? 0 : -EACCES;
}

static const struct btf_kfunc_id_set tc_kfunc_set = {
	.owner = THIS_MODULE,
	.set = &tc_kfuncs,
	.filter = tc_kfuncs_filter,
};

int tc_kfuncs_register(const struct btf *btf)
{
	tc_kfuncs_btf = btf;
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_STRUCT_OPS, &tc_kfunc_set);
}
