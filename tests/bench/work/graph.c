// SPDX-License-Identifier: GPL-2.0
/*
 * graph: breadth-first searches and PageRank on a Kronecker graph, as GAP.
 *
 * Knows the graph in memory (compressed rows) and both algorithms, which it
 * runs in turns. Does not know what moves pages; what the results must be is
 * in graph_check.h. An operation is one arc that is looked at.
 */
#include "graph.h"

#include <string.h>

#include "arena.h"
#include "graph_check.h"

#define LEAST_DEGREE 16UL /* edges a vertex, as GAP */
#define BYTES_A_VERTEX (4 + 4 + 4 + 8 + 8)
#define BYTES_AN_EDGE (2 * 4)

static struct graph graph;

static unsigned long bfs_a_turn = 1, iterations_a_turn = 4;

static const struct argp_option extra_options[] = {
	{ "bfs", 'b', "N", 0, "searches in a turn (default 1)", 0 },
	{ "pagerank", 'p', "N", 0, "then so many iterations of PageRank (default 4)", 0 },
	{ 0 },
};

static error_t parse(int key, char *text, struct argp_state *state)
{
	if (key == 'b')
		bfs_a_turn = option_number(text, state);
	else if (key == 'p')
		iterations_a_turn = option_number(text, state);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static const struct argp extra = { .options = extra_options, .parser = parse };

/* --- the graph -------------------------------------------------------------------------------- */

/* The largest scale that allows the least degree; then the degree fills the size. */
static void plan(void)
{
	uint64_t bytes = (option.size_mib << 20) - 6 * ARENA_PAGE;
	uint64_t least = BYTES_A_VERTEX + LEAST_DEGREE * BYTES_AN_EDGE, nr, edges;
	unsigned int scale = 63 - __builtin_clzll(bytes / least);

	if (!bfs_a_turn && !iterations_a_turn)
		work_die("neither --bfs nor --pagerank leaves anything to do");
	nr = 1UL << scale;
	edges = (bytes - nr * BYTES_A_VERTEX) / BYTES_AN_EDGE;
	if (!kronecker_init(&graph.edges, scale, edges))
		work_die("vertices are not renamed as they should be");
	graph.nr = nr;
	graph.rank = arena_segment(nr * sizeof(*graph.rank), 0.5);
	graph.share = arena_segment(nr * sizeof(*graph.share), 0.8);
	graph.depth = arena_segment(nr * sizeof(*graph.depth), 0.5);
	graph.first = arena_segment((nr + 1) * sizeof(*graph.first), 0.1);
	graph.queue = arena_segment(nr * sizeof(*graph.queue), 0.02);
	graph.neighbour = arena_segment(2 * edges * sizeof(*graph.neighbour), 1.0 / 16);
}

/* first[v] becomes the end of v's neighbours; placing them brings it down to their beginning. */
static void fill(void)
{
	uint64_t number, v;
	struct edge edge;

	memset(graph.first, 0, (graph.nr + 1) * sizeof(*graph.first));
	for (number = 0; number < graph.edges.edges; number++) {
		edge = kronecker_edge(&graph.edges, number);
		graph.first[edge.end[0]]++;
		graph.first[edge.end[1]]++;
	}
	for (v = 1; v <= graph.nr; v++)
		graph.first[v] += graph.first[v - 1];
	for (number = 0; number < graph.edges.edges; number++) {
		edge = kronecker_edge(&graph.edges, number);
		graph.neighbour[--graph.first[edge.end[0]]] = edge.end[1];
		graph.neighbour[--graph.first[edge.end[1]]] = edge.end[0];
	}
}

/* v's neighbours, none if memory says what cannot be. */
static uint32_t neighbours(uint32_t v, const uint32_t **list)
{
	uint32_t from = graph.first[v], to = graph.first[v + 1];

	if (from > to || to > 2 * graph.edges.edges) {
		work_expect(false);
		from = to = 0;
	}
	*list = graph.neighbour + from;
	return to - from;
}

static bool known(uint32_t v)
{
	work_expect(v < graph.nr);
	return v < graph.nr;
}

/* --- breadth-first search --------------------------------------------------------------------- */

/* A root with neighbours, one of a few. */
static uint32_t root_of(unsigned int slot)
{
	uint32_t v = work_below(work_mix(option.seed + slot), graph.nr);

	while (graph.first[v] == graph.first[v + 1])
		v = (v + 1) % graph.nr;
	return v;
}

static void bfs_begin(void)
{
	uint32_t root = root_of(graph.searches % GRAPH_ROOTS);

	memset(graph.depth, 0xff, graph.nr * sizeof(*graph.depth));
	graph.root[graph.searches % GRAPH_ROOTS] = root;
	graph.depth[root] = 0;
	graph.queue[0] = root;
	graph.head = 0;
	graph.tail = 1;
	graph.state = GRAPH_BFS;
}

/* A search that begins where an earlier one did has the same result. */
static void bfs_end(void)
{
	uint64_t digest = graph_digest_depths(graph.depth, graph.nr);
	uint64_t slot = graph.searches % GRAPH_ROOTS;

	work_expect(graph.searches < GRAPH_ROOTS || digest == graph.search_digest[slot]);
	graph.search_digest[slot] = digest;
	result.digest += digest;
	graph.searches++;
	graph.state = GRAPH_IDLE;
}

/* The next vertex of the queue; returns how many arcs it has. */
static uint32_t bfs_vertex(void)
{
	uint32_t v = graph.queue[graph.head++], i, nr;
	const uint32_t *list;

	nr = known(v) ? neighbours(v, &list) : 0;
	for (i = 0; i < nr; i++) {
		if (!known(list[i]) || graph.depth[list[i]] != GRAPH_NOWHERE)
			continue;
		if (graph.tail == graph.nr) {
			work_expect(false);
			break;
		}
		graph.depth[list[i]] = graph.depth[v] + 1;
		graph.queue[graph.tail++] = list[i];
	}
	if (graph.head == graph.tail)
		bfs_end();
	return nr;
}

/* --- PageRank --------------------------------------------------------------------------------- */

static void pagerank_begin(void)
{
	uint64_t v;

	for (v = 0; v < graph.nr; v++)
		graph.rank[v] = GRAPH_RANK;
	graph.iteration = 0;
	graph.head = 0;
	graph.state = GRAPH_PAGERANK;
}

static void pagerank_end(void)
{
	uint64_t digest = graph_digest_ranks(graph.rank, graph.nr);

	work_expect(!graph.pageranks || digest == graph.rank_digest);
	graph.rank_digest = digest;
	result.digest += digest;
	graph.pageranks++;
	graph.state = GRAPH_IDLE;
}

/* What each vertex gives to each of its neighbours in this iteration. */
static void share_ranks(void)
{
	uint64_t v;

	for (v = 0; v < graph.nr; v++) {
		uint32_t arcs = graph.first[v + 1] - graph.first[v];

		graph.share[v] = arcs ? graph.rank[v] / arcs : 0;
	}
}

/* The next vertex gathers; returns how many arcs it has. */
static uint32_t pagerank_vertex(void)
{
	uint32_t v = graph.head++, i, nr;
	const uint32_t *list;
	uint64_t sum = 0;

	if (!v)
		share_ranks();
	nr = neighbours(v, &list);
	for (i = 0; i < nr; i++)
		if (known(list[i]))
			sum += graph.share[list[i]];
	graph.rank[v] = graph_next_rank(sum);
	if (graph.head == graph.nr) {
		graph.head = 0;
		graph.iteration++;
	}
	if (graph.iteration == iterations_a_turn)
		pagerank_end();
	return nr;
}

/* --- turns ------------------------------------------------------------------------------------ */

static void begin_next(void)
{
	if (graph.searches < (graph.turns + 1) * bfs_a_turn)
		bfs_begin();
	else if (iterations_a_turn && graph.pageranks == graph.turns)
		pagerank_begin();
	else
		graph.turns++;
}

static uint32_t step(void)
{
	switch (graph.state) {
	case GRAPH_BFS:
		return bfs_vertex();
	case GRAPH_PAGERANK:
		return pagerank_vertex();
	default:
		begin_next();
		return 0;
	}
}

static unsigned long run(unsigned long operations)
{
	unsigned long done = 0;

	while (done < operations)
		done += step();
	return done;
}

/* What is under way is brought to its end first: those operations count for nobody. */
static void check(void)
{
	while (graph.state != GRAPH_IDLE)
		step();
	graph_check(&graph, iterations_a_turn);
}

const struct work work = {
	.name = "graph",
	.doc = "Breadth-first searches and PageRank on a Kronecker graph.",
	.window_per_mib = 131072,
	.options = &extra,
	.plan = plan,
	.fill = fill,
	.run = run,
	.check = check,
};
