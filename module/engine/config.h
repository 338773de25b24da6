/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The settings that may change while the module runs, and a snapshot of them for each round
 * of a worker. Knows values, not where they come from.
 */
#ifndef TC_ENGINE_CONFIG_H
#define TC_ENGINE_CONFIG_H

#include <thermocline/modes.h>
#include <thermocline/params.h>

#include "../policy/admit.h"
#include "../policy/split.h"

/**
 * struct tc_config - one consistent set of settings
 * @mode: what was asked for; the engine may have to do less, see tc_engine_mode()
 *
 * @split: into what skewed huge pages are split
 * @policy: by what rule pages are promoted and demoted
 * @duplex: does the link of slow memory carry reads and writes at once?
 *
 * The other members are the numeric parameters of params.h, by their names and units.
 */
struct tc_config {
	enum tc_mode mode;
	enum tc_split_policy split;
	enum tc_policy policy;
	enum tc_duplex duplex;
#define TC_CONFIG_MEMBER(name, ...) unsigned int name;
	TC_PARAMS(TC_CONFIG_MEMBER)
#undef TC_CONFIG_MEMBER
};

/* Copy the present settings, all from one moment. Context: any but NMI. */
void tc_config_read(struct tc_config *config);

/* Replace the settings. Context: process context; calls are serialized by the caller. */
void tc_config_write(const struct tc_config *config);

#endif /* TC_ENGINE_CONFIG_H */
