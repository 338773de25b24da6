// SPDX-License-Identifier: GPL-2.0
/*
 * simpmu.ko: finds the simulated machine, or does without, and registers the PMU.
 *
 * Knows the order in which things come up and go down. Does not know samples.
 *
 * The window is mapped without requesting its region: programs map the same
 * BAR through sysfs, which the kernel refuses for a region that a driver has
 * claimed.
 */
#define pr_fmt(fmt) "simpmu: " fmt

#include <linux/io.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/vmalloc.h>

#include "simpmu.h"

bool simpmu_l3missonly = true;
module_param_named(l3missonly, simpmu_l3missonly, bool, 0444);
MODULE_PARM_DESC(l3missonly, "The emulated CPU can filter on L3 misses, as Zen 4 and later do");

static bool pebs;
module_param(pebs, bool, 0444);
MODULE_PARM_DESC(pebs, "Emulate Intel's core PMU with PEBS instead of AMD's ibs_op");

struct tcm_shared *simpmu_shared;
static struct pci_dev *device;

struct pmu simpmu_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_hw_context,
	.attr_groups = simpmu_attr_groups,
	.event_init = simpmu_event_init,
	.add = simpmu_add,
	.del = simpmu_del,
	.start = simpmu_start,
	.stop = simpmu_stop,
	.read = simpmu_read,
};

static int map_machine(void)
{
	resource_size_t start = pci_resource_start(device, TCM_PCI_BAR);
	int err = pci_enable_device(device);

	if (err)
		return err;
	simpmu_shared = memremap(start, sizeof(*simpmu_shared), MEMREMAP_WB);
	if (!simpmu_shared) {
		err = -ENOMEM;
		goto disable;
	}
	if (simpmu_shared->config.magic == TCM_MAGIC &&
	    simpmu_shared->config.version == TCM_VERSION)
		return 0;
	pr_err("the ivshmem device holds no simulated machine of version %d: is the plugin loaded?\n",
	       TCM_VERSION);
	err = -ENODEV;
	memunmap(simpmu_shared);
disable:
	pci_disable_device(device);
	return err;
}

static int source_init(void)
{
	int err;

	device = pebs ? NULL : pci_get_device(TCM_PCI_VENDOR, TCM_PCI_DEVICE, NULL);
	if (!device) {
		simpmu_shared = vzalloc(sizeof(*simpmu_shared));
		return simpmu_shared ? 0 : -ENOMEM;
	}
	err = map_machine();
	if (err)
		pci_dev_put(device);
	return err;
}

static void source_exit(void)
{
	if (!device) {
		vfree(simpmu_shared);
		return;
	}
	memunmap(simpmu_shared);
	pci_disable_device(device);
	pci_dev_put(device);
}

/* CPUs beyond the window's have no control word; simpmu_add() refuses events there. */
static void cpus_init(void)
{
	int id;

	for_each_possible_cpu(id) {
		struct simpmu_cpu *cpu = per_cpu_ptr(&simpmu_cpus, id);

		simpmu_timer_setup(&cpu->timer);
		if (id >= TCM_MAX_CPUS)
			continue;
		cpu->control = &simpmu_shared->pmu[id];
		cpu->ring = &simpmu_shared->ring[id];
	}
}

/* Intel's core PMU is the kernel's own for raw codes. An emulated CPU has none. */
static int register_pmu(void)
{
	if (pebs)
		return perf_pmu_register(&simpmu_pebs, "cpu", PERF_TYPE_RAW);
	simpmu_rules_init(&simpmu_pmu);
	return perf_pmu_register(&simpmu_pmu, "ibs_op", -1);
}

static void unregister_pmu(void)
{
	perf_pmu_unregister(pebs ? &simpmu_pebs : &simpmu_pmu);
}

static void announce(void)
{
	if (pebs)
		pr_info("PEBS registered, samples from debugfs simpmu/feed\n");
	else
		pr_info("ibs_op registered, periods from %#llx, samples from %s\n",
			simpmu_min_period(),
			device ? "the simulated machine" : "debugfs simpmu/feed");
}

static int __init simpmu_init(void)
{
	int err;

	err = simpmu_deliver_init();
	if (err)
		return err;
	err = source_init();
	if (err)
		return err;
	cpus_init();
	err = register_pmu();
	if (err)
		goto source;
	err = simpmu_debugfs_init(!device, pebs);
	if (err)
		goto pmu;
	announce();
	return 0;

pmu:
	unregister_pmu();
source:
	source_exit();
	return err;
}

/* No event is left: each holds a reference to this module through its PMU. */
static void __exit simpmu_exit(void)
{
	int id;

	simpmu_debugfs_exit();
	unregister_pmu();
	for_each_possible_cpu(id)
		hrtimer_cancel(&per_cpu_ptr(&simpmu_cpus, id)->timer);
	source_exit();
}

module_init(simpmu_init);
module_exit(simpmu_exit);
MODULE_DESCRIPTION("Emulated AMD IBS op PMU for the simulated tiered machine (tests only)");
MODULE_LICENSE("GPL");
