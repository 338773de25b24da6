/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The few instructions that the machine acts on.
 *
 * Knows their encodings: the marker of tcmachine.h, and those that change
 * translations. Does not know what they do.
 */
#ifndef TCM_DECODE_H
#define TCM_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum insn_kind {
	INSN_OTHER,
	INSN_MARKER,
	INSN_WRITE_CR3,
	INSN_WRITE_CR4,
	INSN_INVLPG, /* of the address in a register */
	INSN_INVALIDATE, /* of something else: an INVLPG that is not decoded, or INVPCID */
};

struct insn {
	enum insn_kind kind;
	unsigned int operand; /* number of the register, or the marker's command */
};

struct insn tcm_decode(const uint8_t *code, size_t len);

#endif
