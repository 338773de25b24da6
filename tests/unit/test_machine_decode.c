// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the instruction decoder on bytes that the GNU assembler makes.
 * Knows encodings, each with its text.
 * Does not know what they are for.
 */
#include "unit.h"

#include <stdlib.h>

#include "decode.h"

static const struct {
	const char *text;
	u8 code[15];
	u8 len;
	struct insn insn;
} known[] = {
	{ "mov %rax,%cr3", { 0x0f, 0x22, 0xd8 }, 3, { INSN_WRITE_CR3, 0 } },
	{ "mov %rdi,%cr3", { 0x0f, 0x22, 0xdf }, 3, { INSN_WRITE_CR3, 7 } },
	{ "mov %r12,%cr3", { 0x41, 0x0f, 0x22, 0xdc }, 4, { INSN_WRITE_CR3, 12 } },
	{ "mov %rax,%cr4", { 0x0f, 0x22, 0xe0 }, 3, { INSN_WRITE_CR4, 0 } },
	{ "mov %r9,%cr4", { 0x41, 0x0f, 0x22, 0xe1 }, 4, { INSN_WRITE_CR4, 9 } },
	{ "mov %rax,%cr0", { 0x0f, 0x22, 0xc0 }, 3, { INSN_OTHER, 0 } },
	{ "mov %rax,%cr8", { 0x44, 0x0f, 0x22, 0xc0 }, 4, { INSN_OTHER, 0 } },
	{ "mov %cr3,%rax", { 0x0f, 0x20, 0xd8 }, 3, { INSN_OTHER, 0 } },
	{ "invlpg (%rax)", { 0x0f, 0x01, 0x38 }, 3, { INSN_INVLPG, 0 } },
	{ "invlpg (%rdi)", { 0x0f, 0x01, 0x3f }, 3, { INSN_INVLPG, 7 } },
	{ "invlpg (%r14)", { 0x41, 0x0f, 0x01, 0x3e }, 4, { INSN_INVLPG, 14 } },
	{ "invlpg (%r12)", { 0x41, 0x0f, 0x01, 0x3c, 0x24 }, 5, { INSN_INVALIDATE, 0 } },
	{ "invlpg 0(%rbp)", { 0x0f, 0x01, 0x7d, 0x00 }, 4, { INSN_INVALIDATE, 0 } },
	{ "invlpg 8(%rax)", { 0x0f, 0x01, 0x78, 0x08 }, 4, { INSN_INVALIDATE, 0 } },
	{ "invpcid (%rdi),%rax", { 0x66, 0x0f, 0x38, 0x82, 0x07 }, 5, { INSN_INVALIDATE, 0 } },
	{ "invpcid (%r8),%rax", { 0x66, 0x41, 0x0f, 0x38, 0x82, 0x00 }, 6, { INSN_INVALIDATE, 0 } },
	{ "swapgs", { 0x0f, 0x01, 0xf8 }, 3, { INSN_OTHER, 0 } },
	{ "lgdt (%rax)", { 0x0f, 0x01, 0x10 }, 3, { INSN_OTHER, 0 } },
	{ "nop", { 0x90 }, 1, { INSN_OTHER, 0 } },
	{ "marker 5", { 0x0f, 0x1f, 0x80, 0x05, 0x57, 0x7e, 0x57 }, 7, { INSN_MARKER, 5 } },
	{ "nopl 0x10(%rax)", { 0x0f, 0x1f, 0x80, 0x10, 0, 0, 0 }, 7, { INSN_OTHER, 0 } },
};

#define NR_KNOWN (sizeof(known) / sizeof(known[0]))

static void known_instructions(void **unused)
{
	unsigned int i;

	(void)unused;
	for (i = 0; i < NR_KNOWN; i++) {
		struct insn insn = tcm_decode(known[i].code, known[i].len);

		unit_check(insn.kind == known[i].insn.kind, "kind of %s", known[i].text);
		unit_check(insn.kind == INSN_OTHER || insn.operand == known[i].insn.operand,
			   "operand of %s", known[i].text);
	}
}

/* Short and odd byte strings: the sanitizers see a read beyond the end. */
static void any_bytes(void **unused)
{
	unsigned int round, i;

	(void)unused;
	unit_seed();
	for (round = 0; round < 200000; round++) {
		size_t len = unit_below(16);
		u8 *code = malloc(len + !len);

		for (i = 0; i < len; i++)
			code[i] = unit_chance(50) ? unit_below(256) :
						    known[unit_below(NR_KNOWN)].code[i];
		tcm_decode(code, len);
		free(code);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_instructions),
		cmocka_unit_test(any_bytes),
	};

	return cmocka_run_group_tests_name("machine_decode", tests, NULL, NULL);
}
