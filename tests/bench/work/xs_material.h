/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a look-up of xs asks for: a material at an energy.
 *
 * Knows XSBench's materials: how often each one is asked for and how many
 * nuclides it has. Which ones, and how dense, is random here. Does not know
 * grids.
 */
#ifndef TC_XS_MATERIAL_H
#define TC_XS_MATERIAL_H

#include "work.h"

#define NUCLIDES 68 /* of XSBench's small problem */
#define MATERIALS 12
#define MOST_NUCLIDES 34 /* of a material */

enum stream { STREAM_ENERGY = 1, STREAM_SECTION, STREAM_MATERIAL, STREAM_DENSITY, STREAM_LOOKUP };

struct material {
	double part; /* of look-ups, from XSBench */
	unsigned int nr;
	unsigned int nuclide[MOST_NUCLIDES];
	double density[MOST_NUCLIDES];
};

static struct material materials[MATERIALS] = {
	{ .part = 0.140, .nr = 34 }, { .part = 0.052, .nr = 5 },  { .part = 0.275, .nr = 4 },
	{ .part = 0.134, .nr = 4 },  { .part = 0.154, .nr = 27 }, { .part = 0.064, .nr = 21 },
	{ .part = 0.066, .nr = 21 }, { .part = 0.055, .nr = 21 }, { .part = 0.008, .nr = 21 },
	{ .part = 0.015, .nr = 21 }, { .part = 0.025, .nr = 9 },  { .part = 0.013, .nr = 9 },
};

/* From 0 up to 1. */
static inline double fraction(uint64_t random)
{
	return (random >> 11) * 0x1p-53;
}

static inline void make_material(unsigned int number)
{
	struct material *material = materials + number;
	unsigned int i, first = work_random(STREAM_MATERIAL, number) % NUCLIDES;

	for (i = 0; i < material->nr; i++) {
		material->nuclide[i] = (first + i) % NUCLIDES;
		material->density[i] =
			fraction(work_random(STREAM_DENSITY, number * MOST_NUCLIDES + i));
	}
}

/* Each one as often as its part says. */
static inline const struct material *draw_material(uint64_t random)
{
	double left = fraction(random);
	unsigned int i;

	for (i = 0; i < MATERIALS - 1; i++) {
		left -= materials[i].part;
		if (left < 0)
			break;
	}
	return materials + i;
}

#endif
