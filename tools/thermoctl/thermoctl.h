/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The commands of thermoctl, and the options that all of them have. Each command is one file.
 */
#ifndef TC_THERMOCTL_H
#define TC_THERMOCTL_H

#include <argp.h>

#include "../lib/errors.h"
#include "../lib/files.h"
#include "../lib/snapshot.h"
#include "../lib/term.h"

/* C(name, "summary") */
#define TC_COMMANDS(C)                                                                       \
	C(status, "one screen in plain words: tiers, what is hot, what moved, does it help") \
	C(top, "what happens now, once a second")                                            \
	C(stat, "every figure, as text, JSON or for Prometheus")                             \
	C(record, "every figure again and again, into a file")                               \
	C(report, "one page of HTML: hit ratio, histogram, moves and reasons, settings")     \
	C(config, "show, set, save and try settings")                                        \
	C(policy, "attach and detach policies as eBPF programs")                             \
	C(doctor, "can this machine run it, and what to do where not")

#define TC_COMMAND_DECLARE(name, summary) int tc_command_##name(int argc, char **argv);
TC_COMMANDS(TC_COMMAND_DECLARE)
#undef TC_COMMAND_DECLARE

/* The options of every command: --json. As a child of a command's parser. */
extern const struct argp tc_common_argp;
#define TC_COMMON_CHILDREN { { &tc_common_argp, 0, "Common options:", 0 }, { 0 } }

#endif /* TC_THERMOCTL_H */
