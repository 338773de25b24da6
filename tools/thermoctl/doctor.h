/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The checks of thermoctl doctor. doctor.c prints; doctor-kernel.c and doctor-machine.c look.
 */
#ifndef TC_THERMOCTL_DOCTOR_H
#define TC_THERMOCTL_DOCTOR_H

/**
 * enum doctor_state - what a finding means
 * @DOCTOR_OK: as it should be
 * @DOCTOR_NOTE: worth knowing, nothing to do
 * @DOCTOR_WARN: the module runs, but less well
 * @DOCTOR_PROBLEM: it does not run
 */
enum doctor_state { DOCTOR_OK, DOCTOR_NOTE, DOCTOR_WARN, DOCTOR_PROBLEM };

/**
 * doctor_found() - keep a finding
 * @check: what was looked at, a word or two
 * @state: what it means
 * @found: what was found; in new memory, kept
 * @meaning: what that means, or NULL
 * @next: the next command, or NULL
 */
void doctor_found(const char *check, enum doctor_state state, char *found, const char *meaning,
		  const char *next);

void doctor_kernel(void);
void doctor_symbols(void);
void doctor_lockdown(void);
void doctor_module(void);

void doctor_sampling(void);
void doctor_memory(void);
void doctor_company(void);

#endif /* TC_THERMOCTL_DOCTOR_H */
