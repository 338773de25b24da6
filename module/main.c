// SPDX-License-Identifier: GPL-2.0
/*
 * Load and unload: a ladder of steps and its mirror. Knows the order, nothing else.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/module.h>
#include <linux/slab.h>
#include <thermocline/version.h>

#include "bpf/hooks.h"
#include "engine/engine.h"
#include "kernel/symbols.h"
#include "kernel/window.h"
#include "track/sampler.h"
#include "ui/ui.h"

static void tc_greet(void)
{
	static const char *const modes[] = TC_MODE_NAMES;
	struct tc_config config;
	const char *why;
	enum tc_mode mode;

	tc_config_read(&config);
	mode = tc_engine_mode(&config, &why);
	if (!tc_kernel_is_known())
		pr_warn("made for kernels 6.12 to 7.3; of this newer one only the prototypes were compared\n");
	pr_info("version %s, mode %s, sampler %s\n", TC_VERSION, modes[mode], tc_sampler_name());
	if (*tc_sampler_why())
		pr_info("%s\n", tc_sampler_why());
	if (*why)
		pr_info("mode %s instead of %s: %s\n", modes[mode], modes[config.mode], why);
}

static int tc_load(const struct tc_load_options *options)
{
	int err;

	err = tc_symbols_resolve(options->hidden);
	if (err)
		return err;
	err = tc_nodes_init(&options->fast, &options->slow);
	if (err)
		return err;
	err = tc_scope_load();
	if (err)
		goto exit_nodes;
	err = tc_engine_start(options->sampler, &options->cpus);
	if (err)
		goto unload_scope;
	tc_debugfs_init();
	tc_params_live(true);
	tc_hooks_init();
	tc_greet();
	return 0;

unload_scope:
	tc_scope_unload();
exit_nodes:
	tc_nodes_exit();
	return err;
}

static int __init tc_init(void)
{
	struct tc_load_options *options = kzalloc(sizeof(*options), GFP_KERNEL);
	int err;

	if (!options)
		return -ENOMEM;
	err = tc_params_load(options);
	if (!err)
		err = tc_load(options);
	kfree(options);
	return err;
}

static void __exit tc_exit(void)
{
	tc_params_live(false);
	tc_debugfs_exit();
	tc_engine_stop();
	tc_scope_unload();
	tc_nodes_exit();
}

module_init(tc_init);
module_exit(tc_exit);

MODULE_LICENSE("GPL");
MODULE_VERSION(TC_VERSION);
MODULE_DESCRIPTION("Memory tiering: hot pages in fast memory, cold pages in slow memory");
