/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How hard the slow tier is pressed. Knows figures of latency and traffic.
 * Does not know where they come from, nor what is done about it.
 */
#ifndef TC_POLICY_CONTENTION_H
#define TC_POLICY_CONTENTION_H

#include "types.h"

/**
 * enum tc_contention_level - pressure on the slow tier
 * @TC_CONTENTION_UNKNOWN: not enough is known yet
 * @TC_CONTENTION_NONE: its loaded latency is about its idle one
 * @TC_CONTENTION_MODERATE: splits pay, and so does admission by the direction of traffic
 * @TC_CONTENTION_HIGH: splits pay, duplex admission does not
 *
 * Source: TierBPF, contention gate and its results by antagonist bandwidth.
 */
enum tc_contention_level {
	TC_CONTENTION_UNKNOWN,
	TC_CONTENTION_NONE,
	TC_CONTENTION_MODERATE,
	TC_CONTENTION_HIGH,
	TC_NR_CONTENTION_LEVELS
};

#define TC_CONTENTION_NAMES { "unknown", "none", "moderate", "high" }

/**
 * enum tc_traffic_kind - in which direction a tier's link is used
 * @TC_TRAFFIC_UNKNOWN: not enough is known yet
 * @TC_TRAFFIC_READ: read-dominant
 * @TC_TRAFFIC_BALANCED: neither
 * @TC_TRAFFIC_WRITE: write-dominant
 */
enum tc_traffic_kind {
	TC_TRAFFIC_UNKNOWN,
	TC_TRAFFIC_READ,
	TC_TRAFFIC_BALANCED,
	TC_TRAFFIC_WRITE,
	TC_NR_TRAFFIC_KINDS
};

#define TC_TRAFFIC_NAMES { "unknown", "read", "balanced", "write" }

#endif /* TC_POLICY_CONTENTION_H */
