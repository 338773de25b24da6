// SPDX-License-Identifier: GPL-2.0
/*
 * The loaded latency of a link: see load.h.
 *
 * Knows one formula. Does not know the simulated machine.
 */
#include "load.h"

static double loaded(const struct link *link, double traffic, double gain)
{
	double u = link->bandwidth > 0 ? traffic / link->bandwidth : 0;

	if (u > LOAD_MOST)
		u = LOAD_MOST;
	return link->latency_ns * (1 + gain * u / (1 - u));
}

struct waits tcm_loaded_waits(const struct link *link, struct traffic traffic, double gain)
{
	double busier = traffic.read > traffic.write ? traffic.read : traffic.write;

	if (!link->full_duplex) {
		double both = loaded(link, traffic.read + traffic.write, gain);

		return (struct waits){ both, both };
	}
	return (struct waits){ loaded(link, traffic.read, gain), loaded(link, busier, gain) };
}
