// SPDX-License-Identifier: GPL-2.0
/*
 * pmutest.ko: a small consumer of ibs_op, the self-test of the emulation.
 *
 * Knows what AMD's driver accepts, from its source, for each of the two sets
 * of rules; the caller says which the kernel has (newer=), so that simpmu's
 * own finding is tested too. Then it keeps an event on each CPU. Does not know
 * simpmu's insides, nor what arrives (received.c).
 *
 * debugfs pmutest/results holds a line "ok NAME" or "not ok NAME: ..." each;
 * a number written to pmutest/period is the new period of all events.
 */
#define pr_fmt(fmt) "pmutest: " fmt

#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/seq_file.h>

#include "pmutest.h"

#define CNT_CTL (1ULL << 19)
#define L3MISSONLY (1ULL << 16)
#define SWFILT 1
#define GOOD_PERIOD (16 * 1021)

static int type = -1;
module_param(type, int, 0444);
MODULE_PARM_DESC(type, "The PMU's type, from /sys/bus/event_source/devices/ibs_op/type");

static bool newer;
module_param(newer, bool, 0444);
MODULE_PARM_DESC(newer,
		 "The kernel's AMD driver is of the newer kind (Linux 7.3; 6.12 has the older)");

static unsigned long period = GOOD_PERIOD;
module_param(period, ulong, 0444);
MODULE_PARM_DESC(period, "Period of the counting events");

static bool l3missonly = true;
module_param(l3missonly, bool, 0444);
MODULE_PARM_DESC(l3missonly, "The counting events ask for the L3-miss filter");

#define ANY_SAMPLE \
	(PERF_SAMPLE_ADDR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT)

static DEFINE_PER_CPU(struct perf_event *, counting);
static char results[4096];
static size_t results_len;
static struct dentry *dir;

static void report(const char *name, bool ok, long got)
{
	if (ok)
		results_len += scnprintf(results + results_len, sizeof(results) - results_len,
					 "ok %s\n", name);
	else
		results_len += scnprintf(results + results_len, sizeof(results) - results_len,
					 "not ok %s: got %ld\n", name, got);
}

/* An event that the test expects to be legal; each case changes one thing. */
static struct perf_event_attr legal_attr(void)
{
	return (struct perf_event_attr){
		.type = type,
		.size = sizeof(struct perf_event_attr),
		.config = CNT_CTL | (l3missonly ? L3MISSONLY : 0),
		.sample_period = GOOD_PERIOD,
		.sample_type = ANY_SAMPLE,
		.pinned = 1,
		.wakeup_events = 1,
	};
}

static long try(struct perf_event_attr *attr)
{
	struct perf_event *event;

	event = perf_event_create_kernel_counter(attr, 0, NULL, pmutest_overflow, NULL);
	if (IS_ERR(event))
		return PTR_ERR(event);
	perf_event_release_kernel(event);
	return 0;
}

static void expect(const char *name, struct perf_event_attr *attr, long older_says, long newer_says)
{
	long got = try(attr);

	report(name, got == (newer ? newer_says : older_says), got);
}

#define CASE(name, older_says, newer_says, change)           \
	do {                                                 \
		struct perf_event_attr attr = legal_attr();  \
		change;                                      \
		expect(name, &attr, older_says, newer_says); \
	} while (0)

/* A low nibble is masked off at creation by both, see rules.c. */
static void test_periods(void)
{
	CASE("legal_event", 0, 0, (void)0);
	CASE("period_zero", -EINVAL, -EINVAL, attr.sample_period = 0);
	CASE("period_0x10", 0, -EINVAL, attr.sample_period = 0x10);
	CASE("period_0x80", 0, -EINVAL, attr.sample_period = 0x80);
	CASE("period_0x90", 0, 0, attr.sample_period = 0x90);
	CASE("period_low_nibble", 0, 0, attr.sample_period = GOOD_PERIOD + 1);
	CASE("period_raw_in_config", 0, 0, (attr.sample_period = 0, attr.config |= 0x100));
	CASE("period_twice", -EINVAL, -EINVAL, attr.config |= 0x100);
	CASE("unknown_config_bit", -EINVAL, -EINVAL, attr.config |= 1ULL << 18);
	CASE("cycles_are_legal", 0, 0, attr.config &= ~CNT_CTL);
}

static void test_excludes(void)
{
	CASE("exclude_kernel", -EINVAL, -EINVAL, attr.exclude_kernel = 1);
	CASE("exclude_user", -EINVAL, -EINVAL, attr.exclude_user = 1);
	CASE("exclude_hv", -EINVAL, -EINVAL, attr.exclude_hv = 1);
	CASE("exclude_idle", -EINVAL, -EINVAL, attr.exclude_idle = 1);
	CASE("exclude_host", -EINVAL, -EINVAL, attr.exclude_host = 1);
	CASE("exclude_guest", -EINVAL, -EINVAL, attr.exclude_guest = 1);
	CASE("swfilt_exclude_kernel", -EINVAL, 0, (attr.config2 = SWFILT, attr.exclude_kernel = 1));
}

static void test_change(struct perf_event *event)
{
	long got = perf_event_period(event, GOOD_PERIOD + 16);

	report("change_period", !got, got);
	got = perf_event_period(event, GOOD_PERIOD + 1);
	report("change_to_low_nibble", got == (newer ? -EINVAL : 0), got);
	got = perf_event_period(event, 0x80);
	report("change_to_0x80", got == (newer ? -EINVAL : 0), got);
	got = perf_event_period(event, 0);
	report("change_to_zero", got == -EINVAL, got);
	got = perf_event_period(event, period);
	report("change_back", !got, got);
}

/* The second event on a CPU exists, but the PMU refuses to take it (-ENOSPC): a pinned one fails. */
static void test_second(void)
{
	struct perf_event_attr attr = legal_attr();
	struct perf_event *second;

	second = perf_event_create_kernel_counter(&attr, 0, NULL, pmutest_overflow, NULL);
	if (IS_ERR(second)) {
		report("second_event_exists", false, PTR_ERR(second));
		return;
	}
	report("second_event_refused", second->state == PERF_EVENT_STATE_ERROR, second->state);
	perf_event_release_kernel(second);
}

static int count_on(int cpu)
{
	struct perf_event_attr attr = legal_attr();
	struct perf_event *event;

	attr.sample_period = period;
	event = perf_event_create_kernel_counter(&attr, cpu, NULL, pmutest_overflow, NULL);
	if (IS_ERR(event))
		return PTR_ERR(event);
	per_cpu(counting, cpu) = event;
	report("counting_event_active", event->state == PERF_EVENT_STATE_ACTIVE, event->state);
	return 0;
}

static void stop_counting(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(counting, cpu))
			perf_event_release_kernel(per_cpu(counting, cpu));
}

static int start_counting(void)
{
	int cpu, err = 0;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		err = count_on(cpu);
		if (err)
			break;
	}
	cpus_read_unlock();
	if (err) {
		pr_err("no event on CPU %d: %d\n", cpu, err);
		stop_counting();
	}
	return err;
}

static int results_show(struct seq_file *m, void *unused)
{
	seq_puts(m, results);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(results);

static int period_set(void *unused, u64 value)
{
	int cpu, err = 0;

	for_each_possible_cpu(cpu)
		if (per_cpu(counting, cpu) && !err)
			err = perf_event_period(per_cpu(counting, cpu), value);
	return err;
}
DEFINE_DEBUGFS_ATTRIBUTE(period_fops, NULL, period_set, "%llu\n");

static int __init pmutest_init(void)
{
	int err;

	test_periods();
	test_excludes();
	err = start_counting();
	if (err)
		return err;
	test_second();
	test_change(per_cpu(counting, 0));
	dir = debugfs_create_dir("pmutest", NULL);
	debugfs_create_file("results", 0444, dir, NULL, &results_fops);
	debugfs_create_file_unsafe("period", 0200, dir, NULL, &period_fops);
	debugfs_create_file("received", 0444, dir, NULL, &pmutest_received_fops);
	return 0;
}

static void __exit pmutest_exit(void)
{
	debugfs_remove_recursive(dir);
	stop_counting();
}

module_init(pmutest_init);
module_exit(pmutest_exit);
MODULE_DESCRIPTION("Self-test of the emulated IBS op PMU (tests only)");
MODULE_LICENSE("GPL");
