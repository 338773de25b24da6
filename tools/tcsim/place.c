// SPDX-License-Identifier: GPL-2.0
/*
 * Which folio is where, and moving them under a token bucket. Does not know why one moves.
 */
#include <stdlib.h>

#include "../lib/errors.h"
#include "sim.h"

void sim_init(struct sim *sim, u64 bytes, u64 fast_bytes, unsigned int order, u64 rate_mib)
{
	u64 folio, pages_per_second = rate_mib << 8;

	*sim = (struct sim){ .order = order, .access_ns = SIM_ACCESS_NS };
	sim->folios = bytes >> (12 + order);
	sim->blocks = (bytes + (1 << 21) - 1) >> 21;
	sim->capacity = fast_bytes >> (12 + order);
	/* 2 %, as demote_watermark_bp */
	sim->keep_free = sim->capacity / 50;
	sim->fast = tc_alloc((sim->folios / 64 + 1) * sizeof(u64));
	for (folio = 0; folio < sim->capacity - sim->keep_free && folio < sim->folios; folio++)
		sim->fast[folio >> 6] |= 1ULL << (folio & 63);
	sim->used = folio;
	tc_bucket_init(&sim->bucket, 0, pages_per_second, pages_per_second / 2 + (1 << order));
}

void sim_exit(struct sim *sim)
{
	free(sim->fast);
}

/* The bucket grants all of a folio or nothing. */
static bool take(struct sim *sim)
{
	u64 pages = 1ULL << sim->order;
	u64 got = tc_bucket_take(&sim->bucket, sim->now_ns, pages);

	if (got == pages)
		return true;
	tc_bucket_return(&sim->bucket, got);
	return false;
}

bool sim_promote(struct sim *sim, u64 folio)
{
	if (sim_is_fast(sim, folio) || sim->used >= sim->capacity || !take(sim))
		return false;
	sim->fast[folio >> 6] |= 1ULL << (folio & 63);
	sim->used++;
	sim->promoted++;
	return true;
}

bool sim_demote(struct sim *sim, u64 folio)
{
	if (!sim_is_fast(sim, folio) || !take(sim))
		return false;
	sim->fast[folio >> 6] &= ~(1ULL << (folio & 63));
	sim->used--;
	sim->demoted++;
	return true;
}

u64 sim_room(const struct sim *sim)
{
	u64 most = sim->capacity - sim->keep_free;

	return sim->used < most ? most - sim->used : 0;
}

/* The next folio in fast memory at or behind the hand, which goes round; there is one. */
static u64 next_fast(struct sim *sim)
{
	u64 words = sim->folios / 64 + 1, word = sim->hand >> 6;
	u64 bits = sim->fast[word] & (~0ULL << (sim->hand & 63));

	while (!bits) {
		word = word + 1 < words ? word + 1 : 0;
		bits = sim->fast[word];
	}
	return word * 64 + __builtin_ctzll(bits);
}

u64 sim_make_room(struct sim *sim, u64 want, u64 steps, sim_stays_fn stays, void *state)
{
	u64 done = 0, folio;

	while (sim->used && sim_room(sim) < want && done < steps) {
		folio = next_fast(sim);
		done++;
		if (!stays(state, folio) && !sim_demote(sim, folio))
			break;
		sim->hand = folio + 1 < sim->folios ? folio + 1 : 0;
	}
	return done;
}
