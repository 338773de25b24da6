/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether the entry of a kernel function may be the target of an indirect call.
 * Knows the four bytes that stand there.
 * Does not know how to read kernel text, nor which function it is.
 */
#ifndef TC_POLICY_ENDBR_H
#define TC_POLICY_ENDBR_H

#include "types.h"

/* Bytes that tc_entry_classify() looks at. */
#define TC_ENTRY_BYTES 4

/**
 * enum tc_entry_kind - first instruction of a function
 * @TC_ENTRY_ENDBR: ENDBR64; an indirect call is allowed under IBT
 * @TC_ENTRY_SEALED: the kernel's poison in place of ENDBR64; only direct calls are allowed, an
 *	indirect one is a BUG on a CPU with IBT
 * @TC_ENTRY_OTHER: anything else: the function never had an ENDBR64, or the address is not an entry
 */
enum tc_entry_kind {
	TC_ENTRY_ENDBR,
	TC_ENTRY_SEALED,
	TC_ENTRY_OTHER,
};

/**
 * tc_entry_classify - what stands at the entry of a function
 * @first4: its first TC_ENTRY_BYTES bytes
 *
 * f3 0f 1e fa is ENDBR64; 66 0f 1f 00 is the poison of 6.12, 0f 1f 40 d6 that of 7.x. The poisons
 * are no-operations that compilers do not emit (gen_endbr_poison() in arch/x86/include/asm/ibt.h).
 *
 * Context: Any.
 * Return: the kind.
 */
enum tc_entry_kind tc_entry_classify(const u8 *first4);

/**
 * tc_entry_name - the kind as a word for tables
 * @kind: the kind
 *
 * Context: Any.
 * Return: "endbr", "sealed" or "other".
 */
const char *tc_entry_name(enum tc_entry_kind kind);

#endif /* TC_POLICY_ENDBR_H */
