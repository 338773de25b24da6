// SPDX-License-Identifier: GPL-2.0
/*
 * The memory notifier of offline.h. A reference to a folio keeps it from being freed but not its
 * struct page from going away with its memory, between pfn_to_online_page() and the reference. So
 * a range that goes offline is closed first, and those inside are waited for.
 */
#include <linux/align.h>
#include <linux/memory.h>
#include <linux/mmzone.h>
#include <linux/notifier.h>

#include "offline.h"

DEFINE_SRCU(tc_offline_srcu);

/*
 * One range is enough: the kernel takes memory offline under one lock. Kept closed after
 * MEM_OFFLINE, as the pages are gone then, until the next range takes its place or it comes back.
 */
static unsigned long tc_going_first;
static unsigned long tc_going_end;
static void (*tc_memory_changed)(void);

bool tc_offline_going(unsigned long pfn)
{
	return pfn >= READ_ONCE(tc_going_first) && pfn < READ_ONCE(tc_going_end);
}

static void tc_close_range(unsigned long start, unsigned long pages)
{
	/* A block may hold the struct pages of its own memory at its start: they go as well. */
	unsigned long first = ALIGN_DOWN(start, PAGES_PER_SECTION), end = start + pages;

	WRITE_ONCE(tc_going_end, 0);
	/* Nobody may see the old end with the new beginning, */
	smp_wmb();
	WRITE_ONCE(tc_going_first, first);
	/* nor the new end with the old beginning. */
	smp_wmb();
	WRITE_ONCE(tc_going_end, end);
	synchronize_srcu(&tc_offline_srcu);
}

/* Coming back, or staying after all: open what was closed, if it is this. */
static void tc_open_range(unsigned long first, unsigned long pages)
{
	if (tc_going_first < first + pages && first < tc_going_end)
		WRITE_ONCE(tc_going_end, 0);
}

static int tc_memory_event(struct notifier_block *nb, unsigned long action, void *data)
{
	const struct memory_notify *range = data;

	switch (action) {
	case MEM_GOING_OFFLINE:
		tc_close_range(range->start_pfn, range->nr_pages);
		break;
	case MEM_CANCEL_OFFLINE:
	case MEM_GOING_ONLINE:
		tc_open_range(range->start_pfn, range->nr_pages);
		break;
	case MEM_ONLINE:
	case MEM_OFFLINE:
		tc_memory_changed();
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block tc_memory_notifier = { .notifier_call = tc_memory_event };

int tc_offline_init(void (*changed)(void))
{
	tc_memory_changed = changed;
	return register_memory_notifier(&tc_memory_notifier);
}

void tc_offline_exit(void)
{
	unregister_memory_notifier(&tc_memory_notifier);
}
