// SPDX-License-Identifier: GPL-2.0
/*
 * Which page table a vCPU uses.
 *
 * Knows how to read registers through QEMU and how "mov reg, %cr3" is
 * encoded. Does not know what the page table holds.
 *
 * Watching the instruction costs one callback per switch of page tables,
 * reading the register at each access would cost one per access. It is watched
 * from the start: a CPU may keep a process's table loaded for long after.
 */
#include <stdio.h>
#include <string.h>

#include "machine.h"

#define OPCODE_ESCAPE 0x0f
#define OPCODE_MOV_TO_CR 0x22
#define CR3 3
#define REX_B 0x01

/*
 * Bits 12..51 without bit 12: with page-table isolation bit 12 tells the user
 * half from the kernel half of one table. Below are PCID bits, above flags.
 */
#define CR3_TABLE 0x000fffffffffe000ULL

static uint64_t read_register(struct vcpu *v, struct qemu_plugin_register *handle)
{
	uint64_t value = 0;
	int size;

	if (!handle)
		return 0;
	g_byte_array_set_size(v->bytes, 0);
	size = qemu_plugin_read_register(handle, v->bytes);
	if (size > 0)
		memcpy(&value, v->bytes->data,
		       (size_t)size < sizeof(value) ? (size_t)size : sizeof(value));
	return value;
}

/* 0 if QEMU does not offer the register; only in callbacks that asked for registers. */
uint64_t tcm_read_cr3(struct vcpu *v)
{
	return read_register(v, v->cr3_handle) & CR3_TABLE;
}

static void on_mov_to_cr3(unsigned int vcpu_index, void *udata)
{
	struct vcpu *v = &machine.vcpu[vcpu_index];

	v->cr3 = read_register(v, v->gpr[(uintptr_t)udata]) & CR3_TABLE;
}

/* If the instruction is "mov reg, %cr3", has it call back. */
void tcm_watch_cr3(struct qemu_plugin_insn *insn, const uint8_t *code, size_t len)
{
	uintptr_t source = 0;

	if (len == 4 && (code[0] & 0xf0) == 0x40) {
		source = code[0] & REX_B ? 8 : 0;
		code++;
		len--;
	}
	if (len != 3 || code[0] != OPCODE_ESCAPE || code[1] != OPCODE_MOV_TO_CR ||
	    (code[2] >> 3 & 7) != CR3)
		return;
	source += code[2] & 7;
	qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mov_to_cr3, QEMU_PLUGIN_CB_R_REGS,
					       (void *)source);
}

/* In encoding order. */
static const char *const gpr_names[16] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
					   "r8",  "r9",	 "r10", "r11", "r12", "r13", "r14", "r15" };

void tcm_registers_init(struct vcpu *v)
{
	GArray *list = qemu_plugin_get_registers();
	unsigned int i, reg;

	v->bytes = g_byte_array_new();
	for (i = 0; i < list->len; i++) {
		qemu_plugin_reg_descriptor *d = &g_array_index(list, qemu_plugin_reg_descriptor, i);

		if (!strcmp(d->name, "cr3"))
			v->cr3_handle = d->handle;
		for (reg = 0; reg < 16; reg++)
			if (!strcmp(d->name, gpr_names[reg]))
				v->gpr[reg] = d->handle;
	}
	g_array_free(list, TRUE);
	if (!v->cr3_handle)
		fprintf(stderr,
			"tcmachine: QEMU does not offer cr3: processes are not told apart\n");
}
