// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the simulated machine's TLB: figures computed by hand, and what drops a translation.
 * Knows the shapes that the machine has by default.
 * Does not know page tables: every address maps to itself plus a constant.
 */
#include "unit.h"

#include <string.h>

#include "tlb.h"

#define PAGE 4096ULL
#define HUGE (1ULL << 21)
#define USER 0x7f0000000000ULL
#define OFFSET 0x100000000ULL

static const struct tlb_shape base = { 64, 4 }, huge = { 32, 4 }, second = { 1536, 12 };

/* Accesses of one kind in a round. */
struct round {
	u64 second;
	u64 walks;
};

static void access_one(struct tlb *tlb, u64 vaddr, unsigned int shift, struct round *round)
{
	u64 page = vaddr >> shift << shift;
	const struct tlb_entry *entry = tlb_first(tlb, vaddr);
	struct tlb_entry inserted;

	if (!entry) {
		entry = tcm_tlb_second(tlb, vaddr);
		round->second += entry != NULL;
	}
	if (!entry) {
		inserted = tcm_tlb_insert(tlb, vaddr, page - USER + OFFSET, shift);
		entry = &inserted;
		round->walks++;
	}
	unit_check(tlb_paddr(entry, vaddr) == vaddr - USER + OFFSET, "address %llx",
		   (unsigned long long)vaddr);
}

static struct round go_round(struct tlb *tlb, u64 pages, u64 step, unsigned int shift)
{
	struct round round = { 0, 0 };
	u64 page;

	for (page = 0; page < pages; page++)
		access_one(tlb, USER + page * step + unit_below(step / 8) * 8, shift, &round);
	return round;
}

/* The second round, when everything that can be there is. */
static struct round second_round(u64 pages, u64 step, unsigned int shift, unsigned int group_shift)
{
	struct round round;
	struct tlb tlb;

	assert_true(tcm_tlb_init(&tlb, base, huge, second, group_shift));
	go_round(&tlb, pages, step, shift);
	round = go_round(&tlb, pages, step, shift);
	tcm_tlb_free(&tlb);
	return round;
}

#define EXPECT(round_, second_, walks_)              \
	do {                                         \
		struct round r = round_;             \
		assert_int_equal(r.second, second_); \
		assert_int_equal(r.walks, walks_);   \
	} while (0)

/* A set that one page too many belongs to misses for all of its pages. */
static void base_pages(void **unused)
{
	(void)unused;
	EXPECT(second_round(64, PAGE, 12, 12), 0, 0);
	EXPECT(second_round(65, PAGE, 12, 12), 5, 0);
	EXPECT(second_round(80, PAGE, 12, 12), 80, 0);
	EXPECT(second_round(1536, PAGE, 12, 12), 1536, 0);
	EXPECT(second_round(1537, PAGE, 12, 12), 1537 - 13, 13);
	EXPECT(second_round(1664, PAGE, 12, 12), 0, 1664);
}

static void huge_pages(void **unused)
{
	(void)unused;
	EXPECT(second_round(32, HUGE, 21, 12), 0, 0);
	EXPECT(second_round(33, HUGE, 21, 12), 5, 0);
	EXPECT(second_round(40, HUGE, 21, 12), 40, 0);
	EXPECT(second_round(1536, HUGE, 21, 12), 1536, 0);
	EXPECT(second_round(1664, HUGE, 21, 12), 0, 1664);
}

/* With four pages in one translation the same entries reach four times as far. */
static void coalesced_pages(void **unused)
{
	(void)unused;
	EXPECT(second_round(64, 4 * PAGE, 14, 14), 0, 0);
	EXPECT(second_round(256, PAGE, 14, 14), 0, 0);
	EXPECT(second_round(4 * 1536, PAGE, 14, 14), 1536, 0);
	EXPECT(second_round(4 * 1664, PAGE, 14, 14), 0, 1664);
	EXPECT(second_round(64, PAGE, 12, 14), 0, 0);
}

static bool there(struct tlb *tlb, u64 vaddr)
{
	return tlb_first(tlb, vaddr) || tcm_tlb_second(tlb, vaddr);
}

static void one_gigabyte_in_pieces(void **unused)
{
	struct tlb_entry entry;
	struct tlb tlb;

	(void)unused;
	assert_true(tcm_tlb_init(&tlb, base, huge, second, 12));
	entry = tcm_tlb_insert(&tlb, USER + 5 * HUGE + 77, OFFSET | TLB_GLOBAL, 30);
	assert_true(tlb_paddr(&entry, USER + 5 * HUGE + 77) == OFFSET + 5 * HUGE + 77);
	assert_true(there(&tlb, USER + 5 * HUGE));
	assert_false(there(&tlb, USER + 6 * HUGE));
	tcm_tlb_flush(&tlb, true);
	assert_true(there(&tlb, USER + 5 * HUGE));
	tcm_tlb_free(&tlb);
}

static void flushed_is_gone(void **unused)
{
	u64 small = USER, group = USER + (1ULL << 30), large = USER + (1ULL << 31),
	    global = 1ULL << 63;
	struct tlb tlb;

	(void)unused;
	assert_true(tcm_tlb_init(&tlb, base, huge, second, 14));
	tcm_tlb_insert(&tlb, small, OFFSET, 12);
	tcm_tlb_insert(&tlb, group, OFFSET, 14);
	tcm_tlb_insert(&tlb, large, OFFSET, 21);
	tcm_tlb_insert(&tlb, global, OFFSET | TLB_GLOBAL, 12);
	tcm_tlb_flush_page(&tlb, small + PAGE - 1);
	assert_false(there(&tlb, small));
	tcm_tlb_flush_page(&tlb, group + 3 * PAGE);
	assert_false(there(&tlb, group));
	assert_true(there(&tlb, large));
	tcm_tlb_flush_page(&tlb, large + HUGE - 1);
	assert_false(there(&tlb, large));
	tcm_tlb_insert(&tlb, large, OFFSET, 21);
	tcm_tlb_flush(&tlb, true);
	assert_false(there(&tlb, large));
	assert_true(there(&tlb, global));
	tcm_tlb_flush(&tlb, false);
	assert_false(there(&tlb, global));
	tcm_tlb_free(&tlb);
}

/* What is looked up is what was inserted last, or nothing. */
static void never_stale(void **unused)
{
	u64 frame[256] = { 0 };
	struct tlb tlb;
	unsigned int i;

	(void)unused;
	unit_seed();
	assert_true(tcm_tlb_init(&tlb, base, huge, second, 12));
	for (i = 0; i < 200000; i++) {
		u64 page = unit_below(256), vaddr = USER + page * 128 * PAGE;
		const struct tlb_entry *entry = tlb_first(&tlb, vaddr);

		if (!entry)
			entry = tcm_tlb_second(&tlb, vaddr);
		unit_check(!entry || (entry->frame & TLB_FRAME_MASK) == frame[page], "step %u", i);
		if (unit_chance(30)) {
			tcm_tlb_flush_page(&tlb, vaddr);
			frame[page] = (i + 1) * PAGE;
		}
		if (!there(&tlb, vaddr))
			tcm_tlb_insert(&tlb, vaddr, frame[page], 12);
	}
	tcm_tlb_free(&tlb);
}

static void impossible_shapes(void **unused)
{
	const struct tlb_shape odd = { 60, 4 }, none = { 64, 0 };
	struct tlb tlb;

	(void)unused;
	assert_false(tcm_tlb_init(&tlb, odd, huge, second, 12));
	assert_false(tcm_tlb_init(&tlb, base, none, second, 12));
	assert_false(tcm_tlb_init(&tlb, base, huge, odd, 12));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(base_pages),	     cmocka_unit_test(huge_pages),
		cmocka_unit_test(coalesced_pages),   cmocka_unit_test(one_gigabyte_in_pieces),
		cmocka_unit_test(flushed_is_gone),   cmocka_unit_test(never_stale),
		cmocka_unit_test(impossible_shapes),
	};

	return cmocka_run_group_tests_name("machine_tlb", tests, NULL, NULL);
}
