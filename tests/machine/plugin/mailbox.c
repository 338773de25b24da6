// SPDX-License-Identifier: GPL-2.0
/*
 * What the machine does when a workload executes a marker.
 *
 * Knows the commands and how totals and windows are made. Does not know how
 * the counters come about.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "machine.h"

static struct tcm_counts at_window; /* totals when the current window started */

static double host_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

/* Every member is a u64 counter, so counts add and subtract as arrays. */
#define NR_COUNTERS (sizeof(struct tcm_counts) / sizeof(uint64_t))

static void add_counts(struct tcm_counts *to, const struct tcm_counts *from, bool subtract)
{
	const uint64_t *source = (const uint64_t *)from;
	uint64_t *target = (uint64_t *)to;
	size_t i;

	for (i = 0; i < NR_COUNTERS; i++)
		target[i] += subtract ? -source[i] : source[i];
}

static uint64_t instructions(const struct vcpu *v)
{
	return *v->ops - v->ops_at_begin;
}

static struct tcm_counts total_of_all(void)
{
	struct tcm_counts total = { 0 };
	unsigned int i;

	for (i = 0; i < TCM_MAX_CPUS; i++) {
		const struct vcpu *v = &machine.vcpu[i];

		if (!v->present)
			continue;
		add_counts(&total, &v->count, false);
		total.instructions += instructions(v);
		total.time_ps += instructions(v) * machine.insn_ps + v->wait_ps;
	}
	return total;
}

static void begin(struct vcpu *caller)
{
	unsigned int i;

	for (i = 0; i < TCM_MAX_CPUS; i++) {
		struct vcpu *v = &machine.vcpu[i];

		if (!v->present)
			continue;
		memset(&v->count, 0, sizeof(v->count));
		tcm_cache_clear(&v->cache);
		v->ops_at_begin = *v->ops;
		v->wait_ps = 0;
		v->pmu_seen = 0;
		v->period = 0;
		v->paused = false;
		v->next_tag = UINT64_MAX;
		v->random = (machine.seed + i + 1) * 0x9e3779b97f4a7c15ULL;
	}
	caller->cr3 = tcm_read_cr3(caller);
	tcm_region_clear_counts();
	memset(&at_window, 0, sizeof(at_window));
	machine.began_at = host_seconds();
	if (!machine.running) {
		machine.running = true;
		tcm_reinstrument();
	}
}

static void fill_answer(void)
{
	struct tcm_mailbox *box = &machine.shared->mailbox;

	box->total = total_of_all();
	box->window = box->total;
	add_counts(&box->window, &at_window, true);
}

static void print_speed(const struct tcm_counts *total)
{
	double seconds = host_seconds() - machine.began_at;

	fprintf(stderr,
		"tcmachine: %.1f million instructions and %.1f million accesses in %.1f s: %.2f million accesses a second; %llu samples, %llu lost\n",
		total->instructions / 1e6, total->accesses / 1e6, seconds,
		total->accesses / 1e6 / seconds, (unsigned long long)total->samples,
		(unsigned long long)total->samples_lost);
}

static int end(void)
{
	if (!machine.running)
		return -EINVAL;
	fill_answer();
	print_speed(&machine.shared->mailbox.total);
	machine.running = false;
	tcm_reinstrument();
	return machine.pages_path ? tcm_region_write(machine.pages_path) : 0;
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
		at_window = total_of_all();
		tcm_region_clear_counts();
		return 0;
	case TCM_CMD_READ:
		fill_answer();
		return 0;
	case TCM_CMD_END:
		return end();
	case TCM_CMD_TEXT_BEGIN:
		return tcm_text_begin();
	case TCM_CMD_TEXT_END:
		return tcm_text_end();
	}
	return -ENOSYS;
}

void tcm_on_marker(unsigned int vcpu_index, void *udata)
{
	machine.shared->mailbox.status =
		command(&machine.vcpu[vcpu_index], (enum tcm_command)(uintptr_t)udata);
}
