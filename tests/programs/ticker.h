/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that wakes now and then, so that QEMU looks at page tables again.
 *
 * Knows why: QEMU keeps a translation for good once it has it, and so hides
 * the accessed bit from then on, unless another process runs. Does not know
 * who lives on that bit.
 */
#ifndef TC_TICKER_H
#define TC_TICKER_H

#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define TICKER_NS 10000000

/* Ends with the caller, or by ticker_stop(). */
static inline pid_t ticker_start(void)
{
	const struct timespec pause = { .tv_nsec = TICKER_NS };
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		nanosleep(&pause, NULL);
}

static inline void ticker_stop(pid_t ticker)
{
	if (ticker > 0)
		kill(ticker, SIGKILL);
}

#endif
