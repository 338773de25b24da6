// SPDX-License-Identifier: GPL-2.0
/*
 * Property test of the heat map: random sequences over several blocks against a plain model.
 * Knows that after every step both histograms are the sum of what is accounted, and after a sweep a
 * rebuild from the counts.
 * Does not know the inside of a block except to compare it.
 */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "block.h"
#include "heat_model.h"

#define BLOCKS 3
#define SEQUENCES 2000
#define STEPS 40

static struct tc_heat heat;
static struct tc_block block[BLOCKS];
static struct model_block model[BLOCKS];

/* What is being done, for the message of a failed check. */
static char step_text[160];
static unsigned int sequence, step;

#define check(cond, what) \
	unit_check(cond, "sequence %u, step %u, %s: %s", sequence, step, step_text, what)
#define announce(...) snprintf(step_text, sizeof(step_text), __VA_ARGS__)

/* A place for a folio. */
struct place {
	unsigned int i; /* block */
	unsigned int head;
	unsigned int order;
};

static struct place random_place(void)
{
	struct place p = { .i = unit_below(BLOCKS), .order = unit_below(10) };

	p.head = unit_below(TC_BLOCK_PAGES) & ~((1U << p.order) - 1);
	return p;
}

/* Mostly where a folio is binned, as that is what a kernel that stands still would show. */
static struct place likely_place(void)
{
	struct place p = random_place();
	struct model_folio *f = model_find(&model[p.i], unit_below(TC_BLOCK_PAGES));

	if (f && unit_chance(70)) {
		p.head = f->head;
		p.order = f->order;
	}
	return p;
}

/* The tag that the first page has, mostly; few values, so that they also meet by chance. */
static u8 likely_tag(struct place p)
{
	static const u8 tags[] = { 0, 1, 2, 254, 255 };

	if (unit_chance(70))
		return model[p.i].owner[p.head];
	return tags[unit_below(sizeof(tags))];
}

static void do_sample(void)
{
	struct place p = likely_place();
	unsigned int n = unit_below(1U << p.order), page = p.head + n, bin = 0, expected;
	u8 owner = model_tag(likely_tag(p), n);
	unsigned int times = unit_chance(20) ? 1 + unit_below(80) : 1;

	/* Rarely enough of them to reach the largest count. */
	if (unit_below(500) == 0)
		times = 4200;
	announce("%u samples on page %u of %u order %u in block %u, tag %u", times, page, p.head,
		 p.order, p.i, owner);
	while (times--) {
		bin = tc_block_sample(&block[p.i], &heat, page, p.head, p.order, owner);
		model_sample(&model[p.i], page, p.head, p.order, owner);
	}
	expected = model_find(&model[p.i], page)->bin;
	check(bin == expected, "wrong bin returned");
}

static void do_cool(void)
{
	unsigned int times = unit_chance(70) ? 1 : 1 + unit_below(40), i;

	announce("%u coolings", times);
	while (times--) {
		tc_heat_cool(&heat);
		for (i = 0; i < BLOCKS; i++)
			model_shift(&model[i]);
	}
}

static void do_sweep_one(void)
{
	unsigned int i = unit_below(BLOCKS);

	announce("sweep of block %u", i);
	tc_block_cool(&block[i], &heat);
	model_touch(&model[i]);
}

static void do_rebin(void)
{
	struct place p = random_place();

	announce("rebin of %u order %u in block %u", p.head, p.order, p.i);
	tc_block_rebin(&block[p.i], &heat, p.head, p.order);
	model_rebin(&model[p.i], p.head, p.order);
}

/* A folio splits into equal pieces. */
static void do_split(void)
{
	struct place p = likely_place();
	unsigned int order = unit_below(p.order + 1), head;

	announce("split of %u order %u in block %u to order %u", p.head, p.order, p.i, order);
	for (head = p.head; head < p.head + (1U << p.order); head += 1U << order) {
		tc_block_rebin(&block[p.i], &heat, head, order);
		model_rebin(&model[p.i], head, order);
	}
}

/* A page is touched, or the clock of the marks goes on. */
static void do_touch(void)
{
	unsigned int i = unit_below(BLOCKS), page = unit_below(TC_BLOCK_PAGES);
	unsigned int steps = unit_chance(80) ? 0 : 1 + unit_below(9);

	announce("touch of page %u in block %u after %u steps", page, i, steps);
	heat.step += steps;
	for (; steps; steps--)
		model_step(model, BLOCKS);
	tc_touch_mark(&block[i].touch, heat.step, page);
	model[i].left[page] = TC_TOUCH_STEPS;
}

static void do_warm(void)
{
	struct place p = likely_place();
	u32 amount = unit_below(unit_chance(90) ? 5000 : 200000);

	announce("warm of %u order %u in block %u by %u", p.head, p.order, p.i, amount);
	tc_block_warm(&block[p.i], &heat, p.head, p.order, amount);
	model_warm(&model[p.i], p.head, p.order, amount);
}

static void do_see(void)
{
	struct place p = likely_place();
	u8 owner = likely_tag(p);
	bool seen;

	announce("see %u order %u in block %u, tag %u", p.head, p.order, p.i, owner);
	seen = tc_block_see(&block[p.i], &heat, p.head, p.order, owner);
	check(seen == model_see(&model[p.i], p.head, p.order, owner), "wrong answer");
}

static void do_verify(void)
{
	struct place p = likely_place();
	u8 owner = likely_tag(p);

	announce("verify %u order %u in block %u, tag %u", p.head, p.order, p.i, owner);
	tc_block_verify(&block[p.i], &heat, p.head, p.order, owner);
	model_verify(&model[p.i], p.head, p.order, owner);
}

static void do_drop(void)
{
	struct place p = likely_place();
	unsigned int first = p.head, nr = 1U << p.order;

	if (unit_chance(50)) {
		first = unit_below(TC_BLOCK_PAGES);
		nr = unit_below(TC_BLOCK_PAGES - first + 1);
	}
	announce("drop of %u pages at %u in block %u", nr, first, p.i);
	tc_block_drop(&block[p.i], &heat, first, nr);
	model_drop(&model[p.i], first, first + nr);
}

static void do_carry(void)
{
	struct place p = likely_place(), to = random_place();

	to.head &= ~((1U << p.order) - 1);
	announce("carry of %u order %u in block %u to %u in block %u", p.head, p.order, p.i,
		 to.head, to.i);
	tc_block_carry(&block[p.i], p.head, &block[to.i], to.head, p.order, &heat);
	model_carry(&model[p.i], p.head, &model[to.i], to.head, p.order);
}

static void do_queue(void)
{
	struct place p = likely_place();
	bool mark = unit_chance(80);

	announce("queued mark %d on %u in block %u", mark, p.head, p.i);
	if (mark)
		tc_block_set_queued(&block[p.i], p.head);
	else
		tc_block_clear_queued(&block[p.i], p.head);
	model[p.i].queued[p.head] = mark;
}

static void do_refuse(void)
{
	struct place p = likely_place();

	announce("refused mark on %u in block %u", p.head, p.i);
	tc_block_set_refused(&block[p.i], p.head);
	model[p.i].refused[p.head] = true;
}

static void do_forget_marks(void)
{
	unsigned int i = unit_below(BLOCKS);

	if (unit_chance(50)) {
		announce("all refused marks of block %u forgotten", i);
		tc_block_forget_refused(&block[i]);
		memset(model[i].refused, 0, sizeof(model[i].refused));
	} else {
		announce("all queued marks of block %u forgotten", i);
		tc_block_forget_queued(&block[i]);
		memset(model[i].queued, 0, sizeof(model[i].queued));
	}
}

static void do_something(void)
{
	static void (*const others[])(void) = {
		do_cool,   do_cool, do_sweep_one, do_rebin,  do_split,	      do_see,
		do_verify, do_drop, do_carry,	  do_queue,  do_queue,	      do_touch,
		do_touch,  do_warm, do_refuse,	  do_refuse, do_forget_marks,
	};

	if (unit_chance(40))
		do_sample();
	else
		others[unit_below(sizeof(others) / sizeof(others[0]))]();
}

/* The folios, as a walk over the block finds them, are those of the model. */
static void check_folios(const struct tc_block *b, struct model_block *m)
{
	unsigned int order, last_end = 0;
	int head;

	tc_block_for_each_folio(b, head, order) {
		struct model_folio *f = model_find(m, head);

		check(f && f->head == (unsigned int)head && f->order == order, "wrong folio");
		check((unsigned int)head >= last_end, "folios overlap");
		check(tc_block_bin(b, &heat, head) == f->bin, "wrong bin");
		check(tc_block_bin(b, &heat, head + unit_below(1U << order)) == f->bin,
		      "wrong bin inside a folio");
		last_end = head + (1U << order);
	}
}

/* Pages without heat, queue or folio, so that the block may go. */
static bool nothing_left(const struct model_block *m)
{
	unsigned int i;

	for (i = 0; i < TC_BLOCK_PAGES; i++)
		if (m->count[i] || m->queued[i])
			return false;
	return true;
}

static void check_pages(const struct tc_block *b, struct model_block *m)
{
	u32 lag = heat.epoch - b->epoch;
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < TC_BLOCK_PAGES; i++) {
		u32 count = lag < 16 ? b->count[i] >> lag : 0;

		check(count == m->count[i], "wrong count");
		check(b->owner[i] == m->owner[i], "wrong owner tag");
		check(!m->covered[i] || tc_block_base_bin(b, &heat, i) == m->base[i],
		      "wrong bin of a base page");
		check(tc_block_queued(b, i) == m->queued[i], "wrong queued mark");
		check(tc_block_refused(b, i) == m->refused[i], "wrong refused mark");
		check(tc_touch_left(&b->touch, heat.step, i, 0) == m->left[i],
		      "wrong mark of a touch");
		check(tc_bit_test(b->binned, i) == !!m->covered[i], "wrong about being binned");
		check(tc_bit_test(b->binned, i) || !b->count[i], "heat without a folio");
		sum += b->count[i];
	}
	check(b->sum == sum, "sum is not the sum of the counts");
	i = unit_below(TC_BLOCK_PAGES);
	check(model_find(m, i) || !tc_block_bin(b, &heat, i), "bin without a folio");
	if (!lag)
		check(tc_block_empty(b) == nothing_left(m), "wrong about being empty");
}

static void check_accounting(void)
{
	struct tc_histogram sum = { { 0 } }, base = { { 0 } };
	unsigned int i, page;

	for (i = 0; i < BLOCKS; i++)
		for (page = 0; page < TC_BLOCK_PAGES; page++)
			if (model[i].covered[page]) {
				sum.pages[model_find(&model[i], page)->bin]++;
				base.pages[model[i].base[page]]++;
			}
	check(!memcmp(&sum, &heat.hist, sizeof(sum)), "histogram is not what is accounted");
	check(!memcmp(&base, &heat.base, sizeof(base)),
	      "histogram of base pages is not what is accounted");
}

static void check_all(void)
{
	unsigned int i;

	check_accounting();
	for (i = 0; i < BLOCKS; i++) {
		check_folios(&block[i], &model[i]);
		check_pages(&block[i], &model[i]);
	}
}

/* After a sweep both histograms are what anyone would build from the counts alone. */
static void sweep_and_check_rebuild(void)
{
	struct tc_histogram rebuilt = { { 0 } }, base = { { 0 } };
	unsigned int i, order;
	int head;

	announce("sweep at the end");
	for (i = 0; i < BLOCKS; i++) {
		tc_block_cool(&block[i], &heat);
		model_touch(&model[i]);
	}
	check_all();
	for (i = 0; i < BLOCKS; i++)
		tc_block_for_each_folio(&block[i], head, order) {
			u64 sum = 0;
			int page;

			for (page = head; page < head + (1 << order); page++) {
				sum += block[i].count[page];
				base.pages[model_bin(block[i].count[page], 0)]++;
			}
			rebuilt.pages[model_bin(sum, order)] += 1U << order;
		}
	check(!memcmp(&rebuilt, &heat.hist, sizeof(rebuilt)), "histogram is not a rebuild");
	check(!memcmp(&base, &heat.base, sizeof(base)), "histogram of base pages is not a rebuild");
}

static void start_sequence(void)
{
	unsigned int i;

	memset(&heat, 0, sizeof(heat));
	memset(model, 0, sizeof(model));
	heat.epoch = unit_chance(50) ? 0U - unit_below(20) : unit_below(20);
	for (i = 0; i < BLOCKS; i++)
		tc_block_init(&block[i], heat.epoch);
}

static void histogram_is_what_is_accounted(void **unused)
{
	(void)unused;
	unit_seed();
	for (sequence = 0; sequence < SEQUENCES; sequence++) {
		start_sequence();
		for (step = 0; step < STEPS; step++) {
			do_something();
			check_all();
		}
		sweep_and_check_rebuild();
	}
}

/* Everything freed in the end leaves nothing behind. */
static void drops_leave_nothing(void **unused)
{
	unsigned int i;

	(void)unused;
	unit_seed();
	for (sequence = 0; sequence < SEQUENCES / 10; sequence++) {
		start_sequence();
		for (step = 0; step < STEPS; step++)
			do_something();
		announce("drop of everything");
		for (i = 0; i < BLOCKS; i++) {
			tc_block_drop(&block[i], &heat, 0, TC_BLOCK_PAGES);
			check(tc_block_empty(&block[i]), "block is not empty");
		}
		check(tc_histogram_total(&heat.hist) == 0, "something is still accounted");
		check(tc_histogram_total(&heat.base) == 0, "a base page is still accounted");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(histogram_is_what_is_accounted),
		cmocka_unit_test(drops_leave_nothing),
	};

	return cmocka_run_group_tests_name("block_random", tests, NULL, NULL);
}
