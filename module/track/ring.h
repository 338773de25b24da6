/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per-CPU rings that carry samples from wherever they are taken (NMI, interrupt, task) to
 * ksampled. Knows how a sample travels, nothing of what it means.
 */
#ifndef TC_TRACK_RING_H
#define TC_TRACK_RING_H

#include <asm/local.h>
#include <linux/cache.h>
#include <linux/sched.h>
#include <linux/types.h>

/* What was accessed, as flags of struct tc_sample. */
#define TC_SAMPLE_STORE BIT(0)
#define TC_SAMPLE_TLB_MISS BIT(1)

/**
 * struct tc_sample - one sampled access to memory
 * @pfn: page frame that was accessed
 * @latency: cycles until the data came, 0 when the source does not say
 * @flags: TC_SAMPLE_*
 * @tgid: process that accessed it, below 2^22 (PID_MAX_LIMIT); 0: not known
 */
struct tc_sample {
	u64 pfn;
	u32 latency;
	u32 flags : 8;
	u32 tgid : 24;
};

/* Process that runs here; 0 for the kernel's own threads. Context: any, NMI included. */
static __always_inline u32 tc_sample_tgid(void)
{
	BUILD_BUG_ON(PID_MAX_LIMIT > 1 << 24);
	return current->mm ? current->tgid : 0;
}

/*
 * @commit becomes position + 1 once @sample is complete. The consumer stops at the first slot
 * that is reserved but not committed, so a producer that was interrupted by another between
 * the two delays what comes behind it and loses nothing.
 */
struct tc_ring_slot {
	struct tc_sample sample;
	u64 commit;
};

/**
 * struct tc_ring - samples of one CPU
 * @head: position of the next slot to reserve; written on the ring's own CPU only, by any
 *        context there, so a CPU-local compare and exchange orders the producers
 * @lost: samples dropped because the ring was full
 * @tail: position of the next slot to read; written by the consumer only
 * @mask: number of slots - 1
 * @slots: the slots
 */
struct tc_ring {
	local_t head;
	local_t lost;
	unsigned long tail ____cacheline_aligned;
	unsigned long mask;
	struct tc_ring_slot *slots;
};

/**
 * tc_ring_alloc() - make the ring of one CPU
 * @ring: the ring; one that already has its slots keeps them
 * @slots: capacity in samples, a power of two
 * @nid: node for the memory
 *
 * Context: process context, sleeps.
 *
 * Return: 0 or -ENOMEM.
 */
int tc_ring_alloc(struct tc_ring *ring, unsigned int slots, int nid);

/**
 * tc_ring_free() - give back a ring that no producer and no consumer uses any more
 * @ring: the ring; one without slots is fine
 */
void tc_ring_free(struct tc_ring *ring);

/**
 * tc_ring_push() - add a sample
 * @ring: ring of the CPU that runs this
 * @sample: the sample
 *
 * Lock-free. A full ring drops the sample and counts it.
 *
 * Context: any, NMI included; the caller stays on this CPU (preemption off).
 */
void tc_ring_push(struct tc_ring *ring, const struct tc_sample *sample);

/**
 * tc_ring_pop() - take the oldest sample
 * @ring: a ring of any CPU
 * @sample: filled when there is one
 *
 * Context: one consumer at a time.
 *
 * Return: false when there is none, or the oldest is not complete yet.
 */
bool tc_ring_pop(struct tc_ring *ring, struct tc_sample *sample);

/* Samples in @ring, complete or not. A racy look. */
static inline unsigned long tc_ring_used(const struct tc_ring *ring)
{
	return local_read(&ring->head) - READ_ONCE(ring->tail);
}

/* Samples dropped so far because @ring was full. */
static inline unsigned long tc_ring_lost(const struct tc_ring *ring)
{
	return local_read(&ring->lost);
}

#endif /* TC_TRACK_RING_H */
