// SPDX-License-Identifier: GPL-2.0
/*
 * Reading a vCPU's registers through QEMU.
 *
 * Knows QEMU's names of the registers. Does not know what their contents mean.
 */
#include <stdio.h>
#include <string.h>

#include "machine.h"

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

/* In encoding order; the same. */
uint64_t tcm_read_gpr(struct vcpu *v, unsigned int number)
{
	return read_register(v, v->gpr[number]);
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
