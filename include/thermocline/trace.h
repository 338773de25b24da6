/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events, under events/thermocline in tracefs. Few: none per sample. Knows what is told,
 * not who tells it. module/ui/trace.c makes them.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM thermocline

#if !defined(THERMOCLINE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define THERMOCLINE_TRACE_H

#include <linux/tracepoint.h>
#include <thermocline/outcomes.h>

struct tc_granularity;
struct tc_price;
struct tc_tally;

#define TC_OUTCOME_EXPORT(id, name, text) TRACE_DEFINE_ENUM(TC_OUTCOME_##id);
TC_OUTCOMES(TC_OUTCOME_EXPORT)
#undef TC_OUTCOME_EXPORT

TRACE_DEFINE_ENUM(TC_SPLIT_FOUND);
TRACE_DEFINE_ENUM(TC_SPLIT_SKEW);
TRACE_DEFINE_ENUM(TC_SPLIT_PROMOTION);

#define TC_OUTCOME_SYMBOL(id, name, text) { TC_OUTCOME_##id, #name },

/* The tables of trace events have a form of their own. */
/* clang-format off */
TRACE_EVENT(tc_thresholds,
	TP_PROTO(unsigned int hot, unsigned int warm, u64 hot_pages, u64 budget_pages),
	TP_ARGS(hot, warm, hot_pages, budget_pages),
	TP_STRUCT__entry(
		__field(unsigned int, hot)
		__field(unsigned int, warm)
		__field(u64, hot_pages)
		__field(u64, budget_pages)
	),
	TP_fast_assign(
		__entry->hot = hot;
		__entry->warm = warm;
		__entry->hot_pages = hot_pages;
		__entry->budget_pages = budget_pages;
	),
	TP_printk("hot_bin=%u warm_bin=%u hot_pages=%llu budget_pages=%llu", __entry->hot,
		  __entry->warm, __entry->hot_pages, __entry->budget_pages)
);

TRACE_EVENT(tc_cooling,
	TP_PROTO(u64 coolings, u64 samples),
	TP_ARGS(coolings, samples),
	TP_STRUCT__entry(
		__field(u64, coolings)
		__field(u64, samples)
	),
	TP_fast_assign(
		__entry->coolings = coolings;
		__entry->samples = samples;
	),
	TP_printk("coolings=%llu samples=%llu", __entry->coolings, __entry->samples)
);

TRACE_EVENT(tc_gate,
	TP_PROTO(unsigned int verdict, u64 fast, u64 all, u64 promoted, u64 allowed),
	TP_ARGS(verdict, fast, all, promoted, allowed),
	TP_STRUCT__entry(
		__field(unsigned int, verdict)
		__field(u64, fast)
		__field(u64, all)
		__field(u64, promoted)
		__field(u64, allowed)
	),
	TP_fast_assign(
		__entry->verdict = verdict;
		__entry->fast = fast;
		__entry->all = all;
		__entry->promoted = promoted;
		__entry->allowed = allowed;
	),
	TP_printk("verdict=%s fast=%llu all=%llu promoted=%llu allowed=%lld",
		  __print_symbolic(__entry->verdict, { 0, "short" }, { 1, "wait" }, { 2, "gain" },
				   { 3, "fruitless" }, { 4, "shift" }),
		  __entry->fast, __entry->all, __entry->promoted, (long long)__entry->allowed)
);

/* The outcome "moved" here: taken, what becomes of it is in the batch's event. */
TRACE_EVENT(tc_decision,
	TP_PROTO(unsigned long pfn, unsigned int order, int from, int to, enum tc_outcome outcome),
	TP_ARGS(pfn, order, from, to, outcome),
	TP_STRUCT__entry(
		__field(unsigned long, pfn)
		__field(unsigned int, order)
		__field(int, from)
		__field(int, to)
		__field(unsigned int, outcome)
	),
	TP_fast_assign(
		__entry->pfn = pfn;
		__entry->order = order;
		__entry->from = from;
		__entry->to = to;
		__entry->outcome = outcome;
	),
	TP_printk("pfn=0x%lx order=%u from=%d to=%d outcome=%s", __entry->pfn, __entry->order,
		  __entry->from, __entry->to,
		  __print_symbolic(__entry->outcome,
				   TC_OUTCOMES(TC_OUTCOME_SYMBOL) { TC_NR_OUTCOMES, "?" }))
);

/*
 * A large folio that the heat map knows is found split, by whomever, or the module tried to split
 * one, with this outcome ("split": done). The piece at its head has, or would have, @new_order.
 */
TRACE_EVENT(tc_granularity,
	TP_PROTO(unsigned long pfn, unsigned int verdict, const struct tc_granularity *granularity,
		 unsigned int order, u32 pieces, const struct tc_price *price),
	TP_ARGS(pfn, verdict, granularity, order, pieces, price),
	TP_STRUCT__entry(
		__field(unsigned long, pfn)
		__field(unsigned int, verdict)
		__field(unsigned int, profile)
		__field(u64, samples)
		__field(u32, entropy_bp)
		__field(u64, chi)
		__field(unsigned int, hot)
		__field(u32, threshold)
		__field(unsigned int, order)
		__field(u32, pieces)
		__field(u64, benefit_ns)
		__field(u64, move_ns)
		__field(u64, tlb_ns)
	),
	TP_fast_assign(
		__entry->pfn = pfn;
		__entry->verdict = verdict;
		__entry->profile = granularity->source;
		__entry->samples = granularity->evenness.samples;
		__entry->entropy_bp = granularity->evenness.entropy_bp;
		__entry->chi = granularity->evenness.chi;
		__entry->hot = granularity->nr_hot;
		__entry->threshold = granularity->threshold;
		__entry->order = order;
		__entry->pieces = pieces;
		__entry->benefit_ns = price->benefit_ns;
		__entry->move_ns = price->move_ns;
		__entry->tlb_ns = price->tlb_ns;
	),
	TP_printk("pfn=0x%lx verdict=%s profile=%s samples=%llu entropy_bp=%u chi=%llu hot=%u threshold=%u order=%u pieces=0x%x benefit_ns=%llu move_ns=%llu tlb_ns=%llu",
		  __entry->pfn,
		  __print_symbolic(__entry->verdict, { 0, "few" }, { 1, "flat" }, { 2, "sparse" },
				   { 3, "dense" }, { 4, "split" }, { 5, "gate" }, { 6, "price" },
				   { 7, "order" }, { 8, "alone" }, { 9, "cold" }, { 10, "full" },
				   { 11, "whole" }),
		  __print_symbolic(__entry->profile, { 0, "none" }, { 1, "block" },
				   { 2, "process" }),
		  __entry->samples, __entry->entropy_bp, __entry->chi, __entry->hot,
		  __entry->threshold, __entry->order, __entry->pieces, __entry->benefit_ns,
		  __entry->move_ns, __entry->tlb_ns)
);

TRACE_EVENT(tc_split,
	TP_PROTO(unsigned long pfn, unsigned int order, unsigned int new_order,
		 enum tc_split_why why, enum tc_outcome outcome),
	TP_ARGS(pfn, order, new_order, why, outcome),
	TP_STRUCT__entry(
		__field(unsigned long, pfn)
		__field(unsigned int, order)
		__field(unsigned int, new_order)
		__field(unsigned int, why)
		__field(unsigned int, outcome)
	),
	TP_fast_assign(
		__entry->pfn = pfn;
		__entry->order = order;
		__entry->new_order = new_order;
		__entry->why = why;
		__entry->outcome = outcome;
	),
	TP_printk("pfn=0x%lx order=%u new_order=%u why=%s outcome=%s", __entry->pfn,
		  __entry->order, __entry->new_order,
		  __print_symbolic(__entry->why, { TC_SPLIT_FOUND, "found" },
				   { TC_SPLIT_SKEW, "skew" },
				   { TC_SPLIT_PROMOTION, "promotion" }),
		  __print_symbolic(__entry->outcome, { TC_OUTCOME_MOVED, "split" },
				   TC_OUTCOMES(TC_OUTCOME_SYMBOL) { TC_NR_OUTCOMES, "?" }))
);

TRACE_EVENT(tc_batch,
	TP_PROTO(int to, const struct tc_tally *tally),
	TP_ARGS(to, tally),
	TP_STRUCT__entry(
		__field(int, to)
		__field(u64, tried)
		__field(u64, moved)
		__field(u64, moved_pages)
		__field(u64, busy)
		__field(u64, no_memory)
	),
	TP_fast_assign(
		__entry->to = to;
		__entry->tried = tally->tried;
		__entry->moved = tally->outcome[TC_OUTCOME_MOVED];
		__entry->moved_pages = tally->moved_pages;
		__entry->busy = tally->outcome[TC_OUTCOME_BUSY];
		__entry->no_memory = tally->outcome[TC_OUTCOME_NO_MEMORY];
	),
	TP_printk("to=%d tried=%llu moved=%llu moved_pages=%llu busy=%llu no_memory=%llu",
		  __entry->to, __entry->tried, __entry->moved, __entry->moved_pages,
		  __entry->busy, __entry->no_memory)
);

/* clang-format on */

#endif /* THERMOCLINE_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH thermocline
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
