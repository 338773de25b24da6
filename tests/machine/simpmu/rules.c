// SPDX-License-Identifier: GPL-2.0
/*
 * Which events the emulated PMU accepts: the rules of AMD's own driver.
 *
 * Knows arch/x86/events/amd/ibs.c of Linux 6.12 and 7.3, function
 * perf_ibs_init() above all. An emulation that accepted more would be green
 * here and dead on hardware. Does not know what becomes of an accepted event.
 *
 * The emulated processor is like Zen 4: it counts ops (cnt_ctl), has the
 * 7 extension bits of the count and, by parameter, the L3-miss filter.
 *
 * The driver's rules changed between the two kernels. Which apply is read off
 * the running kernel: its own driver, built in but idle for want of the
 * hardware, has perf_ibs_check_period() if it is of the newer kind.
 */
#include <linux/kprobes.h>
#include <linux/sysfs.h>

#include "simpmu.h"

static bool newer_rules;

static bool kernel_has(const char *symbol)
{
	struct kprobe probe = { .symbol_name = symbol };

	if (register_kprobe(&probe))
		return false;
	unregister_kprobe(&probe);
	return true;
}

u64 simpmu_min_period(void)
{
	return newer_rules ? 0x90 : 0x10;
}

static u64 config_mask(void)
{
	u64 mask = SIMPMU_MAX_CNT | SIMPMU_MAX_CNT_EXT | SIMPMU_CNT_CTL;

	return simpmu_l3missonly ? mask | SIMPMU_L3MISSONLY : mask;
}

static int check_group(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;

	if (leader == event)
		return 0;
	if (leader->pmu == event->pmu)
		return -EINVAL;
	list_for_each_entry(sibling, &leader->sibling_list, sibling_list)
		if (sibling->pmu == event->pmu)
			return -EINVAL;
	return 0;
}

/* The older driver leaves this to perf: PERF_PMU_CAP_NO_EXCLUDE refuses them all. */
static int check_exclude(const struct perf_event_attr *attr)
{
	if (!newer_rules)
		return 0;
	if (attr->exclude_host || attr->exclude_guest || attr->exclude_idle)
		return -EINVAL;
	if (!(attr->config2 & SIMPMU_SWFILT) &&
	    (attr->exclude_kernel || attr->exclude_user || attr->exclude_hv))
		return -EINVAL;
	return 0;
}

/*
 * The older driver means to refuse a low nibble of a fixed period, but tests
 * attr.sample_freq, which shares its storage with attr.sample_period: the
 * test never fires, and the nibble is masked off.
 */
static int older_period(struct perf_event *event, u64 *period)
{
	if (!event->attr.sample_freq && *period & 0xf)
		return -EINVAL;
	*period &= ~0xfULL;
	if (!*period)
		*period = 0x10;
	return 0;
}

static int newer_period(struct perf_event *event, u64 *period)
{
	if (event->attr.freq) {
		*period = simpmu_min_period();
		return 0;
	}
	*period &= ~0xfULL;
	return *period < simpmu_min_period() ? -EINVAL : 0;
}

/* No sample_period: the count comes in config, as raw register bits. */
static int raw_period(struct perf_event *event, u64 *config)
{
	u64 period = (*config & SIMPMU_MAX_CNT) << 4 | (*config & SIMPMU_MAX_CNT_EXT);

	if (newer_rules && (event->attr.freq || period < simpmu_min_period()))
		return -EINVAL;
	if (!period)
		return -EINVAL;
	*config &= ~SIMPMU_COUNT_BITS;
	event->attr.sample_period = period;
	event->hw.sample_period = period;
	return 0;
}

static int init_period(struct perf_event *event, u64 *config)
{
	u64 *period = &event->hw.sample_period;

	if (!*period)
		return raw_period(event, config);
	if (*config & SIMPMU_COUNT_BITS)
		return -EINVAL;
	return newer_rules ? newer_period(event, period) : older_period(event, period);
}

int simpmu_event_init(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	u64 config = event->attr.config;
	int err;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (config & ~config_mask())
		return -EINVAL;
	if (has_branch_stack(event))
		return -EOPNOTSUPP;
	err = check_exclude(&event->attr);
	if (!err)
		err = check_group(event);
	if (!err)
		err = init_period(event, &config);
	if (err)
		return err;
	hwc->last_period = hwc->sample_period;
	local64_set(&hwc->period_left, hwc->sample_period);
	hwc->config = config;
	return 0;
}

/* Only the newer driver checks a changed period; it is stricter here than at creation. */
static int check_period(struct perf_event *event, u64 value)
{
	if (event->attr.freq)
		return 0;
	return value & 0xf || value < simpmu_min_period() ? -EINVAL : 0;
}

void simpmu_rules_init(struct pmu *pmu)
{
	newer_rules = kernel_has("perf_ibs_check_period");
	if (newer_rules)
		pmu->check_period = check_period;
	else
		pmu->capabilities |= PERF_PMU_CAP_NO_EXCLUDE;
}

PMU_FORMAT_ATTR(cnt_ctl, "config:19");
PMU_FORMAT_ATTR(l3missonly, "config:16");
PMU_FORMAT_ATTR(swfilt, "config2:0");
PMU_EVENT_ATTR_STRING(zen4_ibs_extensions, zen4_ibs_extensions, "1");

static struct attribute *format_attrs[] = {
	&format_attr_cnt_ctl.attr,
	&format_attr_l3missonly.attr,
	&format_attr_swfilt.attr,
	NULL,
};

static struct attribute *caps_attrs[] = {
	&zen4_ibs_extensions.attr.attr,
	NULL,
};

static umode_t format_is_visible(struct kobject *kobj, struct attribute *attr, int i)
{
	if (attr == &format_attr_l3missonly.attr)
		return simpmu_l3missonly ? attr->mode : 0;
	if (attr == &format_attr_swfilt.attr)
		return newer_rules ? attr->mode : 0;
	return attr->mode;
}

static umode_t caps_is_visible(struct kobject *kobj, struct attribute *attr, int i)
{
	return simpmu_l3missonly ? attr->mode : 0;
}

static const struct attribute_group format_group = {
	.name = "format",
	.attrs = format_attrs,
	.is_visible = format_is_visible,
};

static const struct attribute_group caps_group = {
	.name = "caps",
	.attrs = caps_attrs,
	.is_visible = caps_is_visible,
};

const struct attribute_group *simpmu_attr_groups[] = {
	&format_group,
	&caps_group,
	NULL,
};
