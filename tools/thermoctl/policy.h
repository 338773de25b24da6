/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What thermoctl policy does with libbpf. Knows object files of programs, their variables and links. Does not know what a
 * policy decides.
 */
#ifndef TC_POLICY_H
#define TC_POLICY_H

#include <stdbool.h>

/**
 * tc_policy_attach() - load the policy of an object file and attach it
 * @file: the object file
 * @settings: words NAME=VALUE for its global variables; @count: so many
 * @pin: path of the pin that keeps it attached, in a file system of type bpf
 *
 * Ends the program with a sentence, and what the verifier says, when that is not possible; then nothing is attached.
 */
void tc_policy_attach(const char *file, char *const *settings, int count, const char *pin);

/* Detach what is pinned there. Return: false when nothing is. */
bool tc_policy_detach(const char *pin);

#endif /* TC_POLICY_H */
