// SPDX-License-Identifier: GPL-2.0
/*
 * Recognising instructions: see decode.h.
 *
 * Knows Intel's manual, volume 2 (REX prefixes, ModRM). Does not execute.
 */
#include "decode.h"

#include <string.h>

#include "../include/tcmachine.h"

#define ESCAPE 0x0f
#define MOV_TO_CR 0x22
#define GROUP_7 0x01 /* with register field 7 and a memory operand: INVLPG */
#define OPERAND_SIZE 0x66
#define REX 0x40
#define REX_B 0x01
#define RSP 4
#define RBP 5

/* nopl 0x577e57NN(%rax), see tcm_marker() */
static bool is_marker(const uint8_t *code, size_t len)
{
	static const uint8_t head[] = { ESCAPE, 0x1f, 0x80 }, tail[] = { 0x57, 0x7e, 0x57 };

	return len == TCM_MARKER_BYTES && !memcmp(code, head, sizeof(head)) &&
	       !memcmp(code + 4, tail, sizeof(tail));
}

static struct insn mov_to_cr(uint8_t modrm, unsigned int high)
{
	struct insn insn = { .operand = (modrm & 7) + high };

	switch (modrm >> 3 & 7) {
	case 3:
		insn.kind = INSN_WRITE_CR3;
		break;
	case 4:
		insn.kind = INSN_WRITE_CR4;
		break;
	}
	return insn;
}

/* "invlpg (reg)" in its plain form; rsp and r12 as a base need one more byte, rbp and r13 an offset. */
static struct insn invlpg(const uint8_t *code, size_t len, unsigned int high)
{
	unsigned int mod = code[0] >> 6, base = code[0] & 7;

	if (mod == 3 || (code[0] >> 3 & 7) != 7)
		return (struct insn){ INSN_OTHER, 0 };
	if (mod == 0 && base != RSP && base != RBP && len == 1)
		return (struct insn){ INSN_INVLPG, base + high };
	return (struct insn){ INSN_INVALIDATE, 0 };
}

struct insn tcm_decode(const uint8_t *code, size_t len)
{
	static const uint8_t invpcid[] = { ESCAPE, 0x38, 0x82 };
	unsigned int high = 0;
	bool operand_size = len && code[0] == OPERAND_SIZE;

	if (is_marker(code, len))
		return (struct insn){ INSN_MARKER, code[3] };
	code += operand_size;
	len -= operand_size;
	if (len && (code[0] & 0xf0) == REX) {
		high = code[0] & REX_B ? 8 : 0;
		code++;
		len--;
	}
	if (operand_size && len > sizeof(invpcid) && !memcmp(code, invpcid, sizeof(invpcid)))
		return (struct insn){ INSN_INVALIDATE, 0 };
	if (len >= 3 && code[0] == ESCAPE && code[1] == MOV_TO_CR)
		return mov_to_cr(code[2], high);
	if (len >= 3 && code[0] == ESCAPE && code[1] == GROUP_7)
		return invlpg(code + 2, len - 2, high);
	return (struct insn){ INSN_OTHER, 0 };
}
