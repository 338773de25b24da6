/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cost over size as a picture: one line for each policy. Knows SVG, not what is simulated.
 */
#ifndef TC_SIM_CHART_H
#define TC_SIM_CHART_H

#include <stdbool.h>
#include <stdint.h>

#define CHART_POINTS 128

struct chart {
	int points;
	struct {
		const char *name;
		uint64_t bytes;
		double instructions, metadata;
	} point[CHART_POINTS];
};

void chart_add(struct chart *chart, const char *name, uint64_t bytes, double instructions,
	       double metadata);

/* Two panels, instructions per sample and metadata in percent, over the size by its logarithm. */
bool chart_write(const struct chart *chart, const char *path);

#endif /* TC_SIM_CHART_H */
