/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Edges of a Kronecker graph, each one from its number.
 *
 * Knows the initiator of Graph500 and GAP (A = .57, B = C = .19, in 1/256) and
 * that vertices are renamed so that neighbours in number have nothing in
 * common. Does not keep edges: who needs them again asks again, and so has
 * something to compare memory with.
 */
#ifndef TC_KRONECKER_H
#define TC_KRONECKER_H

#include "work.h"
#include "zipf.h"

#define KRONECKER_A 146U
#define KRONECKER_AB (KRONECKER_A + 49U)
#define KRONECKER_ABC (KRONECKER_AB + 49U)
#define KRONECKER_LEVELS_A_WORD 8

struct edge {
	uint32_t end[2];
};

struct kronecker {
	unsigned int scale; /* 1 << scale vertices */
	uint64_t edges;
	struct spread names;
};

static inline bool kronecker_init(struct kronecker *graph, unsigned int scale, uint64_t edges)
{
	graph->scale = scale;
	graph->edges = edges;
	spread_init(&graph->names, 1UL << scale, option.seed);
	return spread_check(&graph->names);
}

/* A byte of the random word chooses a quadrant at each level. */
static inline struct edge kronecker_edge(const struct kronecker *graph, uint64_t number)
{
	uint64_t random = work_random(1, number);
	uint32_t from = 0, to = 0;
	unsigned int level;

	for (level = 0; level < graph->scale; level++) {
		unsigned int byte = random & 255;

		from = from << 1 | (byte >= KRONECKER_AB);
		to = to << 1 |
		     ((byte >= KRONECKER_A && byte < KRONECKER_AB) || byte >= KRONECKER_ABC);
		random >>= 8;
		if (level % KRONECKER_LEVELS_A_WORD == KRONECKER_LEVELS_A_WORD - 1)
			random = work_random(2 + level, number);
	}
	return (struct edge){ { spread(&graph->names, from), spread(&graph->names, to) } };
}

#endif
