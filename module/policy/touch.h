/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Marks of touches: which pages of a block were touched lately, and how long ago.
 * Knows page indexes inside a block and steps of a clock.
 * Does not know what a touch is, what a step lasts, nodes, or where a block is kept.
 *
 * TPP (ASPLOS 2023) promotes a page that is found on the active LRU list: its first touch puts it there,
 * its second one, while it is still there, promotes it. The LRU flags of a kernel with MGLRU do not tell of
 * touches, so the mark is our own.
 *
 * A mark has TC_TOUCH_STEPS steps to live when it is set and loses one with each step of the clock. Three
 * bits for each page hold what is left, as bit planes: a block is brought to the clock's step when
 * somebody writes to it, so that a step costs nothing for blocks that nobody touches.
 *
 * One thread writes all marks; functions that take a const one may run at the same time in others, and may
 * then see a mark between two steps.
 */
#ifndef TC_POLICY_TOUCH_H
#define TC_POLICY_TOUCH_H

#include "bits.h"

/* What three bits hold: a mark lives for this many steps, so a touch counts for 6/7 to 7/7 of its age. */
#define TC_TOUCH_PLANES 3
#define TC_TOUCH_STEPS ((1U << TC_TOUCH_PLANES) - 1)

/**
 * struct tc_touch - marks of the pages of a block
 * @plane: bits of what is left to each page, lowest first, as of @step; all zeroes: no mark
 * @step: step of the clock up to which the marks have aged
 */
struct tc_touch {
	u64 plane[TC_TOUCH_PLANES][TC_BLOCK_WORDS];
	u32 step;
};

/**
 * struct tc_touch_clock - turns a count that only grows into steps
 * @last: the count at the last step
 * @step: steps so far (it may wrap)
 */
struct tc_touch_clock {
	u64 last;
	u32 step;
};

/* Where hardware picks samples, a touch counts for so many of them: one for each four covered pages. */
#define TC_TOUCH_PAGES_PER_SAMPLE 4U

/**
 * tc_touch_age_samples - for how many samples a touch counts
 * @covered_pages: memory that samples are taken from, in 4 KiB pages
 * @cooling: samples between two coolings
 * @random: hardware picks samples by chance; false: a page that is in use has one in each round over memory
 *
 * TPP's pages are active until reclaim has walked the list, which has no length in time. Here the clock is
 * that of everything else, samples. With random ones a page of average use gets m more of them while
 * its touch counts, and is promoted by the next with a chance of 1 - exp(-m), whatever use it has; one that
 * is used n times as much with 1 - exp(-n * m). A quarter of a sample for each page (m = 1/4) makes this
 * 22 % and, at 16 times as much, 98 %. It never counts for longer than heat does, one
 * cooling. Samples of rounds do not tell how often a page is used: there it counts that long.
 *
 * Source: this project's rule, for the active pages of TPP (ASPLOS 2023).
 *
 * Context: Any.
 * Return: samples, at least 1.
 */
u64 tc_touch_age_samples(u64 covered_pages, u64 cooling, bool random);

/**
 * tc_touch_clock_tick - so far is the count now
 * @clock: the clock, zeroed at first
 * @now: the count, of samples or of time
 * @age: for how long a touch counts, in the same unit
 *
 * A step is a TC_TOUCH_STEPS-th of @age, and at least 1. The count may be replaced by another: when that is
 * less, the clock goes on from there, when it is more, all marks are old.
 *
 * Context: The writer.
 * Return: steps so far.
 */
u32 tc_touch_clock_tick(struct tc_touch_clock *clock, u64 now, u64 age);

/**
 * tc_touch_left - for how long the last touch of a folio still counts
 * @t: marks of the block
 * @step: the clock's step
 * @head: index of the folio's first page
 * @order: order of the folio
 *
 * Context: Any.
 * Return: steps that are left to the latest mark of its pages, 0 .. TC_TOUCH_STEPS; 0: it is not active.
 */
unsigned int tc_touch_left(const struct tc_touch *t, u32 step, unsigned int head,
			   unsigned int order);

/**
 * tc_touch_mark - a page is touched
 * @t: marks of the block
 * @step: the clock's step
 * @page: index of the page
 *
 * Context: The writer.
 */
void tc_touch_mark(struct tc_touch *t, u32 step, unsigned int page);

/**
 * tc_touch_again - is a touch one more than the one before?
 * @left: what tc_touch_left() said before it
 * @order: order of the folio
 *
 * One page of 4 KiB has few lines to miss, so each sample of it is a touch. One walk over a large
 * folio leaves many samples: those of one step are the same touch, or each huge page that is
 * read once would be touched twice.
 *
 * Source: TPP (ASPLOS 2023), active pages; there a touch is a hint fault, of which a page, whatever its size,
 * has at most one in a scan period.
 *
 * Context: Any.
 */
static inline bool tc_touch_again(unsigned int left, unsigned int order)
{
	return left && (!order || left < TC_TOUCH_STEPS);
}

/**
 * tc_touch_forget - forget marks
 * @t: marks of the block
 * @first: index of the first page
 * @nr: number of pages; they are in the block
 *
 * Context: The writer.
 */
void tc_touch_forget(struct tc_touch *t, unsigned int first, unsigned int nr);

/**
 * tc_touch_carry - the mark of a page goes with it
 * @src: marks of the block it came from; they stay
 * @from: its index there
 * @dst: marks of the block it is in now
 * @to: its index there
 *
 * Both have been brought to the same step by tc_touch_age().
 *
 * Context: The writer.
 */
void tc_touch_carry(const struct tc_touch *src, unsigned int from, struct tc_touch *dst,
		    unsigned int to);

/* Brings the marks of a block to a step of the clock. Context: The writer. */
void tc_touch_age(struct tc_touch *t, u32 step);

#endif /* TC_POLICY_TOUCH_H */
