// SPDX-License-Identifier: GPL-2.0
/*
 * The module's policy: module/policy's blocks, histogram, thresholds and coolings, with the engine's
 * rules for what is queued and what a cursor sends down. Counts are of the module's own code.
 */
#include <stdlib.h>

#include "../../module/policy/interval.h"
#include "../../module/policy/thresholds.h"
#include "../lib/errors.h"
#include "sim.h"

/* Adaptations between two passes of the cursor; promotions in waiting; as in the engine. */
#define PASS_ADAPTATIONS 4
#define QUEUE 4096U
#define WANTED_MAX 2048U
#define CURSOR_STEPS 1024U

struct state {
	struct sim *sim;
	struct tc_block **blocks;
	u64 nr_blocks;
	struct tc_heat heat;
	struct tc_thresholds thresholds;
	struct tc_intervals intervals;
	u64 samples, adapted_at, cooled_at, adaptations;
	u64 queue[QUEUE];
	unsigned int queued, first;
	u64 sweep;
	u64 pass_began, pass_left, pass_demoted;
	bool barren;
};

static void *init(struct sim *sim)
{
	struct state *state = tc_alloc(sizeof(*state));

	state->sim = sim;
	state->blocks = tc_alloc(sim->blocks * sizeof(*state->blocks));
	state->thresholds = (struct tc_thresholds){ .hot = TC_BINS - 1, .warm = TC_BINS - 1 };
	tc_intervals_scale(sim->folios << sim->order, 0, 0, &state->intervals);
	return state;
}

static unsigned int head_of(const struct state *state, u64 folio, u64 *block)
{
	u64 page = folio << state->sim->order;

	*block = page >> TC_BLOCK_ORDER;
	return page & (TC_BLOCK_PAGES - 1);
}

static void adapt(struct state *state)
{
	struct sim *sim = state->sim;

	tc_thresholds_compute(&state->heat.hist, (sim->capacity - sim->keep_free) << sim->order,
			      &state->thresholds);
	state->adapted_at = state->samples;
	state->adaptations++;
}

static void cool(struct state *state)
{
	tc_heat_cool(&state->heat);
	state->cooled_at = state->samples;
	state->sweep = 0;
}

static void enqueue(struct state *state, struct tc_block *block, unsigned int head, u64 folio)
{
	if (tc_block_queued(block, head) || state->queued == QUEUE)
		return;
	state->queue[(state->first + state->queued++) % QUEUE] = folio;
	tc_block_set_queued(block, head);
}

static void sample(void *data, u64 folio)
{
	struct state *state = data;
	unsigned int head, bin;
	struct tc_block *block;
	u64 index;

	head = head_of(state, folio, &index);
	block = state->blocks[index];
	if (!block) {
		block = state->blocks[index] = tc_alloc(sizeof(*block));
		tc_block_init(block, state->heat.epoch);
		state->nr_blocks++;
	}
	bin = tc_block_sample(block, &state->heat, head, head, state->sim->order, 1 + head % 255);
	state->samples++;
	if (state->adaptations && !sim_is_fast(state->sim, folio) && bin >= state->thresholds.warm)
		enqueue(state, block, head, folio);
	if (state->samples - state->adapted_at >= state->intervals.adaptation)
		adapt(state);
	if (state->samples - state->cooled_at >= state->intervals.cooling)
		cool(state);
}

static unsigned int bin_of(const struct state *state, u64 folio)
{
	u64 index;
	unsigned int head = head_of(state, folio, &index);

	return state->blocks[index] ? tc_block_bin(state->blocks[index], &state->heat, head) : 0;
}

static bool stays(void *data, u64 folio)
{
	struct state *state = data;
	unsigned int bin = bin_of(state, folio);

	if (state->pass_left)
		state->pass_left--;
	return bin >= (state->barren ? state->thresholds.hot : state->thresholds.warm);
}

/* A pass goes over fast memory once; the next one begins some adaptations later. */
static bool pass_due(struct state *state)
{
	if (state->pass_left)
		return true;
	if (state->adaptations - state->pass_began < PASS_ADAPTATIONS)
		return false;
	state->barren = state->pass_began && state->sim->demoted == state->pass_demoted;
	state->pass_began = state->adaptations;
	state->pass_demoted = state->sim->demoted;
	state->pass_left = state->sim->used;
	return true;
}

static void promote(struct state *state)
{
	struct tc_block *block;
	unsigned int head;
	u64 folio, index;

	while (state->queued && sim_room(state->sim)) {
		folio = state->queue[state->first];
		head = head_of(state, folio, &index);
		block = state->blocks[index];
		if (bin_of(state, folio) >= state->thresholds.warm &&
		    !sim_is_fast(state->sim, folio) && !sim_promote(state->sim, folio))
			return;
		tc_block_clear_queued(block, head);
		state->first = (state->first + 1) % QUEUE;
		state->queued--;
	}
}

/* A slice of the sweep that brings blocks to the present epoch. */
static void sweep(struct state *state)
{
	u64 end = state->sweep + 4096;

	for (; state->sweep < end && state->sweep < state->sim->blocks; state->sweep++)
		if (state->blocks[state->sweep])
			tc_block_cool(state->blocks[state->sweep], &state->heat);
}

static void tick(void *data)
{
	struct state *state = data;
	u64 want = state->queued < WANTED_MAX ? state->queued : WANTED_MAX;

	sweep(state);
	if (!state->adaptations)
		return;
	promote(state);
	if (sim_room(state->sim) < want && pass_due(state))
		sim_make_room(state->sim, want, CURSOR_STEPS, stays, state);
}

static u64 metadata(const void *data)
{
	const struct state *state = data;

	return sizeof(*state) + state->sim->blocks * sizeof(*state->blocks) +
	       state->nr_blocks * sizeof(struct tc_block);
}

static void finish(void *data)
{
	struct state *state = data;
	u64 i;

	for (i = 0; i < state->sim->blocks; i++)
		free(state->blocks[i]);
	free(state->blocks);
	free(state);
}

const struct sim_policy sim_thermocline = {
	.name = "thermocline",
	.text = "this module: histogram, thresholds from the size of fast memory, cooling",
	.init = init,
	.sample = sample,
	.tick = tick,
	.metadata = metadata,
	.exit = finish,
};
