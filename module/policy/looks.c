// SPDX-License-Identifier: GPL-2.0
/*
 * The arithmetic of looks.h. Pure: same input, same output.
 */
#include "looks.h"

#define BP 10000U
#define NS_PER_MS 1000000ULL
#define STEP_MAX 0xffffffffULL

/* 2^32 divided by the golden ratio: multiples of it fall far apart, modulo 2^32. */
#define GOLDEN 0x9e3779b9U

/* Long enough for any interval, short enough for the products below. */
#define SPAN_NS_MAX (1ULL << 40)

struct tc_comb tc_comb_choose(u64 range, u64 step, u32 turn)
{
	struct tc_comb comb = { .step = step ? step : 1 };
	u32 place = turn * GOLDEN;

	if (comb.step > STEP_MAX)
		comb.step = STEP_MAX;
	comb.first = (u64)place * (comb.step < range ? comb.step : range) >> 32;
	return comb;
}

static u64 one_in(u64 all, u64 wanted)
{
	if (!wanted)
		return STEP_MAX;
	return all / wanted + (all % wanted != 0);
}

u64 tc_comb_step(u64 wanted, u64 in_use, u64 range, u64 most)
{
	u64 step = one_in(in_use, wanted), least = one_in(range, most);

	if (step < least)
		step = least;
	if (step > STEP_MAX)
		step = STEP_MAX;
	return step ? step : 1;
}

static u32 within(u64 value, u32 low, u32 high)
{
	if (value < low)
		return low;
	return value > high ? high : value;
}

u32 tc_looks_interval(u32 now_ms, u64 young, u64 looked, u32 aim_bp)
{
	u64 share_bp;

	if (!looked)
		return within(now_ms, TC_LOOKS_MS_MIN, TC_LOOKS_MS_MAX);
	share_bp = young > TC_U64_MAX / BP ? BP : young * BP / looked;
	if (share_bp > aim_bp + aim_bp / 2)
		return within(now_ms / 2, TC_LOOKS_MS_MIN, TC_LOOKS_MS_MAX);
	if (share_bp < aim_bp / 2)
		return within(2ULL * now_ms, TC_LOOKS_MS_MIN, TC_LOOKS_MS_MAX);
	return within(now_ms, TC_LOOKS_MS_MIN, TC_LOOKS_MS_MAX);
}

u32 tc_looks_aim(u64 fast_pages, u64 covered_pages)
{
	if (fast_pages >= covered_pages)
		return TC_LOOKS_SHARE_MAX_BP;
	if (fast_pages > TC_U64_MAX / BP)
		return TC_LOOKS_SHARE_MAX_BP;
	return within(fast_pages * BP / covered_pages, TC_LOOKS_SHARE_MIN_BP,
		      TC_LOOKS_SHARE_MAX_BP);
}

u64 tc_looks_affordable(u32 interval_ms, u32 limit_bp, u64 look_ns)
{
	u64 ns = interval_ms * NS_PER_MS / BP * limit_bp;

	return (ns - ns / 5) / (look_ns ? look_ns : 1);
}

void tc_allowance_update(struct tc_cpu_allowance *a, u64 passed_ns, u64 used_ns, u32 limit_bp,
			 u64 most_ns)
{
	u64 passed = passed_ns < SPAN_NS_MAX ? passed_ns : SPAN_NS_MAX;
	u64 used = used_ns < SPAN_NS_MAX ? used_ns : SPAN_NS_MAX;

	a->left_ns += (s64)(passed * limit_bp / BP);
	if (a->left_ns > (s64)most_ns)
		a->left_ns = (s64)most_ns;
	a->left_ns -= (s64)used;
	if (a->left_ns < -(s64)SPAN_NS_MAX)
		a->left_ns = -(s64)SPAN_NS_MAX;
}

u64 tc_allowance_wait(const struct tc_cpu_allowance *a, u32 limit_bp)
{
	if (a->left_ns > 0)
		return 0;
	return (u64)(1 - a->left_ns) * BP / (limit_bp ? limit_bp : 1);
}
