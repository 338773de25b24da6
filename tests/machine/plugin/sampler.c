// SPDX-License-Identifier: GPL-2.0
/*
 * The sampler: tags every period-th op, as AMD's IBS op sampling does.
 *
 * Knows periods, tags and the ring. Does not know the caches; it is told what
 * became of the tagged op.
 *
 * As on the hardware: the op counter starts over at a random value of 1 to
 * 127 after a tagged op that the L3-miss filter drops (Linux commit
 * "perf/amd/ibs: Add support for L3 miss filtering"), and at one of 0 to 127
 * after a delivered one (the driver keeps IbsOpCurCnt's random bits when it
 * re-arms). Unlike the hardware, sampling does not stop between a sample and
 * its interrupt: the ring takes the next ones, and drops them when full.
 *
 * Only ops that access memory call back, so a tag is known to have fallen on
 * another op when the next access arrives with a higher number. No op in
 * between was looked at, and none needed to be.
 */
#include "machine.h"

#define RESTART_MASK 127

/* Off until the guest sets a period; the same start for the same seed. */
void tcm_sampler_begin(struct vcpu *v, unsigned int index)
{
	v->pmu_seen = 0;
	v->period = 0;
	v->paused = false;
	v->next_tag = UINT64_MAX;
	v->random = (machine.config.seed + index + 1) * 0x9e3779b97f4a7c15ULL;
}

/* xorshift64*: fast, and the same sequence for the same seed */
static uint64_t next_random(struct vcpu *v)
{
	uint64_t x = v->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	v->random = x;
	return x * 0x2545f4914f6cdd1dULL;
}

/* Ops until the next tag; a period under 128 leaves no room for the full range. */
static uint64_t restart(struct vcpu *v, unsigned int least)
{
	uint64_t skip = next_random(v) >> 32 & RESTART_MASK;

	if (skip < least)
		skip = least;
	return v->period > skip ? v->period - skip : 1;
}

/* Ops left to the next tag: of the period under way, or of a new one. */
static uint64_t ops_left(const struct vcpu *v, uint64_t period)
{
	if (period != v->period)
		return period;
	if (v->paused)
		return v->left_at_pause;
	return v->next_tag > *v->ops ? v->next_tag - *v->ops : 1;
}

/*
 * The control words changed. Another period counts from here, as on a write
 * to the MSR; a pause takes nothing off the period under way.
 */
void tcm_sampler_reload(unsigned int index)
{
	struct tcm_pmu *pmu = &machine.shared->pmu[index];
	struct vcpu *v = &machine.vcpu[index];
	uint64_t generation = __atomic_load_n(&pmu->generation, __ATOMIC_ACQUIRE);
	uint64_t left = ops_left(v, pmu->period);

	v->pmu_seen = generation;
	v->period = pmu->period;
	v->l3missonly = pmu->flags & TCM_PMU_L3MISSONLY;
	v->paused = pmu->flags & TCM_PMU_PAUSED;
	v->left_at_pause = left;
	v->next_tag = v->period && !v->paused ? *v->ops + left : UINT64_MAX;
}

/* In the unit of AMD's latency fields, which hold 16 bits. */
static uint16_t cycles(uint64_t ps)
{
	uint64_t cycles = ps * machine.config.clock_mhz / 1000000;

	return cycles < UINT16_MAX ? cycles : UINT16_MAX;
}

static void fill(const struct vcpu *v, struct tcm_sample *sample, uint64_t op,
		 const struct access *access)
{
	*sample = (struct tcm_sample){ .op = op };
	if (!access)
		return;
	sample->vaddr = access->vaddr;
	sample->paddr = access->flags & TCM_SAMPLE_PADDR ? access->paddr : 0;
	sample->cr3 = v->cr3 & ~CR3_HALF;
	sample->ip = access->ip;
	sample->flags = access->flags;
	sample->latency_cycles = cycles(access->memory_ps);
	sample->retire_cycles = cycles(access->memory_ps + access->translation_ps);
	if (access->flags & TCM_SAMPLE_MISS && access->flags & TCM_SAMPLE_LOAD)
		sample->data_source = machine.config.tier[access->tier].kind;
}

static void deliver(unsigned int index, uint64_t op, const struct access *access)
{
	struct tcm_ring *ring = &machine.shared->ring[index];
	struct vcpu *v = &machine.vcpu[index];

	if (ring->head - __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) >= TCM_RING_SLOTS) {
		ring->lost++;
		v->count.samples_lost++;
		return;
	}
	fill(v, &ring->slot[ring->head & (TCM_RING_SLOTS - 1)], op, access);
	__atomic_store_n(&ring->head, ring->head + 1, __ATOMIC_RELEASE);
	v->count.samples++;
}

static bool filtered(const struct vcpu *v, const struct access *access)
{
	return v->l3missonly && !(access && access->flags & TCM_SAMPLE_MISS);
}

static void tagged(unsigned int index, uint64_t op, const struct access *access)
{
	struct vcpu *v = &machine.vcpu[index];
	bool drop = filtered(v, access);

	v->count.tags++;
	if (!drop)
		deliver(index, op, access);
	v->next_tag = op + restart(v, drop);
}

/* Access number op has happened, and the sampler waited for this number or a lower one. */
void tcm_sampler_tag(unsigned int index, uint64_t op, const struct access *access)
{
	struct vcpu *v = &machine.vcpu[index];

	while (v->next_tag < op)
		tagged(index, v->next_tag, NULL);
	if (v->next_tag == op)
		tagged(index, op, access);
}
