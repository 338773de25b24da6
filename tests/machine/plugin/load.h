/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long a miss waits on a link that is in use.
 *
 * Knows bandwidth, the two directions, and the curve of latency against
 * utilisation. Does not know who makes the traffic nor how it is measured.
 *
 * latency = idle latency * (1 + gain * u / (1 - u)), u the share of the
 * bandwidth in use, at most LOAD_MOST: the shape of the waiting time in an
 * open queue (M/M/1: L. Kleinrock, Queueing Systems, volume 1, 1975).
 */
#ifndef TCM_LOAD_H
#define TCM_LOAD_H

#include <stdbool.h>

#define LOAD_MOST 0.95 /* beyond it a closed system would slow its own traffic down */

struct link {
	double latency_ns; /* idle */
	double bandwidth; /* MB/s of each direction, or of both together; 0 = without limit */
	bool full_duplex;
};

/* MB/s, towards the processor and away from it */
struct traffic {
	double read;
	double write;
};

struct waits {
	double load_ns;
	double store_ns;
};

/*
 * A load waits for the read direction. A store reads its line for ownership
 * and later writes it back: it waits for the busier one of the two. On a half
 * duplex link both share the bandwidth.
 */
struct waits tcm_loaded_waits(const struct link *link, struct traffic traffic, double gain);

#endif
