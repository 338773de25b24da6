// SPDX-License-Identifier: GPL-2.0
/*
 * The simulated tiered machine as a QEMU plugin: start, and what is instrumented.
 *
 * Knows QEMU's life cycle and which instructions get which callback. Does not
 * know what the callbacks compute.
 *
 * Outside of BEGIN..END only marker instructions and switches of page tables
 * call back, so firmware, boot and the filling of memory run at full speed. BEGIN and END drop all
 * translated code (qemu_plugin_reset); what follows is translated anew with,
 * or without, the model.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

#define LONGEST_INSN 15

/* Words of the scoreboard: instructions begun, all and kernel code's. */
enum { OPS, KERNEL_OPS, NR_OPS_WORDS };

static struct qemu_plugin_scoreboard *ops_board;

static void instrument_insn(struct qemu_plugin_insn *insn, unsigned int from_end, bool kernel)
{
	uint8_t code[LONGEST_INSN];
	size_t len = qemu_plugin_insn_data(insn, code, sizeof(code));
	struct insn what = tcm_decode(code, len);
	void *cookie = tcm_op_cookie(qemu_plugin_insn_vaddr(insn), from_end);

	if (what.kind == INSN_MARKER)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, tcm_on_marker, QEMU_PLUGIN_CB_R_REGS,
						       (void *)(uintptr_t)what.operand);
	if (kernel)
		tcm_watch_translations(insn, what);
	if (kernel && machine.text_path)
		tcm_text_count(insn);
	if (!machine.running)
		return;
	qemu_plugin_register_vcpu_mem_cb(insn, tcm_on_load, QEMU_PLUGIN_CB_NO_REGS,
					 QEMU_PLUGIN_MEM_R, cookie);
	qemu_plugin_register_vcpu_mem_cb(insn, tcm_on_store, QEMU_PLUGIN_CB_NO_REGS,
					 QEMU_PLUGIN_MEM_W, cookie);
}

static void count_ops(struct qemu_plugin_tb *tb, unsigned int word, size_t nr)
{
	qemu_plugin_u64 entry = { ops_board, word * sizeof(uint64_t) };

	qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, QEMU_PLUGIN_INLINE_ADD_U64, entry,
							  nr);
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t nr = qemu_plugin_tb_n_insns(tb);
	bool kernel = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0)) >> 63;
	size_t i;

	(void)id;
	if (machine.running)
		count_ops(tb, OPS, nr);
	if (machine.running && kernel)
		count_ops(tb, KERNEL_OPS, nr);
	for (i = 0; i < nr; i++)
		instrument_insn(qemu_plugin_tb_get_insn(tb, i), nr - 1 - i, kernel);
}

/* The board may move when it grows, so every vCPU looks its word up again. */
static void find_ops_words(void)
{
	struct vcpu *v = NULL;

	while ((v = tcm_next_vcpu(v))) {
		uint64_t *words = qemu_plugin_scoreboard_find(ops_board, v - machine.vcpu);

		v->ops = &words[OPS];
		v->kernel_ops = &words[KERNEL_OPS];
	}
}

static bool vcpu_init(struct vcpu *v)
{
	if (!tcm_cache_init(&v->cache, machine.config.llc_bytes, machine.config.llc_ways) ||
	    !tcm_translate_init(v))
		return false;
	v->next_tag = UINT64_MAX;
	v->present = true;
	return true;
}

static void on_vcpu_init(qemu_plugin_id_t id, unsigned int vcpu_index)
{
	struct vcpu *v;

	(void)id;
	if (vcpu_index >= TCM_MAX_CPUS) {
		fprintf(stderr, "tcmachine: vCPU %u is not modelled (at most %d are)\n", vcpu_index,
			TCM_MAX_CPUS);
		return;
	}
	v = &machine.vcpu[vcpu_index];
	if (!v->present && !vcpu_init(v)) {
		fprintf(stderr, "tcmachine: no memory for vCPU %u\n", vcpu_index);
		return;
	}
	tcm_registers_init(v);
	find_ops_words();
	machine.shared->config.nr_cpus = vcpu_index + 1;
}

/* A processor that waits for work makes no traffic. */
static void on_idle(qemu_plugin_id_t id, unsigned int vcpu_index)
{
	(void)id;
	if (machine.running && vcpu_index < TCM_MAX_CPUS)
		tcm_meter_idle(&machine.vcpu[vcpu_index]);
}

static void register_callbacks(qemu_plugin_id_t id)
{
	qemu_plugin_register_vcpu_init_cb(id, on_vcpu_init);
	qemu_plugin_register_vcpu_idle_cb(id, on_idle);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
}

void tcm_reinstrument(void)
{
	qemu_plugin_reset(machine.id, register_callbacks);
}

static void publish_config(void)
{
	struct tcm_config *config = &machine.shared->config;

	memset(machine.shared, 0, sizeof(*machine.shared));
	*config = machine.config;
	config->version = TCM_VERSION;
	config->magic = TCM_MAGIC;
}

static bool map_shared(void)
{
	struct stat st;
	int fd = open(machine.shared_path, O_RDWR);
	void *map;

	if (fd < 0 || fstat(fd, &st) || st.st_size < (off_t)TCM_BAR_BYTES) {
		fprintf(stderr, "tcmachine: %s must be a writable file of %lu bytes\n",
			machine.shared_path, TCM_BAR_BYTES);
		if (fd >= 0)
			close(fd);
		return false;
	}
	map = mmap(NULL, TCM_BAR_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (map == MAP_FAILED) {
		perror("tcmachine: mmap");
		return false;
	}
	machine.shared = map;
	return true;
}

/* Shapes are checked here, so that a bad one ends QEMU at once. */
static bool shapes_are_possible(void)
{
	struct vcpu probe = { 0 };
	bool possible =
		tcm_cache_init(&probe.cache, machine.config.llc_bytes, machine.config.llc_ways);

	if (!possible)
		fprintf(stderr, "tcmachine: a cache of %llu bytes and %u ways is not possible\n",
			(unsigned long long)machine.config.llc_bytes, machine.config.llc_ways);
	if (possible && !tcm_translate_init(&probe)) {
		fprintf(stderr,
			"tcmachine: entries of a TLB are ways times a power of two of sets\n");
		possible = false;
	}
	tcm_cache_free(&probe.cache);
	tcm_tlb_free(&probe.tlb);
	return possible;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv)
{
	if (!info->system_emulation || strcmp(info->target_name, "x86_64")) {
		fprintf(stderr, "tcmachine: only for qemu-system-x86_64\n");
		return -1;
	}
	if (!tcm_parse_args(argc, argv) || !shapes_are_possible() || !map_shared())
		return -1;
	machine.id = id;
	publish_config();
	if (machine.text_path)
		tcm_text_init();
	ops_board = qemu_plugin_scoreboard_new(NR_OPS_WORDS * sizeof(uint64_t));
	register_callbacks(id);
	return 0;
}
