// SPDX-License-Identifier: GPL-2.0
/*
 * Whether the entry of a kernel function may be the target of an indirect call.
 * Knows the four bytes that stand there.
 * Does not know how to read kernel text, nor which function it is.
 */
#include "endbr.h"

/* The first four bytes, read as a little-endian number. */
#define ENDBR64 0xfa1e0ff3U
#define POISON_OSP_NOP3 0x001f0f66U
#define POISON_NOP_UDB 0xd6401f0fU

enum tc_entry_kind tc_entry_classify(const u8 *first4)
{
	u32 word = first4[0] | first4[1] << 8 | first4[2] << 16 | (u32)first4[3] << 24;

	switch (word) {
	case ENDBR64:
		return TC_ENTRY_ENDBR;
	case POISON_OSP_NOP3:
	case POISON_NOP_UDB:
		return TC_ENTRY_SEALED;
	default:
		return TC_ENTRY_OTHER;
	}
}

const char *tc_entry_name(enum tc_entry_kind kind)
{
	switch (kind) {
	case TC_ENTRY_ENDBR:
		return "endbr";
	case TC_ENTRY_SEALED:
		return "sealed";
	case TC_ENTRY_OTHER:
		break;
	}
	return "other";
}
