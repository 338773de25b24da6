// SPDX-License-Identifier: GPL-2.0
/*
 * Keeps the settings behind a sequence lock, so that a worker never sees half a change.
 */
#include <linux/seqlock.h>

#include "config.h"

static DEFINE_SEQLOCK(tc_config_lock);

static struct tc_config tc_config = { .mode = TC_MODE_TIER,
				      .split = TC_SPLIT_MEMTIS,
				      .policy = TC_POLICY_MEMTIS,
				      .duplex = TC_DUPLEX_AUTO,
#define TC_CONFIG_DEFAULT(name, value, ...) .name = value,
				      TC_PARAMS(TC_CONFIG_DEFAULT)
#undef TC_CONFIG_DEFAULT
};

void tc_config_read(struct tc_config *config)
{
	unsigned int seq;

	do {
		seq = read_seqbegin(&tc_config_lock);
		*config = tc_config;
	} while (read_seqretry(&tc_config_lock, seq));
}

void tc_config_write(const struct tc_config *config)
{
	write_seqlock(&tc_config_lock);
	tc_config = *config;
	write_sequnlock(&tc_config_lock);
}
