/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The graph in memory and how far the algorithms are: shared by graph.c and
 * its check. Knows the layout, no algorithm.
 */
#ifndef TC_GRAPH_H
#define TC_GRAPH_H

#include "kronecker.h"
#include "work.h"

#define GRAPH_ROOTS 4 /* searches begin at these in turns */
#define GRAPH_NOWHERE UINT32_MAX /* depth of what was not reached */
#define GRAPH_RANK (1UL << 32) /* the mean rank: integers, whose sum knows no order */

enum graph_state { GRAPH_IDLE, GRAPH_BFS, GRAPH_PAGERANK };

struct graph {
	struct kronecker edges;
	uint64_t nr; /* vertices */

	uint64_t *rank;
	uint64_t *share;
	uint32_t *depth;
	uint32_t *first; /* v's neighbours: from first[v] up to first[v + 1] */
	uint32_t *queue;
	uint32_t *neighbour;

	enum graph_state state;
	uint64_t head; /* next in the queue; or the next vertex of PageRank */
	uint64_t tail;
	uint64_t iteration;

	uint64_t turns; /* that are complete, as are searches and pageranks */
	uint64_t searches;
	uint64_t pageranks;
	uint32_t root[GRAPH_ROOTS];
	uint64_t search_digest[GRAPH_ROOTS];
	uint64_t rank_digest;
};

/* Damping of 217/256, about the usual 0.85. */
static inline uint64_t graph_next_rank(uint64_t sum_of_shares)
{
	return (GRAPH_RANK * 39 + sum_of_shares * 217) >> 8;
}

static inline uint64_t graph_digest_depths(const uint32_t *depth, uint64_t nr)
{
	uint64_t v, digest = 0;

	for (v = 0; v < nr; v++)
		digest += work_mix(v << 32 | depth[v]);
	return digest;
}

static inline uint64_t graph_digest_ranks(const uint64_t *rank, uint64_t nr)
{
	uint64_t v, digest = 0;

	for (v = 0; v < nr; v++)
		digest += work_mix(v) * (rank[v] + 1);
	return digest;
}

#endif
