/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A pointer chase: every load depends on the one before and visits a new line.
 *
 * Knows how lines are linked to one cycle without pattern. Does not know what
 * the memory is nor what a load costs.
 */
#ifndef TC_LINES_H
#define TC_LINES_H

#include <stdint.h>
#include <stdlib.h>

#define LINE 64UL

struct line {
	struct line *next;
	char pad[LINE - sizeof(struct line *)];
};

static inline uint64_t lines_random(uint64_t bound)
{
	static uint64_t x = 88172645463325252ULL;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (uint64_t)(((unsigned __int128)x * bound) >> 64);
}

/* One cycle through all lines, in an order without pattern (Sattolo's algorithm). */
static inline void lines_link(struct line *line, uint64_t nr)
{
	uint32_t *order = malloc(nr * sizeof(*order));
	uint64_t i;

	for (i = 0; i < nr; i++)
		order[i] = i;
	for (i = nr - 1; i > 0; i--) {
		uint64_t j = lines_random(i);
		uint32_t swap = order[i];

		order[i] = order[j];
		order[j] = swap;
	}
	for (i = 0; i < nr; i++)
		line[order[i]].next = &line[order[(i + 1) % nr]];
	free(order);
}

static inline void lines_chase(struct line *line, uint64_t steps)
{
	while (steps--)
		line = *(struct line *volatile *)&line->next;
}

#endif
