// SPDX-License-Identifier: GPL-2.0
/*
 * What the machine does when a workload executes a marker.
 *
 * Knows the commands. Does not know how counters and windows come about.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "machine.h"

static double host_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

static void begin_vcpu(struct vcpu *v)
{
	memset(&v->count, 0, sizeof(v->count));
	tcm_cache_clear(&v->cache);
	tcm_translate_begin(v);
	v->ops_at_begin = *v->ops;
	v->kernel_ops_at_begin = *v->kernel_ops;
	v->wait_ps = 0;
	v->kernel_wait_ps = 0;
	tcm_sampler_begin(v, v - machine.vcpu);
}

static void begin(struct vcpu *caller)
{
	struct vcpu *v = NULL;

	while ((v = tcm_next_vcpu(v)))
		begin_vcpu(v);
	while ((v = tcm_next_vcpu(v)))
		tcm_meter_begin(v);
	caller->cr3 = tcm_read_cr3(caller);
	tcm_region_clear_counts();
	tcm_windows_begin();
	machine.began_at = host_seconds();
	if (!machine.running) {
		machine.running = true;
		tcm_reinstrument();
	}
}

static int next_window(bool relabel)
{
	int err = tcm_windows_next(relabel);

	tcm_region_clear_counts();
	return err;
}

static int end(void)
{
	int err = tcm_windows_next(false), pages_err = 0;

	if (!machine.running)
		return err;
	machine.running = false;
	tcm_windows_answer();
	tcm_print_speed(&machine.shared->mailbox.total, host_seconds() - machine.began_at);
	tcm_reinstrument();
	if (machine.pages_path)
		pages_err = tcm_region_write(machine.pages_path);
	return err ? err : pages_err;
}

static int command(struct vcpu *caller, enum tcm_command cmd)
{
	const uint64_t *arg = (const uint64_t *)machine.shared->mailbox.arg;

	switch (cmd) {
	case TCM_CMD_REGION:
		return tcm_region_set(caller, arg[0], arg[1]);
	case TCM_CMD_BEGIN:
		begin(caller);
		return 0;
	case TCM_CMD_WINDOW:
		return next_window(false);
	case TCM_CMD_READ:
		tcm_windows_answer();
		return 0;
	case TCM_CMD_END:
		return end();
	case TCM_CMD_TEXT_BEGIN:
		return tcm_text_begin();
	case TCM_CMD_TEXT_END:
		return tcm_text_end();
	case TCM_CMD_PHASE:
		return next_window(true);
	case TCM_CMD_ORACLE:
		return tcm_set_oracles();
	case TCM_CMD_ANTAGONIST:
		return tcm_set_antagonist(arg[0], arg[1], arg[2]);
	}
	return -ENOSYS;
}

void tcm_on_marker(unsigned int vcpu_index, void *udata)
{
	machine.shared->mailbox.status =
		command(&machine.vcpu[vcpu_index], (enum tcm_command)(uintptr_t)udata);
}
