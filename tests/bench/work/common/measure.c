// SPDX-License-Identifier: GPL-2.0
/*
 * The windows of a run, and the lines that tell of them.
 *
 * Knows the simulated machine's mailbox and the clock. Does not know what an
 * operation is. Without the machine it counts operations and nothing else.
 *
 * Lines are "NAME VALUE"; those of a window begin with "warm_up." or with
 * "window.N.", N from 1 on. served_nodeN: accesses of the workload to its own
 * memory that missed the cache, by node; misses_nodeN: those of everybody.
 */
#define _GNU_SOURCE
#include <time.h>

#include "arena.h"
#include "heat.h"
#include "node.h"
#include "ticker.h"
#include "window.h"
#include "work.h"

static struct tcm_shared *machine;
static uint64_t goal; /* operations asked for so far */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* A workload may do a few more than it was asked for: then the next part asks for less. */
static void run_operations(unsigned long operations)
{
	goal += operations;
	if (goal > result.operations)
		result.operations += work.run(goal - result.operations);
}

static void say(const char *prefix, const char *name, uint64_t value)
{
	printf("%s%s %llu\n", prefix, name, (unsigned long long)value);
}

static void say_nodes(const char *prefix, const struct tcm_counts *count)
{
	unsigned int node;
	char name[32];

	for (node = 0; node < machine->config.nr_tiers; node++) {
		snprintf(name, sizeof(name), "served_node%u", node);
		if (arena.start)
			say(prefix, name, count->region[node]);
		snprintf(name, sizeof(name), "misses_node%u", node);
		say(prefix, name, count->loads[node] + count->stores[node]);
	}
}

/* The machine's answer, which window_read() or window_end() has asked for. */
static void say_counts(const char *prefix, const struct tcm_counts *count)
{
	say(prefix, "model_ps", count->time_ps);
	say(prefix, "kernel_ps", count->kernel_time_ps);
	say(prefix, "instructions", count->instructions);
	say(prefix, "accesses", count->accesses);
	say(prefix, "tlb_second", count->tlb_second);
	say(prefix, "walks", count->walks[0] + count->walks[1] + count->walks[2]);
	say(prefix, "translation_ps", count->translation_ps);
	say_nodes(prefix, count);
}

static void say_machine(const char *prefix)
{
	window_read(machine);
	say_counts(prefix, &machine->mailbox.window);
	if (arena.start)
		say(prefix, "fast_pages", arena_fast_pages(machine->node));
}

/* One window: from its beginning to its last line. */
static void part(const char *prefix, unsigned long operations)
{
	uint64_t before = result.operations, since;

	if (machine)
		window_next(machine);
	since = now_ns();
	run_operations(operations);
	since = now_ns() - since;
	if (machine)
		say_machine(prefix);
	say(prefix, "operations", result.operations - before);
	say(prefix, "guest_ns", since);
	if (work.report)
		work.report(prefix);
	fflush(stdout);
}

static void start_command(void)
{
	if (option.start && system(option.start))
		work_die("--start: the command failed: %s", option.start);
}

static void corrupt(void)
{
	if (work.corrupt)
		work.corrupt(option.corrupt_word);
	else
		arena_flip(option.corrupt_word);
}

/* If it was asked for, a word is corrupted before the window in which half of the run is over. */
static void run_windows(void)
{
	unsigned long done, number, operations;
	char prefix[32];

	for (done = 0, number = 1; done < option.run; done += operations, number++) {
		operations = option.run - done < option.window ? option.run - done : option.window;
		if (option.corrupt && done + operations > option.run / 2) {
			corrupt();
			option.corrupt = false;
		}
		snprintf(prefix, sizeof(prefix), "window.%lu.", number);
		part(prefix, operations);
	}
}

static void begin(void)
{
	if (!machine)
		return;
	if (arena.start)
		window_region(machine, arena.start, arena.bytes);
	if (option.oracle)
		window_oracle(machine, (__u64[]){ node_room_pages(HEAT_FAST) }, 1);
	window_begin(machine);
}

static void say_oracle(void)
{
	const struct tcm_mailbox *mailbox = &machine->mailbox;

	say("oracle.", "pages", mailbox->oracle_pages[0]);
	say("oracle.", "misses", mailbox->oracle_misses);
	say("oracle.", "fixed", mailbox->oracle[0].fixed);
	say("oracle.", "window", mailbox->oracle[0].window);
}

static void end(void)
{
	if (!machine)
		return;
	window_end(machine);
	if (option.oracle)
		say_oracle();
	say_counts("total.", &machine->mailbox.total);
	say("total.", "tags", machine->mailbox.total.tags);
	say("total.", "samples", machine->mailbox.total.samples);
	say("total.", "samples_lost", machine->mailbox.total.samples_lost);
}

void measure(void)
{
	pid_t ticker = 0;

	machine = window_open();
	if (machine)
		ticker = ticker_start();
	begin();
	if (option.warm_up)
		part("warm_up.", option.warm_up);
	start_command();
	run_windows();
	end();
	ticker_stop(ticker);
}
