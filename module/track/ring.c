// SPDX-License-Identifier: GPL-2.0
/*
 * The rings of ring.h. No lock, no allocation and no wait on the producer's side, as that is
 * an NMI. Knows nothing of perf and nothing of pages.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/slab.h>

#include "ring.h"

int tc_ring_alloc(struct tc_ring *ring, unsigned int slots, int nid)
{
	struct tc_ring_slot *memory;

	if (ring->slots)
		return 0;
	memory = kvzalloc_node(array_size(slots, sizeof(*memory)), GFP_KERNEL, nid);
	if (!memory)
		return -ENOMEM;
	ring->mask = slots - 1;
	/* Pairs with the acquire of the consumer, who finds the ring by its slots. */
	smp_store_release(&ring->slots, memory);
	return 0;
}

void tc_ring_free(struct tc_ring *ring)
{
	kvfree(ring->slots);
	ring->slots = NULL;
}

void tc_ring_push(struct tc_ring *ring, const struct tc_sample *sample)
{
	struct tc_ring_slot *slot;
	long head = local_read(&ring->head);

	do {
		/* Pairs with the release in tc_ring_pop(): the slot has been read out. */
		if ((long)(head - smp_load_acquire(&ring->tail)) > (long)ring->mask) {
			local_inc(&ring->lost);
			return;
		}
	} while (!local_try_cmpxchg(&ring->head, &head, head + 1));

	slot = &ring->slots[head & ring->mask];
	slot->sample = *sample;
	/* Pairs with the acquire in tc_ring_pop(): a committed slot is complete. */
	smp_store_release(&slot->commit, head + 1);
}

bool tc_ring_pop(struct tc_ring *ring, struct tc_sample *sample)
{
	struct tc_ring_slot *slot = &ring->slots[ring->tail & ring->mask];

	/* Pairs with the release in tc_ring_push(). */
	if (smp_load_acquire(&slot->commit) != ring->tail + 1)
		return false;
	*sample = slot->sample;
	/* Pairs with the acquire in tc_ring_push(): the slot may be used again. */
	smp_store_release(&ring->tail, ring->tail + 1);
	return true;
}
