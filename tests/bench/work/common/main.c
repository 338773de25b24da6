// SPDX-License-Identifier: GPL-2.0
/*
 * A workload's run from first to last.
 *
 * Knows the order of the steps. Does not know the workload: that is "work".
 *
 * Exit status: 0, 1 if anything was found wrong, 2 if it could not run.
 */
#include "arena.h"
#include "balloon.h"
#include "work.h"

#define FAST 0

struct work_result result;

static void say_settings(void)
{
	printf("workload %s\n", work.name);
	printf("seed %lu\n", option.seed);
	printf("size_mib %lu\n", option.size_mib);
	printf("pages %llu\n", (unsigned long long)arena_pages());
	printf("warm_up %lu\n", option.warm_up);
	printf("run %lu\n", option.run);
	printf("window %lu\n", option.window);
}

static void say_huge_pages(const char *name)
{
	long kib = stat_value("/proc/self/smaps_rollup", "AnonHugePages:");

	printf("%s %ld\n", name, kib < 0 ? 0 : kib / 1024);
}

/* Where the contents are when the run begins. */
static void say_fast_pages(void)
{
	unsigned char *node = malloc(arena_pages());

	if (!arena.start || !node)
		return;
	printf("fast_pages_before %llu\n", (unsigned long long)arena_fast_pages(node));
	free(node);
}

static void prepare(void)
{
	work.plan();
	if (option.keep_free_mib)
		balloon_leave_free(FAST, option.keep_free_mib * 256);
	arena_place();
	work.fill();
}

int main(int argc, char **argv)
{
	options_parse(argc, argv);
	prepare();
	say_settings();
	say_fast_pages();
	say_huge_pages("huge_mib_before");
	measure();
	say_huge_pages("huge_mib_after");
	printf("operations %llu\n", (unsigned long long)result.operations);
	work.check();
	if (work.end)
		work.end();
	printf("digest %016llx\n", (unsigned long long)result.digest);
	printf("bad %llu\n", (unsigned long long)result.bad);
	return result.bad ? 1 : 0;
}
