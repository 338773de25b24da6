// SPDX-License-Identifier: GPL-2.0
/*
 * xs: look-ups of neutron cross-sections, as XSBench with the unionized grid.
 *
 * Knows the grids: per nuclide, sorted energies with five cross-sections each;
 * over all nuclides, all energies in one sorted list, and for each of them the
 * place in every nuclide's grid. Does not know what moves pages. An operation
 * is one look-up: binary search in the list, then two points of each nuclide
 * of a material are gathered and interpolated.
 *
 * Every number in the grids follows from its place, so the check can compute
 * look-ups without the grids: of every 64th one the bits are compared.
 */
#include <string.h>

#include "arena.h"
#include "work.h"
#include "xs_material.h"

#define SECTIONS 5
#define CHECKED 64
#define LEAST_POINTS 16

struct point {
	double energy;
	double section[SECTIONS];
};

static double *energies; /* of all nuclides, sorted */
static uint32_t *index_grid; /* NUCLIDES places for each of them */
static struct point *grid; /* nr_points of each nuclide */
static uint64_t nr_points, nr_energies;
static uint64_t operation, checked_bits;

/* The j-th energy of a nuclide lies in the j-th of nr_points equal parts of 0..1. */
static double energy_of(uint64_t nuclide, uint64_t j)
{
	uint64_t random = work_random(STREAM_ENERGY, nuclide * nr_points + j);

	return (j + fraction(random)) / nr_points;
}

static void make_point(struct point *point, uint64_t nuclide, uint64_t j)
{
	uint64_t number = (nuclide * nr_points + j) * SECTIONS;
	unsigned int i;

	point->energy = energy_of(nuclide, j);
	for (i = 0; i < SECTIONS; i++)
		point->section[i] = fraction(work_random(STREAM_SECTION, number + i));
}

/* The last point of a nuclide that is not above the energy, but never the last one of all. */
static uint64_t place_of(double energy, uint64_t nuclide)
{
	uint64_t part = energy * nr_points;

	if (part && energy_of(nuclide, part) > energy)
		part--;
	return part < nr_points - 1 ? part : nr_points - 2;
}

static void plan(void)
{
	uint64_t bytes = (option.size_mib << 20) - 3 * ARENA_PAGE;
	unsigned int i;

	nr_points = bytes / (NUCLIDES *
			     (sizeof(*energies) + NUCLIDES * sizeof(*index_grid) + sizeof(*grid)));
	if (nr_points < LEAST_POINTS)
		work_die("--size is too small for the grids");
	nr_energies = NUCLIDES * nr_points;
	energies = arena_segment(nr_energies * sizeof(*energies), 20);
	grid = arena_segment(nr_energies * sizeof(*grid), 24);
	index_grid = arena_segment(nr_energies * NUCLIDES * sizeof(*index_grid), 4);
	for (i = 0; i < MATERIALS; i++)
		make_material(i);
}

/* --- the grids -------------------------------------------------------------------------------- */

static int compare_energies(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* All energies of part j: one of each nuclide, sorted. */
static void make_energies(double *sorted, uint64_t j)
{
	unsigned int nuclide;

	for (nuclide = 0; nuclide < NUCLIDES; nuclide++)
		sorted[nuclide] = energy_of(nuclide, j);
	qsort(sorted, NUCLIDES, sizeof(*sorted), compare_energies);
}

static uint32_t make_index(double energy, double own, uint64_t j)
{
	uint64_t place = j && own > energy ? j - 1 : j;

	return place < nr_points - 1 ? place : nr_points - 2;
}

/* Calls visit() for all that part j puts into the list and the index. */
static void each_of_part(uint64_t j, void (*visit_energy)(double *stored, double energy),
			 void (*visit_index)(uint32_t *stored, uint32_t place))
{
	double sorted[NUCLIDES], own[NUCLIDES];
	unsigned int i, nuclide;

	make_energies(sorted, j);
	for (nuclide = 0; nuclide < NUCLIDES; nuclide++)
		own[nuclide] = energy_of(nuclide, j);
	for (i = 0; i < NUCLIDES; i++) {
		uint32_t *row = index_grid + (j * NUCLIDES + i) * NUCLIDES;

		visit_energy(energies + j * NUCLIDES + i, sorted[i]);
		for (nuclide = 0; nuclide < NUCLIDES; nuclide++)
			visit_index(row + nuclide, make_index(sorted[i], own[nuclide], j));
	}
}

static void store_energy(double *stored, double energy)
{
	*stored = energy;
}

static void store_index(uint32_t *stored, uint32_t place)
{
	*stored = place;
}

static void fill(void)
{
	uint64_t nuclide, j;

	for (nuclide = 0; nuclide < NUCLIDES; nuclide++)
		for (j = 0; j < nr_points; j++)
			make_point(grid + nuclide * nr_points + j, nuclide, j);
	for (j = 0; j < nr_points; j++)
		each_of_part(j, store_energy, store_index);
}

/* --- look-ups --------------------------------------------------------------------------------- */

/* Neither in the first nor in the last part, where a nuclide may have one neighbour alone. */
static double draw_energy(uint64_t random)
{
	return (1 + fraction(random) * (nr_points - 2)) / nr_points;
}

static void add_nuclide(double *sum, const struct point *low, const struct point *high,
			double energy, double density)
{
	double part = (high->energy - energy) / (high->energy - low->energy);
	unsigned int i;

	for (i = 0; i < SECTIONS; i++)
		sum[i] +=
			density * (high->section[i] - part * (high->section[i] - low->section[i]));
}

static uint64_t bits_of(const double *sum)
{
	uint64_t bits[SECTIONS], all = 0;
	unsigned int i;

	memcpy(bits, sum, sizeof(bits));
	for (i = 0; i < SECTIONS; i++)
		all = work_mix(all + bits[i]);
	return all;
}

/* The last one of the list that is not above the energy. */
static uint64_t search_energies(double energy)
{
	uint64_t low = 0, high = nr_energies;

	while (high - low > 1) {
		uint64_t middle = (low + high) / 2;

		if (energies[middle] <= energy)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static uint64_t lookup(double energy, const struct material *material)
{
	const uint32_t *row = index_grid + search_energies(energy) * NUCLIDES;
	double sum[SECTIONS] = { 0 };
	unsigned int i;

	for (i = 0; i < material->nr; i++) {
		uint32_t place = row[material->nuclide[i]];
		const struct point *low = grid + material->nuclide[i] * nr_points + place;

		if (place > nr_points - 2 || !(low->energy <= energy && energy < low[1].energy)) {
			work_expect(false);
			continue;
		}
		add_nuclide(sum, low, low + 1, energy, material->density[i]);
	}
	return bits_of(sum);
}

static unsigned long run(unsigned long operations)
{
	unsigned long i;

	for (i = 0; i < operations; i++, operation++) {
		uint64_t random = work_random(STREAM_LOOKUP, operation);
		uint64_t bits = lookup(draw_energy(random), draw_material(work_mix(random)));

		result.digest += bits;
		if (operation % CHECKED == 0)
			checked_bits += bits;
	}
	return operations;
}

/* --- check ------------------------------------------------------------------------------------ */

static uint64_t lookup_without_grids(double energy, const struct material *material)
{
	double sum[SECTIONS] = { 0 };
	struct point low, high;
	unsigned int i;

	for (i = 0; i < material->nr; i++) {
		uint64_t place = place_of(energy, material->nuclide[i]);

		make_point(&low, material->nuclide[i], place);
		make_point(&high, material->nuclide[i], place + 1);
		add_nuclide(sum, &low, &high, energy, material->density[i]);
	}
	return bits_of(sum);
}

static void check_lookups(void)
{
	uint64_t at;

	for (at = 0; at < operation; at += CHECKED) {
		uint64_t random = work_random(STREAM_LOOKUP, at);

		checked_bits -=
			lookup_without_grids(draw_energy(random), draw_material(work_mix(random)));
	}
	work_expect(!checked_bits);
}

static void compare_energy(double *stored, double energy)
{
	work_expect(*stored == energy);
}

static void compare_index(uint32_t *stored, uint32_t place)
{
	work_expect(*stored == place);
}

static void check(void)
{
	struct point point;
	uint64_t nuclide, j;

	for (nuclide = 0; nuclide < NUCLIDES; nuclide++)
		for (j = 0; j < nr_points; j++) {
			make_point(&point, nuclide, j);
			work_expect(!memcmp(&point, grid + nuclide * nr_points + j, sizeof(point)));
		}
	for (j = 0; j < nr_points; j++)
		each_of_part(j, compare_energy, compare_index);
	check_lookups();
}

const struct work work = {
	.name = "xs",
	.doc = "Look-ups of cross-sections on a unionized grid.",
	.window_per_mib = 1024,
	.plan = plan,
	.fill = fill,
	.run = run,
	.check = check,
};
