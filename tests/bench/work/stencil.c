// SPDX-License-Identifier: GPL-2.0
/*
 * stencil: diffusion of five quantities on a grid, with short-lived arrays.
 *
 * Knows the grid and the fluxes between its points, which live in three arrays
 * that are mapped for one quantity's step and unmapped after it, as
 * 603.bwaves allocates and frees. Does not know what moves pages. An operation
 * is one point of one pass, of which a step has two: fluxes, then update.
 *
 * All is done modulo 2^64, where a quadratic field stays one: a step adds the
 * same number to every point, so the check knows each point at any time.
 */
#define _GNU_SOURCE
#include <math.h>

#include "arena.h"
#include "work.h"

#define QUANTITIES 5
#define AXES 3
#define ARRAYS (QUANTITIES + AXES)
#define LEAST_SIDE 8

static struct {
	uint64_t start, linear[AXES], square[AXES]; /* the field at step 0 */
	uint64_t *field;
	uint64_t step; /* updates that are complete */
} quantity[QUANTITIES];

static uint64_t *flux[AXES]; /* from a point to the next one along the axis */
static uint64_t side[AXES], stride[AXES], points, flux_bytes;

/* What comes next: a plane of a pass over a quantity. */
static unsigned int at_quantity, at_pass;
static uint64_t at_plane;

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + ARENA_PAGE - 1) & ~(ARENA_PAGE - 1);
}

/* About a cube; the last side takes what rounding leaves. */
static void plan_sides(void)
{
	uint64_t most = ((option.size_mib << 20) / ARRAYS - ARENA_PAGE) / sizeof(uint64_t);

	side[0] = side[1] = cbrt(most);
	side[2] = most / (side[0] * side[1]);
	if (side[0] < LEAST_SIDE || side[2] < LEAST_SIDE)
		work_die("--size is too small for a grid");
	stride[0] = 1;
	stride[1] = side[0];
	stride[2] = side[0] * side[1];
	points = side[2] * stride[2];
}

static void plan(void)
{
	unsigned int q, axis;

	plan_sides();
	flux_bytes = whole_pages(points * sizeof(uint64_t));
	for (q = 0; q < QUANTITIES; q++) {
		quantity[q].field = arena_segment(points * sizeof(uint64_t), 2.0 / QUANTITIES);
		quantity[q].start = work_random(q, 0);
		for (axis = 0; axis < AXES; axis++) {
			quantity[q].linear[axis] = work_random(q, 1 + axis);
			quantity[q].square[axis] = work_random(q, 4 + axis);
		}
	}
	for (axis = 0; axis < AXES; axis++)
		flux[axis] = arena_reserve(flux_bytes);
}

/* --- the known solution ----------------------------------------------------------------------- */

static uint64_t along(unsigned int q, unsigned int axis, uint64_t x)
{
	return quantity[q].linear[axis] * x + quantity[q].square[axis] * x * x;
}

/* The second difference of a x^2 is 2 a everywhere. */
static uint64_t gain(unsigned int q)
{
	return 2 * (quantity[q].square[0] + quantity[q].square[1] + quantity[q].square[2]);
}

static uint64_t solution(unsigned int q, const uint64_t *x, uint64_t step)
{
	return quantity[q].start + along(q, 0, x[0]) + along(q, 1, x[1]) + along(q, 2, x[2]) +
	       step * gain(q);
}

static void fill(void)
{
	uint64_t x[AXES], *point;
	unsigned int q;

	for (q = 0; q < QUANTITIES; q++) {
		point = quantity[q].field;
		for (x[2] = 0; x[2] < side[2]; x[2]++)
			for (x[1] = 0; x[1] < side[1]; x[1]++)
				for (x[0] = 0; x[0] < side[0]; x[0]++)
					*point++ = solution(q, x, 0);
	}
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Along the edges of the grid no flux is needed; it is read nowhere. */
static void flux_plane(uint64_t plane)
{
	const uint64_t *field = quantity[at_quantity].field;
	uint64_t i = plane * stride[2], end = i + stride[2];
	unsigned int axis;

	for (; i < end; i++)
		for (axis = 0; axis < AXES; axis++)
			if (i + stride[axis] < points)
				flux[axis][i] = field[i + stride[axis]] - field[i];
}

/* The inner points of the row that begins at point i. */
static void update_row(uint64_t *field, uint64_t i)
{
	uint64_t end = i + side[0] - 1;
	unsigned int axis;

	for (i++; i < end; i++)
		for (axis = 0; axis < AXES; axis++)
			field[i] += flux[axis][i] - flux[axis][i - stride[axis]];
}

static void add_to_edge(uint64_t *field, uint64_t nr, uint64_t distance, uint64_t number)
{
	for (; nr; nr--, field += distance)
		*field += number;
}

/* Inner points change by the fluxes; on the edge of the grid the change is given. */
static void update_plane(uint64_t z)
{
	uint64_t *row = quantity[at_quantity].field + z * stride[2], y;
	uint64_t given = gain(at_quantity);

	if (!z || z == side[2] - 1) {
		add_to_edge(row, stride[2], 1, given);
		return;
	}
	for (y = 0; y < side[1]; y++, row += side[0]) {
		if (!y || y == side[1] - 1) {
			add_to_edge(row, side[0], 1, given);
			continue;
		}
		add_to_edge(row, 2, side[0] - 1, given);
		update_row(quantity[at_quantity].field, z * stride[2] + y * stride[1]);
	}
}

static void map_fluxes(void)
{
	unsigned int axis;

	for (axis = 0; axis < AXES; axis++)
		arena_map(flux[axis], flux_bytes);
}

static void unmap_fluxes(void)
{
	unsigned int axis;

	for (axis = 0; axis < AXES; axis++)
		arena_unmap(flux[axis], flux_bytes);
}

static void pass_done(void)
{
	at_plane = 0;
	at_pass = !at_pass;
	if (at_pass)
		return;
	unmap_fluxes();
	quantity[at_quantity].step++;
	at_quantity = (at_quantity + 1) % QUANTITIES;
}

static void next_plane(void)
{
	if (!at_plane && !at_pass)
		map_fluxes();
	if (at_pass)
		update_plane(at_plane);
	else
		flux_plane(at_plane);
	if (++at_plane == side[2])
		pass_done();
}

static unsigned long run(unsigned long operations)
{
	unsigned long done;

	for (done = 0; done < operations; done += stride[2])
		next_plane();
	return done;
}

/* --- check ------------------------------------------------------------------------------------ */

static void check_quantity(unsigned int q)
{
	const uint64_t *point = quantity[q].field;
	uint64_t x[AXES];

	for (x[2] = 0; x[2] < side[2]; x[2]++)
		for (x[1] = 0; x[1] < side[1]; x[1]++)
			for (x[0] = 0; x[0] < side[0]; x[0]++) {
				result.digest = work_mix(result.digest + *point);
				work_expect(*point++ == solution(q, x, quantity[q].step));
			}
}

/* A step that is under way is brought to its end first. */
static void check(void)
{
	unsigned int q;

	while (at_plane || at_pass)
		next_plane();
	for (q = 0; q < QUANTITIES; q++)
		check_quantity(q);
}

const struct work work = {
	.name = "stencil",
	.doc = "Steps of a stencil on a grid, with arrays that live for a step.",
	.window_per_mib = 262144,
	.plan = plan,
	.fill = fill,
	.run = run,
	.check = check,
};
