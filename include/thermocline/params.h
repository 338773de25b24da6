/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The numeric module parameters: name, default, bounds, unit and meaning, in one table that
 * the module, its documentation and its tests share. Text parameters (mode, sampler, lists)
 * are in module/ui/params.c. Knows nothing of how a value is used.
 */
#ifndef THERMOCLINE_PARAMS_H
#define THERMOCLINE_PARAMS_H

/*
 * P(name, default, minimum, maximum, permissions, unit, text)
 *
 * 0444: fixed at load. 0644: may be changed while the module runs; the workers take the new
 * value at their next round, all of a round's values from one snapshot.
 */
#define TC_PARAMS(P)                                                                               \
	P(ibs_period, 16336, 144, 134217712, 0644, "ops",                                          \
	  "AMD IBS: dispatched operations between two samples of a CPU; 16 times a prime")         \
	P(pebs_load_period, 199, 29, 999999937, 0644, "loads",                                     \
	  "Intel PEBS: loads that missed the last-level cache between two samples; a prime")       \
	P(pebs_store_period, 100003, 997, 999999937, 0644, "stores",                               \
	  "Intel PEBS: stores between two samples of a CPU; a prime")                              \
	P(ring_slots, 2048, 64, 65536, 0444, "samples",                                            \
	  "capacity of each CPU's sample ring; a power of two")                                    \
	P(adaptation_samples, 0, 0, 100000000, 0644, "samples",                                    \
	  "samples between two computations of the thresholds; 0 scales with memory")              \
	P(cooling_samples, 0, 0, 2000000000, 0644, "samples",                                      \
	  "samples between two halvings of all counts; 0 scales with memory")                      \
	P(cpu_limit_bp, 300, 0, 10000, 0644, "1/10000 of one core",                                \
	  "what the module itself may take before it samples less; 0 sets no limit")               \
	P(demote_watermark_bp, 200, 0, 5000, 0644, "1/10000 of the node",                          \
	  "memory kept free on each fast node, never less than the kernel's high watermark")       \
	P(heatmap_limit_kib, 0, 0, 1073741824, 0644, "KiB",                                        \
	  "memory that the heat map may use, its coldest blocks are evicted; 0 sets no limit")     \
	P(split_gap_bp, 500, 0, 10000, 0644, "1/10000 of the samples",                             \
	  "gap between estimated and real hit ratio from which huge pages are split")              \
	P(split_alone_s, 300, 0, 1000000, 0644, "s",                                               \
	  "time that a region is left alone after its split huge page was made whole again")       \
	P(split_gate, 1, 0, 1, 0644, "on or off",                                                  \
	  "split=tierbpf: split only while slow memory is pressed")                                \
	P(residence_s, 30, 1, 86400, 0644, "s",                                                    \
	  "split=joint: time that a promoted piece is expected to stay")                           \
	P(copy_ns, 0, 0, 10000000, 0644, "ns",                                                     \
	  "split=joint: cost of moving 4 KiB; 0: as measured")                                     \
	P(split_ns, 0, 0, 1000000000, 0644, "ns",                                                  \
	  "split=joint: cost of splitting a huge page; 0: as measured")                            \
	P(walk_ns, 30, 0, 100000, 0644, "ns", "split=joint: cost of a page walk after a TLB miss") \
	P(coalesce, 0, 0, 1, 0644, "0 or 1",                                                       \
	  "ask the kernel for a huge page where all pages of a region are hot")                    \
	P(fast_latency_ns, 80, 1, 1000000, 0644, "ns", "latency of fast memory")                   \
	P(slow_latency_ns, 170, 1, 1000000, 0644, "ns", "latency of slow memory")                  \
	P(slow_idle_ns, 0, 0, 1000000, 0644, "ns",                                                 \
	  "latency of slow memory that nobody presses, as samples tell it; 0: it is learned")      \
	P(contention_bp, 1000, 10, 1000000, 0644, "1/10000 of the idle latency",                   \
	  "slow memory is pressed when it is so much slower than when idle")                       \
	P(contention_high_bp, 10000, 10, 1000000, 0644, "1/10000 of the idle latency",             \
	  "and heavily so from here on; contention_bp where that is larger")                       \
	P(gate, 1, 0, 1, 0644, "on or off",                                                        \
	  "stop gate: promote less while promotions do not raise the hit ratio")                   \
	P(warm, 1, 0, 1, 0644, "on or off",                                                        \
	  "keep a warm set: what nearly fits makes no head-room, and fills what is left")          \
	P(two_touch, 1, 0, 1, 0644, "on or off",                                                   \
	  "policy tpp: promote a page at its second touch; off: at its first")                     \
	P(tpp_active_s, 0, 0, 86400, 0644, "s",                                                    \
	  "policy tpp: time for which a touch counts; 0: for some samples, by memory")             \
	P(trend, 1, 0, 1, 0644, "on or off",                                                       \
	  "policy tpp: demote ahead of a fall of free memory that goes on")                        \
	P(numa_takeover, 0, 0, 1, 0644, "on or off",                                               \
	  "policy tpp: what NUMA balancing would promote in a fault goes to the workers")          \
	P(kmigrated_ms, 500, 10, 60000, 0644, "ms", "longest sleep of a migration worker")         \
	P(scan_ms, 0, 0, 60000, 0644, "ms",                                                        \
	  "sampler scan: time between two looks at a page; 0 is chosen by what they find")         \
	P(scan_limit_bp, 100, 1, 10000, 0644, "1/10000 of a CPU",                                  \
	  "sampler scan: CPU time that it may use")                                                \
	P(temperature, 1, 0, 1, 0644, "on or off",                                                 \
	  "characterize memory by page type: how much is hot, when it is accessed again")          \
	P(temperature_step, 0, 0, 1048576, 0644, "pages",                                          \
	  "of so many pages one is tracked for that; a power of two, 0 scales with memory")        \
	P(temperature_unit_s, 60, 1, 3600, 0644, "s", "unit of time of the characterization")      \
	P(rate_limit_mib, 1024, 0, 1048576, 0644, "MiB/s",                                         \
	  "bandwidth that each node's worker may use for moves; 0 is unlimited")

#endif /* THERMOCLINE_PARAMS_H */
