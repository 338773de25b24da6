// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the first instruction of a function.
 * Knows the byte strings of ENDBR64, of the poisons, and of entries seen in real kernels.
 * Does not know any kernel.
 */
#include "unit.h"

#include "endbr.h"

static enum tc_entry_kind classify(u8 a, u8 b, u8 c, u8 d)
{
	const u8 bytes[TC_ENTRY_BYTES] = { a, b, c, d };

	return tc_entry_classify(bytes);
}

static void known_entries(void **unused)
{
	(void)unused;
	assert_int_equal(classify(0xf3, 0x0f, 0x1e, 0xfa), TC_ENTRY_ENDBR);
	assert_int_equal(classify(0x66, 0x0f, 0x1f, 0x00), TC_ENTRY_SEALED);
	assert_int_equal(classify(0x0f, 0x1f, 0x40, 0xd6), TC_ENTRY_SEALED);
}

static void other_entries(void **unused)
{
	(void)unused;
	/* ENDBR32, an ordinary 4-byte and 5-byte NOP, a call to __fentry__, push, breakpoint. */
	assert_int_equal(classify(0xf3, 0x0f, 0x1e, 0xfb), TC_ENTRY_OTHER);
	assert_int_equal(classify(0x0f, 0x1f, 0x40, 0x00), TC_ENTRY_OTHER);
	assert_int_equal(classify(0x0f, 0x1f, 0x44, 0x00), TC_ENTRY_OTHER);
	assert_int_equal(classify(0xe8, 0x0f, 0x1e, 0xfa), TC_ENTRY_OTHER);
	assert_int_equal(classify(0x55, 0x48, 0x89, 0xe5), TC_ENTRY_OTHER);
	assert_int_equal(classify(0xcc, 0x0f, 0x1e, 0xfa), TC_ENTRY_OTHER);
	assert_int_equal(classify(0, 0, 0, 0), TC_ENTRY_OTHER);
}

/* Every byte counts: no entry that differs in one byte from a known one is taken for it. */
static void one_byte_off(void **unused)
{
	static const u8 known[][TC_ENTRY_BYTES] = {
		{ 0xf3, 0x0f, 0x1e, 0xfa },
		{ 0x66, 0x0f, 0x1f, 0x00 },
		{ 0x0f, 0x1f, 0x40, 0xd6 },
	};
	unsigned int k, i, change;

	(void)unused;
	for (k = 0; k < 3; k++)
		for (i = 0; i < TC_ENTRY_BYTES; i++)
			for (change = 1; change < 256; change++) {
				u8 bytes[TC_ENTRY_BYTES] = { known[k][0], known[k][1], known[k][2],
							     known[k][3] };

				bytes[i] ^= change;
				assert_int_equal(tc_entry_classify(bytes), TC_ENTRY_OTHER);
			}
}

static void names(void **unused)
{
	(void)unused;
	assert_string_equal(tc_entry_name(TC_ENTRY_ENDBR), "endbr");
	assert_string_equal(tc_entry_name(TC_ENTRY_SEALED), "sealed");
	assert_string_equal(tc_entry_name(TC_ENTRY_OTHER), "other");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_entries),
		cmocka_unit_test(other_entries),
		cmocka_unit_test(one_byte_off),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests_name("endbr", tests, NULL, NULL);
}
