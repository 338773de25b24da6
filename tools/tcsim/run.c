// SPDX-License-Identifier: GPL-2.0
/*
 * One policy over one trace, and what it costs: counts hits, samples and instructions.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/errors.h"
#include "../lib/term.h"
#include "sim.h"

/* Accesses that an oracle knows beforehand; it looks at every folio between two windows. */
#define WINDOW (1U << 20)

/* Samples whose instructions are counted. */
#define COUNTED 500U

struct counted {
	const struct sim_policy *policy;
	void *state;
	const u64 *folios;
	u64 samples, stride;
};

static void run_counted(void *arg)
{
	const struct counted *counted = arg;
	u64 i;

	for (i = 0; i < counted->samples; i++)
		counted->policy->sample(counted->state, counted->folios[i * counted->stride]);
}

static void nothing(void *arg)
{
}

/* The copy stops, is led step by step through the function, and ends. */
static void be_counted(void (*fn)(void *arg), void *arg)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(1);
	raise(SIGSTOP);
	fn(arg);
	raise(SIGSTOP);
	_exit(0);
}

static u64 count_once(void (*fn)(void *arg), void *arg)
{
	u64 steps = 0;
	int status;
	pid_t pid = fork();

	if (!pid)
		be_counted(fn, arg);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return 0;
	while (!ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) && waitpid(pid, &status, 0) == pid &&
	       WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP)
		steps++;
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return steps;
}

u64 count_instructions(void (*fn)(void *arg), void *arg)
{
	u64 frame = count_once(nothing, NULL), all = count_once(fn, arg);

	return frame && all > frame ? all - frame : 0;
}

static u64 count_samples(const struct sim_policy *policy, void *state, const u64 *folios, u64 count)
{
	struct counted counted = { policy, state, folios, COUNTED, count / COUNTED };

	if (!counted.stride)
		return 0;
	return count_instructions(run_counted, &counted) * 100 / COUNTED;
}

static void run_window(struct sim *sim, const struct sim_policy *policy, void *state,
		       const u64 *folios, u64 count, u64 period, struct result *result)
{
	u64 i;

	for (i = 0; i < count; i++) {
		result->hits += sim_is_fast(sim, folios[i]);
		sim->now_ns += sim->access_ns;
		if (++result->accesses % period == 0) {
			policy->sample(state, folios[i]);
			result->samples++;
		}
		if (result->accesses % SIM_TICK == 0)
			policy->tick(state);
	}
}

void sim_run(struct sim *sim, struct trace *trace, const struct sim_policy *policy, u64 period,
	     bool count, struct result *result)
{
	u64 *folios = tc_alloc(WINDOW * sizeof(*folios)), all = trace->left, got, half_hits = 0;
	u64 half_accesses = 0;
	void *state = policy->init(sim);

	*result = (struct result){ 0 };
	while ((got = trace->next(trace, folios, WINDOW)) > 0) {
		if (result->accesses <= all / 2) {
			half_accesses = result->accesses;
			half_hits = result->hits;
		}
		if (policy->window)
			policy->window(state, folios, got);
		if (count && !trace->left)
			result->instructions = count_samples(policy, state, folios, got);
		run_window(sim, policy, state, folios, got, period, result);
		tc_progress(policy->name, result->accesses, all);
	}
	tc_progress_end();
	result->late_accesses = result->accesses - half_accesses;
	result->late_hits = result->hits - half_hits;
	result->promoted = sim->promoted;
	result->demoted = sim->demoted;
	result->metadata = policy->metadata(state);
	policy->exit(state);
	free(folios);
}
