// SPDX-License-Identifier: GPL-2.0
/*
 * What the module is compared with, each in its plainest form: HeMem's static threshold, TPP's second
 * touch, plain recency, nothing at all, and an oracle that knows the accesses to come.
 */
#include <stdlib.h>
#include <string.h>

#include "../lib/errors.h"
#include "sim.h"

/* HeMem (SOSP 2021): hot from 8 samples on; when a page has 18, all are halved, lazily. */
#define HEMEM_HOT 8
#define HEMEM_COOL 18
#define QUEUE 4096U
#define STEPS 1024U

/**
 * struct touches - what these policies keep
 * @count: samples of a folio, or whether it was touched; @epoch: as of which cooling
 * @now: coolings so far; @samples: samples so far
 * @queue: folios to be promoted
 */
struct touches {
	struct sim *sim;
	u8 *count;
	u8 *epoch;
	u8 now;
	u64 samples;
	u64 window;
	u64 queue[QUEUE];
	unsigned int queued, first;
};

static void *init(struct sim *sim)
{
	struct touches *t = tc_alloc(sizeof(*t));

	t->sim = sim;
	t->count = tc_alloc(sim->folios);
	t->epoch = tc_alloc(sim->folios);
	/* A first touch is forgotten after as many samples as the module needs for two coolings. */
	t->window = 4000000;
	return t;
}

static u64 metadata(const void *data)
{
	const struct touches *t = data;

	return sizeof(*t) + 2 * t->sim->folios;
}

static void finish(void *data)
{
	struct touches *t = data;

	free(t->count);
	free(t->epoch);
	free(t);
}

static void enqueue(struct touches *t, u64 folio)
{
	if (t->queued < QUEUE)
		t->queue[(t->first + t->queued++) % QUEUE] = folio;
}

static void promote(struct touches *t)
{
	u64 folio;

	while (t->queued && sim_room(t->sim)) {
		folio = t->queue[t->first];
		if (!sim_is_fast(t->sim, folio) && !sim_promote(t->sim, folio))
			return;
		t->first = (t->first + 1) % QUEUE;
		t->queued--;
	}
}

static unsigned int hemem_count(const struct touches *t, u64 folio)
{
	u8 behind = t->now - t->epoch[folio];

	return behind < 8 ? t->count[folio] >> behind : 0;
}

static void hemem_sample(void *data, u64 folio)
{
	struct touches *t = data;
	unsigned int count = hemem_count(t, folio) + 1;

	t->count[folio] = count;
	t->epoch[folio] = t->now;
	if (count >= HEMEM_HOT && !sim_is_fast(t->sim, folio))
		enqueue(t, folio);
	if (count >= HEMEM_COOL)
		t->now++;
}

static bool hemem_stays(void *data, u64 folio)
{
	return hemem_count(data, folio) >= HEMEM_HOT;
}

static void hemem_tick(void *data)
{
	struct touches *t = data;

	promote(t);
	sim_make_room(t->sim, t->queued, STEPS, hemem_stays, t);
}

const struct sim_policy sim_hemem = {
	.name = "hemem",
	.text = "HeMem: hot from 8 samples on, halved when a page has 18",
	.init = init,
	.sample = hemem_sample,
	.tick = hemem_tick,
	.metadata = metadata,
	.exit = finish,
};

/* A clock hand: a folio that was touched since it came by stays once more. */
static bool clock_stays(void *data, u64 folio)
{
	struct touches *t = data;
	bool touched = t->count[folio];

	t->count[folio] = 0;
	return touched;
}

static void clock_tick(void *data)
{
	struct touches *t = data;

	promote(t);
	sim_make_room(t->sim, t->queued, STEPS, clock_stays, t);
}

static void twotouch_sample(void *data, u64 folio)
{
	struct touches *t = data;
	/* Eighths of the window, from 1 on. */
	u8 stamp = 1 + t->samples++ / (t->window / 8) % 255;
	u8 age = stamp - t->epoch[folio];

	t->count[folio] = 1;
	if (sim_is_fast(t->sim, folio))
		return;
	if (t->epoch[folio] && age < 8)
		enqueue(t, folio);
	t->epoch[folio] = stamp;
}

const struct sim_policy sim_twotouch = {
	.name = "two-touch",
	.text = "TPP: the second touch while the first is remembered promotes, a clock demotes",
	.init = init,
	.sample = twotouch_sample,
	.tick = clock_tick,
	.metadata = metadata,
	.exit = finish,
};

static void recency_sample(void *data, u64 folio)
{
	struct touches *t = data;

	t->count[folio] = 1;
	if (!sim_is_fast(t->sim, folio))
		enqueue(t, folio);
}

const struct sim_policy sim_recency = {
	.name = "recency",
	.text = "every touch promotes, a clock demotes",
	.init = init,
	.sample = recency_sample,
	.tick = clock_tick,
	.metadata = metadata,
	.exit = finish,
};

static void nothing_sample(void *data, u64 folio)
{
}

static void nothing_tick(void *data)
{
}

static void *nothing_init(struct sim *sim)
{
	return tc_alloc(1);
}

static u64 nothing_metadata(const void *data)
{
	return 0;
}

const struct sim_policy sim_none = {
	.name = "none",
	.text = "nothing moves",
	.init = nothing_init,
	.sample = nothing_sample,
	.tick = nothing_tick,
	.metadata = nothing_metadata,
	.exit = free,
};

/**
 * struct oracle - the accesses to come, by folio
 * @heat: of past windows and the next one, halved from window to window
 */
struct oracle {
	struct sim *sim;
	u16 *heat;
};

static void *oracle_init(struct sim *sim)
{
	struct oracle *oracle = tc_alloc(sizeof(*oracle));

	oracle->sim = sim;
	oracle->heat = tc_alloc(sim->folios * sizeof(*oracle->heat));
	/* It is the bound of what is possible: moving costs it nothing. */
	tc_bucket_set_rate(&sim->bucket, 0, 0, 0);
	return oracle;
}

/* How many of the hottest folios fit: counted by heat. */
static unsigned int oracle_threshold(const struct oracle *oracle, u64 *at_threshold)
{
	u64 *folios = tc_alloc(65536 * sizeof(*folios)), i, fit = 0;
	unsigned int heat = 65535;

	for (i = 0; i < oracle->sim->folios; i++)
		folios[oracle->heat[i]]++;
	while (heat && fit + folios[heat] <= oracle->sim->capacity)
		fit += folios[heat--];
	*at_threshold = oracle->sim->capacity - fit;
	free(folios);
	return heat;
}

static void oracle_place(struct oracle *oracle)
{
	struct sim *sim = oracle->sim;
	unsigned int threshold;
	u64 at_threshold, i, kept = 0;

	threshold = oracle_threshold(oracle, &at_threshold);
	for (i = 0; i < sim->folios; i++)
		if (oracle->heat[i] == threshold && sim_is_fast(sim, i) && kept < at_threshold)
			kept++;
		else if (oracle->heat[i] <= threshold)
			sim_demote(sim, i);
	for (i = 0; i < sim->folios; i++)
		if (oracle->heat[i] > threshold)
			sim_promote(sim, i);
}

static void oracle_window(void *data, const u64 *folios, u64 count)
{
	struct oracle *oracle = data;
	u64 i;

	for (i = 0; i < oracle->sim->folios; i++)
		oracle->heat[i] /= 2;
	for (i = 0; i < count; i++)
		if (oracle->heat[folios[i]] < 65535)
			oracle->heat[folios[i]]++;
	oracle_place(oracle);
}

static void oracle_exit(void *data)
{
	struct oracle *oracle = data;

	free(oracle->heat);
	free(oracle);
}

const struct sim_policy sim_oracle = {
	.name = "oracle",
	.text = "knows the accesses of each window before it begins, and moves for free",
	.init = oracle_init,
	.sample = nothing_sample,
	.tick = nothing_tick,
	.window = oracle_window,
	.metadata = nothing_metadata,
	.exit = oracle_exit,
};
