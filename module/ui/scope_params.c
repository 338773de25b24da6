// SPDX-License-Identifier: GPL-2.0
/*
 * The parameters that say whose memory may be moved: scope, scope_cgroups, scope_comms and
 * scope_pids. A change of one is tried with the present others; when it cannot be, all stay.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "../move/scope.h"
#include "ui.h"

/* Longest text of one list. */
#define TC_SCOPE_TEXT 512

enum { TC_SCOPE_HOW, TC_SCOPE_CGROUPS, TC_SCOPE_COMMS, TC_SCOPE_PIDS, TC_NR_SCOPE };

static DEFINE_MUTEX(tc_scope_lock);
static char tc_scope_text[TC_NR_SCOPE][TC_SCOPE_TEXT] = { [TC_SCOPE_HOW] = "exclude" };
/* Before the module is up, texts are only kept: tc_scope_load() tries them all at once. */
static bool tc_scope_live;

static int tc_scope_apply(void)
{
	return tc_scope_set(!strcmp(tc_scope_text[TC_SCOPE_HOW], "include"),
			    tc_scope_text[TC_SCOPE_CGROUPS], tc_scope_text[TC_SCOPE_COMMS],
			    tc_scope_text[TC_SCOPE_PIDS]);
}

static int tc_scope_check(int which, const char *text)
{
	if (which != TC_SCOPE_HOW || sysfs_streq(text, "exclude") || sysfs_streq(text, "include"))
		return 0;
	pr_err("scope: '%.32s' is neither exclude nor include\n", text);
	return -EINVAL;
}

static int tc_scope_change(int which, const char *text)
{
	char old[TC_SCOPE_TEXT];
	int err;

	strscpy(old, tc_scope_text[which], sizeof(old));
	strscpy(tc_scope_text[which], text, TC_SCOPE_TEXT);
	strim(tc_scope_text[which]);
	err = tc_scope_live ? tc_scope_apply() : 0;
	if (err)
		strscpy(tc_scope_text[which], old, TC_SCOPE_TEXT);
	return err;
}

static int tc_scope_param_set(const char *text, const struct kernel_param *kp)
{
	int which = (long)kp->arg, err;

	if (!text || strlen(text) >= TC_SCOPE_TEXT) {
		pr_err("%s: a text of up to %d characters is wanted\n", kp->name,
		       TC_SCOPE_TEXT - 1);
		return -EINVAL;
	}
	err = tc_scope_check(which, text);
	if (err)
		return err;
	mutex_lock(&tc_scope_lock);
	err = tc_scope_change(which, text);
	mutex_unlock(&tc_scope_lock);
	return err;
}

static int tc_scope_param_get(char *buffer, const struct kernel_param *kp)
{
	int length;

	mutex_lock(&tc_scope_lock);
	length = sysfs_emit(buffer, "%s\n", tc_scope_text[(long)kp->arg]);
	mutex_unlock(&tc_scope_lock);
	return length;
}

static const struct kernel_param_ops tc_scope_ops = {
	.set = tc_scope_param_set,
	.get = tc_scope_param_get,
};

module_param_cb(scope, &tc_scope_ops, (void *)TC_SCOPE_HOW, 0644);
MODULE_PARM_DESC(
	scope,
	"exclude: the scope_ lists name what is never moved; include: what may be (default exclude)");
module_param_cb(scope_cgroups, &tc_scope_ops, (void *)TC_SCOPE_CGROUPS, 0644);
MODULE_PARM_DESC(scope_cgroups, "comma separated cgroup paths, as /system.slice/db.service");
module_param_cb(scope_comms, &tc_scope_ops, (void *)TC_SCOPE_COMMS, 0644);
MODULE_PARM_DESC(scope_comms, "comma separated command names, as in /proc/PID/comm");
module_param_cb(scope_pids, &tc_scope_ops, (void *)TC_SCOPE_PIDS, 0644);
MODULE_PARM_DESC(scope_pids, "comma separated process IDs");

int tc_scope_load(void)
{
	int err;

	mutex_lock(&tc_scope_lock);
	err = tc_scope_apply();
	tc_scope_live = !err;
	mutex_unlock(&tc_scope_lock);
	return err;
}

void tc_scope_unload(void)
{
	mutex_lock(&tc_scope_lock);
	tc_scope_live = false;
	mutex_unlock(&tc_scope_lock);
	tc_scope_exit();
}
