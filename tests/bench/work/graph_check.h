/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the graph and the results on it must be.
 *
 * Knows the arcs from their generator, depths by relaxing arcs until nothing
 * changes, ranks by pushing along arcs where graph.c pulls. Does not know how
 * graph.c computes.
 */
#ifndef TC_GRAPH_CHECK_H
#define TC_GRAPH_CHECK_H

#include <string.h>

#include "graph.h"

static inline void *graph_memory(uint64_t bytes)
{
	void *memory = calloc(bytes, 1);

	if (!memory)
		work_die("no memory to check results");
	return memory;
}

static inline uint64_t graph_arc(uint64_t from, uint64_t to)
{
	return work_mix(from << 32 | to);
}

static inline uint64_t graph_generated_arcs(const struct graph *graph)
{
	uint64_t number, sum = 0;

	for (number = 0; number < graph->edges.edges; number++) {
		struct edge edge = kronecker_edge(&graph->edges, number);

		sum += graph_arc(edge.end[0], edge.end[1]) + graph_arc(edge.end[1], edge.end[0]);
	}
	return sum;
}

/* 0 if the rows lie outside of the list of neighbours. */
static inline uint64_t graph_stored_arcs(const struct graph *graph)
{
	uint64_t v, i, sum = 0;

	for (v = 0; v < graph->nr; v++) {
		if (graph->first[v] > graph->first[v + 1] ||
		    graph->first[v + 1] > 2 * graph->edges.edges)
			return 0;
		for (i = graph->first[v]; i < graph->first[v + 1]; i++)
			sum += graph_arc(v, graph->neighbour[i]);
	}
	return sum;
}

/* One pass over all arcs; true if a depth became less. */
static inline bool graph_relax(const struct graph *graph, uint32_t *depth)
{
	bool changed = false;
	uint64_t v, i;

	for (v = 0; v < graph->nr; v++)
		for (i = graph->first[v]; i < graph->first[v + 1]; i++) {
			uint32_t from = depth[graph->neighbour[i]];

			if (from == GRAPH_NOWHERE || depth[v] <= from + 1)
				continue;
			depth[v] = from + 1;
			changed = true;
		}
	return changed;
}

static inline void graph_check_search(const struct graph *graph, unsigned int slot)
{
	uint32_t *depth = graph_memory(graph->nr * sizeof(*depth));

	memset(depth, 0xff, graph->nr * sizeof(*depth));
	depth[graph->root[slot]] = 0;
	while (graph_relax(graph, depth))
		;
	work_expect(graph_digest_depths(depth, graph->nr) == graph->search_digest[slot]);
	free(depth);
}

static inline void graph_push(const struct graph *graph, uint64_t *rank, uint64_t *sum)
{
	uint64_t v, i;

	memset(sum, 0, graph->nr * sizeof(*sum));
	for (v = 0; v < graph->nr; v++) {
		uint64_t arcs = graph->first[v + 1] - graph->first[v];

		for (i = graph->first[v]; i < graph->first[v + 1]; i++)
			sum[graph->neighbour[i]] += rank[v] / arcs;
	}
	for (v = 0; v < graph->nr; v++)
		rank[v] = graph_next_rank(sum[v]);
}

static inline void graph_check_ranks(const struct graph *graph, unsigned long iterations)
{
	uint64_t *rank = graph_memory(graph->nr * sizeof(*rank));
	uint64_t *sum = graph_memory(graph->nr * sizeof(*sum));
	uint64_t v;

	for (v = 0; v < graph->nr; v++)
		rank[v] = GRAPH_RANK;
	while (iterations--)
		graph_push(graph, rank, sum);
	work_expect(graph_digest_ranks(rank, graph->nr) == graph->rank_digest);
	free(rank);
	free(sum);
}

/* Results are computed again on the stored arcs, once those are known to be the right ones. */
static inline void graph_check(const struct graph *graph, unsigned long iterations)
{
	bool arcs = graph_stored_arcs(graph) == graph_generated_arcs(graph);
	uint64_t slot;

	work_expect(arcs);
	if (!arcs)
		return;
	for (slot = 0; slot < GRAPH_ROOTS && slot < graph->searches; slot++)
		graph_check_search(graph, slot);
	if (graph->pageranks)
		graph_check_ranks(graph, iterations);
}

#endif
