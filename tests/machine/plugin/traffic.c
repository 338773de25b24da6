// SPDX-License-Identifier: GPL-2.0
/*
 * Who uses how much of each tier's bandwidth, and the latencies that follow.
 *
 * Knows each vCPU's recent traffic, in its own model time, and the antagonist's.
 * Does not know the curve (load.c) nor why a line is read.
 *
 * A vCPU measures over at least METER_PS and averages with what it had before,
 * so a burst is felt within some tens of microseconds. What it reads of others
 * is as of about now; with one vCPU (the deterministic mode) nothing else is.
 */
#include <errno.h>
#include <string.h>

#include "machine.h"

/* Gaps that are longer than this many measurements leave nothing of what was before. */
#define FORGOTTEN_AFTER 8

/* 1 byte a picosecond is 1e6 MB/s. */
static double megabytes_per_second(uint64_t lines, uint64_t ps)
{
	return lines * CACHE_LINE_BYTES * 1e6 / ps;
}

static struct traffic of_all(int tier)
{
	struct traffic sum = machine.antagonist[tier];
	struct vcpu *v = NULL;

	while ((v = tcm_next_vcpu(v))) {
		sum.read += v->meter.recent[tier].read;
		sum.write += v->meter.recent[tier].write;
	}
	return sum;
}

static void set_waits(struct meter *meter)
{
	unsigned int i;

	for (i = 0; i < machine.config.nr_tiers; i++) {
		const struct tcm_tier *tier = &machine.config.tier[i];
		const struct link link = { tier->latency_ns, tier->bandwidth_mbs,
					   tier->full_duplex };
		struct waits waits =
			tcm_loaded_waits(&link, of_all(i), machine.config.load_gain_pm * 0.001);

		meter->load_ps[i] = waits.load_ns * 1000 + 0.5;
		meter->store_ps[i] = waits.store_ns * 1000 + 0.5;
	}
}

static void average(double *recent, double now, bool forget)
{
	*recent = forget ? now : (*recent + now) / 2;
}

void tcm_meter_close(struct vcpu *v, uint64_t now_ps)
{
	struct meter *meter = &v->meter;
	uint64_t ps = now_ps - meter->started_ps;
	bool forget = ps > FORGOTTEN_AFTER * METER_PS;
	unsigned int i;

	for (i = 0; i < machine.config.nr_tiers; i++) {
		average(&meter->recent[i].read, megabytes_per_second(meter->lines_read[i], ps),
			forget);
		average(&meter->recent[i].write, megabytes_per_second(meter->lines_written[i], ps),
			forget);
	}
	memset(meter->lines_read, 0, sizeof(meter->lines_read));
	memset(meter->lines_written, 0, sizeof(meter->lines_written));
	meter->started_ps = now_ps;
	set_waits(meter);
}

/* At BEGIN, when the vCPU's model time starts over. */
void tcm_meter_begin(struct vcpu *v)
{
	memset(&v->meter, 0, sizeof(v->meter));
	set_waits(&v->meter);
}

void tcm_meter_idle(struct vcpu *v)
{
	memset(v->meter.recent, 0, sizeof(v->meter.recent));
	memset(v->meter.lines_read, 0, sizeof(v->meter.lines_read));
	memset(v->meter.lines_written, 0, sizeof(v->meter.lines_written));
	v->meter.started_ps = tcm_now_ps(v);
}

int tcm_set_antagonist(uint64_t tier, uint64_t read_mbs, uint64_t write_mbs)
{
	struct vcpu *v = NULL;

	if (tier >= machine.config.nr_tiers)
		return -EINVAL;
	machine.antagonist[tier] = (struct traffic){ read_mbs, write_mbs };
	while ((v = tcm_next_vcpu(v)))
		set_waits(&v->meter);
	return 0;
}
