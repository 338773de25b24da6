// SPDX-License-Identifier: GPL-2.0
/*
 * The sampler `scan`: a thread that looks at the accessed bits of some pages again and again.
 * Knows which pages, when, and what it may cost; the look itself is young.h's, the arithmetic is in
 * policy/looks.c.
 *
 * An accessed bit says only "at least once", so one look tells little. The thread takes a set of page
 * frames, spread evenly over all memory, and looks at each of them once in an interval: the first time
 * only to clear its bit, then TC_LOOKS_PER_SET times; each time it finds the bit set, it pushes one
 * sample, like a sampling unit would. A page's heat is thus the share of its looks that found it
 * accessed. Then the next set has its turn. The interval is chosen such that about as much memory is
 * found accessed in it as fast memory holds, so that hot and warm differ where it matters.
 *
 * Each page frame is looked at equally often, whatever the size of the folio around it, so that huge
 * and small pages compete by how much memory they are. One bit stands for all of a huge page: it counts
 * as accessed in every part. So its heat is an upper bound, its parts look equally hot, and no skew
 * within it can be seen (tc_sampler_sees_parts()). Where the page tables know its parts, each has its own.
 *
 * What one look costs is measured, and with that a set is made no larger than the allowed share of a
 * CPU can look at in time; when it takes more nevertheless, the looks come later. Memory: one number
 * for each page of a set, TC_SCAN_MEMBERS at most.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/err.h>
#include <linux/freezer.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/nodemask.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/wait.h>

#include "../kernel/memory.h"
#include "../policy/looks.h"
#include "folio.h"
#include "sampler.h"
#include "scan.h"
#include "young.h"

/* Pages of one set, at most: 1 MiB of memory. */
#define TC_SCAN_MEMBERS (1U << 17)

/* Page frames gone through to choose one set, at most; most of a machine's memory may be free. */
#define TC_SCAN_FRAMES_MAX (1ULL << 22)

/*
 * Time that may be saved up for one slice: this, or the allowed share of that. How much is left is
 * looked at every so many steps.
 */
#define TC_SCAN_SLICE_NS (2 * NSEC_PER_MSEC)
#define TC_SCAN_SLICE_OF_NS (20 * NSEC_PER_MSEC)
#define TC_SCAN_STEPS 16

/* What a look is thought to cost before any was measured. */
#define TC_SCAN_LOOK_NS 2000

/* Sleep between two slices. */
#define TC_SCAN_SLEEP_MIN msecs_to_jiffies(10)
#define TC_SCAN_SLEEP_MAX HZ

/**
 * struct tc_last_look - the look before
 * @start: first page frame that its answer stands for
 * @end: page frame behind the last one; 0: it stands for none
 * @answer: the answer
 *
 * Members are in the order of their frames. The next one may lie in the same huge page, whose bit has
 * just been cleared.
 */
struct tc_last_look {
	unsigned long start;
	unsigned long end;
	enum tc_young answer;
};

/**
 * struct tc_scan - the scanner
 * @settings: in effect from the next slice on
 * @aim_bp: share that should be found accessed
 * @lock: held during a slice, so that whoever pauses the scanner waits for the end of one
 * @running: not paused
 * @thread: the thread
 * @wait: where it sleeps
 * @member: page frames of the set; written under @lock
 * @members: how many
 * @next: the one to look at next
 * @kept: in the first round: members so far that stay in the set
 * @choosing: the set is still being chosen
 * @comb: how it is
 * @frame: where that goes on: number of a frame among those of all nodes with memory
 * @round: looks at each member of the set that are done; the first does not count
 * @round_at: when this round began (ktime, ns)
 * @round_looked: looks of this round
 * @round_young: of these, found accessed
 * @interval_ms: of this set
 * @look_ns: what a look costs, a moving average
 * @allowance: CPU time left
 * @updated_at: when it was told of (ktime, ns)
 * @updated_used: CPU time of the thread by then
 * @looks_then: looks by then
 * @last: the look before, in this round
 * @counts: for readers
 */
struct tc_scan {
	struct tc_scan_settings settings;
	u32 aim_bp;
	struct mutex lock;
	bool running;
	struct task_struct *thread;
	wait_queue_head_t wait;
	unsigned long *member;
	unsigned int members;
	unsigned int next;
	unsigned int kept;
	bool choosing;
	struct tc_comb comb;
	u64 frame;
	unsigned int round;
	u64 round_at;
	u64 round_looked;
	u64 round_young;
	u32 interval_ms;
	u64 look_ns;
	struct tc_cpu_allowance allowance;
	u64 updated_at;
	u64 updated_used;
	u64 looks_then;
	struct tc_last_look last;
	struct tc_scan_counts counts;
};

static struct tc_scan tc_scan = {
	.settings = { .limit_bp = 100 },
	.aim_bp = TC_LOOKS_SHARE_MAX_BP,
	.lock = __MUTEX_INITIALIZER(tc_scan.lock),
	.wait = __WAIT_QUEUE_HEAD_INITIALIZER(tc_scan.wait),
	.interval_ms = TC_LOOKS_MS_START,
	.look_ns = TC_SCAN_LOOK_NS,
};

void tc_scan_aim(u64 fast_pages, u64 covered_pages)
{
	WRITE_ONCE(tc_scan.aim_bp, tc_looks_aim(fast_pages, covered_pages));
}

/* Exact as of the last time the thread slept. */
static u64 tc_scan_used(void)
{
	return READ_ONCE(current->se.sum_exec_runtime);
}

u64 tc_scan_busy_ns(void)
{
	struct task_struct *thread = READ_ONCE(tc_scan.thread);

	return thread ? READ_ONCE(thread->se.sum_exec_runtime) : 0;
}

void tc_scan_counts(struct tc_scan_counts *counts)
{
	/* Figures that grow meanwhile, each read once. */
	*counts = data_race(tc_scan.counts);
	counts->members = READ_ONCE(tc_scan.members);
	counts->step = READ_ONCE(tc_scan.comb.step);
	counts->interval_ms = READ_ONCE(tc_scan.interval_ms);
}

/* Looks of a kind that take time. */
static u64 tc_scan_done(void)
{
	return tc_scan.counts.looks + tc_scan.counts.first + tc_scan.counts.unsure;
}

/* --- which page frames --------------------------------------------------------------------------- */

/* Frames between the first and the last of a node, others and holes included. */
static u64 tc_node_frames(int nid)
{
	return node_end_pfn(nid) - node_start_pfn(nid);
}

static u64 tc_all_frames(u64 *in_use)
{
	u64 frames = 0;
	int nid;

	*in_use = 0;
	for_each_node_state(nid, N_MEMORY) {
		frames += tc_node_frames(nid);
		*in_use += tc_node_lru(nid);
	}
	return frames;
}

/* Page frame and node of a frame's number; false when the numbers end before. */
static bool tc_frame(u64 number, unsigned long *pfn, int *node)
{
	int nid;

	for_each_node_state(nid, N_MEMORY) {
		if (number < tc_node_frames(nid)) {
			*pfn = node_start_pfn(nid) + number;
			*node = nid;
			return true;
		}
		number -= tc_node_frames(nid);
	}
	return false;
}

static void tc_set_begin(void)
{
	struct tc_scan *scan = &tc_scan;
	u32 fixed = READ_ONCE(scan->settings.interval_ms);
	u64 in_use, frames = tc_all_frames(&in_use), wanted;

	if (fixed)
		WRITE_ONCE(scan->interval_ms, fixed);
	wanted = tc_looks_affordable(scan->interval_ms, READ_ONCE(scan->settings.limit_bp),
				     scan->look_ns);
	scan->comb = tc_comb_choose(frames,
				    tc_comb_step(clamp(wanted, 1ULL, (u64)TC_SCAN_MEMBERS), in_use,
						 frames, TC_SCAN_FRAMES_MAX),
				    scan->counts.sets);
	scan->counts.sets++;
	scan->round = 0;
	scan->frame = scan->comb.first;
	WRITE_ONCE(scan->members, 0);
	scan->choosing = true;
}

static void tc_round_begin(u64 now)
{
	struct tc_scan *scan = &tc_scan;

	scan->next = 0;
	scan->kept = 0;
	scan->round_at = now;
	scan->last.end = 0;
	scan->round_looked = 0;
	scan->round_young = 0;
}

/* Only what can be on an LRU list can have heat. Returns false when there is no further frame. */
static bool tc_set_step(void)
{
	struct tc_scan *scan = &tc_scan;
	unsigned long pfn;
	struct page *page;
	int nid;

	if (scan->members == TC_SCAN_MEMBERS || !tc_frame(scan->frame, &pfn, &nid))
		return false;
	scan->frame += scan->comb.step;
	page = tc_offline_going(pfn) ? NULL : pfn_to_online_page(pfn);
	/* Frames of a node may lie between those of another. The folio may be gone in a moment. */
	if (page && page_to_nid(page) == nid && PageLRU(page)) {
		scan->member[scan->members] = pfn;
		WRITE_ONCE(scan->members, scan->members + 1);
	}
	return true;
}

/* --- looks --------------------------------------------------------------------------------------- */

static void tc_scan_push(unsigned long pfn)
{
	struct tc_sample sample = { .pfn = pfn };
	struct tc_sampler_cpu *sc;

	sc = tc_sampler_cpu(get_cpu());
	local_inc(&sc->received);
	/* Pairs with the release in tc_ring_alloc(). */
	if (smp_load_acquire(&sc->ring.slots))
		tc_ring_push(&sc->ring, &sample);
	put_cpu();
}

/* Counts what a look at a member found. */
static void tc_scan_count(unsigned long pfn, enum tc_young answer)
{
	struct tc_scan *scan = &tc_scan;

	if (answer == TC_YOUNG_UNSURE || answer == TC_YOUNG_UNSEEN) {
		scan->counts.unsure++;
		return;
	}
	if (!scan->round) {
		scan->counts.first++;
		return;
	}
	scan->counts.looks++;
	scan->round_looked++;
	if (answer == TC_YOUNG_NO)
		return;
	scan->counts.young++;
	scan->round_young++;
	tc_scan_push(pfn);
}

static enum tc_young tc_scan_look(unsigned long pfn)
{
	struct tc_last_look *last = &tc_scan.last;
	struct folio *folio;

	if (pfn < last->end && pfn >= last->start)
		return last->answer;
	last->end = 0;
	folio = tc_folio_get(pfn);
	if (!folio)
		return TC_YOUNG_UNSEEN;
	last->answer = TC_YOUNG_UNSEEN;
	if (folio_test_lru(folio) && !folio_test_unevictable(folio))
		last->answer = tc_young_look(folio, pfn);
	last->start = folio_pfn(folio);
	if (last->answer != TC_YOUNG_UNSURE && folio_test_large(folio) &&
	    folio_entire_mapcount(folio) > 0)
		last->end = last->start + folio_nr_pages(folio);
	folio_put(folio);
	return last->answer;
}

/* What cannot be looked at when the set is new, or is locked, leaves it. */
static void tc_scan_member(void)
{
	struct tc_scan *scan = &tc_scan;
	unsigned long pfn = scan->member[scan->next++];
	enum tc_young answer = tc_scan_look(pfn);

	tc_scan_count(pfn, answer);
	if (!scan->round && answer != TC_YOUNG_UNSEEN)
		scan->member[scan->kept++] = pfn;
}

/* Is this CPU's ring so full that ksampled should come first? */
static bool tc_scan_ahead(void)
{
	bool ahead = tc_ring_used(&tc_sampler_cpu(get_cpu())->ring) >
		     tc_sampler_cpu(smp_processor_id())->ring.mask / 2;

	put_cpu();
	return ahead;
}

/* Members whose turn has come: the looks of a round are spread over its interval. */
static unsigned int tc_members_due(u64 now)
{
	struct tc_scan *scan = &tc_scan;
	u64 interval = (u64)scan->interval_ms * NSEC_PER_MSEC, passed = now - scan->round_at;

	/* Below 2^17 times 60 s in nanoseconds. */
	return passed >= interval ? scan->members : scan->members * passed / interval;
}

static void tc_round_end(u64 now)
{
	struct tc_scan *scan = &tc_scan;
	u32 interval = scan->interval_ms;

	/* Not before its time: the next look at the first member is one interval after the last. */
	if (now - scan->round_at < (u64)interval * NSEC_PER_MSEC)
		return;
	if (!scan->round)
		WRITE_ONCE(scan->members, scan->kept);
	if (scan->round && !READ_ONCE(scan->settings.interval_ms))
		interval = tc_looks_interval(interval, scan->round_young, scan->round_looked,
					     READ_ONCE(scan->aim_bp));
	if (scan->round++ == TC_LOOKS_PER_SET || interval != scan->interval_ms || !scan->members) {
		WRITE_ONCE(scan->interval_ms, interval);
		tc_set_begin();
	}
	tc_round_begin(now);
}

/* One step of what is to do; false when there is nothing now. */
static bool tc_scan_step(u64 now)
{
	struct tc_scan *scan = &tc_scan;

	if (scan->choosing) {
		scan->choosing = tc_set_step();
		if (!scan->choosing)
			tc_round_begin(now);
		return true;
	}
	if (scan->next < tc_members_due(now)) {
		tc_scan_member();
		return true;
	}
	if (scan->next == scan->members)
		tc_round_end(now);
	return scan->choosing;
}

/* --- the thread ---------------------------------------------------------------------------------- */

/* Tells the allowance of the time since the last slice, and learns what a look costs. */
static void tc_scan_account(u64 now)
{
	struct tc_scan *scan = &tc_scan;
	u32 limit = READ_ONCE(scan->settings.limit_bp);
	u64 used = tc_scan_used(), done = tc_scan_done();
	u64 most = max(TC_SCAN_SLICE_NS, TC_SCAN_SLICE_OF_NS / 10000 * limit);

	if (done - scan->looks_then >= TC_SCAN_STEPS && !scan->choosing)
		scan->look_ns = (3 * scan->look_ns +
				 (used - scan->updated_used) / (done - scan->looks_then)) /
				4;
	tc_allowance_update(&scan->allowance, now - scan->updated_at, used - scan->updated_used,
			    limit, most);
	scan->updated_at = now;
	scan->updated_used = used;
	scan->looks_then = done;
}

static void tc_scan_slice(u64 now)
{
	u64 deadline = local_clock() + tc_scan.allowance.left_ns;
	unsigned int steps = 0;
	int token = tc_offline_enter();

	while (tc_scan_step(now)) {
		if (++steps % TC_SCAN_STEPS)
			continue;
		if (local_clock() > deadline || tc_scan_ahead())
			break;
		cond_resched();
	}
	tc_offline_leave(token);
}

/* Time until something is due: a member's look, or the end of the round. */
static u64 tc_scan_idle_ns(u64 now)
{
	const struct tc_scan *scan = &tc_scan;
	u64 interval = (u64)scan->interval_ms * NSEC_PER_MSEC;

	if (scan->choosing)
		return 0;
	if (scan->next < scan->members)
		return interval / scan->members;
	return scan->round_at + interval - min(now, scan->round_at + interval);
}

/* Returns how long to sleep, in jiffies. */
static unsigned long tc_scan_turn(void)
{
	unsigned long sleep = MAX_SCHEDULE_TIMEOUT;
	u64 now, wait;

	mutex_lock(&tc_scan.lock);
	if (tc_scan.running) {
		now = ktime_get_ns();
		tc_scan_account(now);
		if (tc_scan.allowance.left_ns > 0)
			tc_scan_slice(now);
		wait = tc_allowance_wait(&tc_scan.allowance, READ_ONCE(tc_scan.settings.limit_bp));
		wait = max(wait, tc_scan_idle_ns(now));
		sleep = clamp(nsecs_to_jiffies(wait), TC_SCAN_SLEEP_MIN,
			      (unsigned long)TC_SCAN_SLEEP_MAX);
	}
	mutex_unlock(&tc_scan.lock);
	return sleep;
}

static int tc_scan_thread(void *unused)
{
	unsigned long sleep;
	bool paused;

	set_freezable();
	while (!kthread_should_stop()) {
		sleep = tc_scan_turn();
		paused = sleep == MAX_SCHEDULE_TIMEOUT;
		wait_event_freezable_timeout(
			tc_scan.wait,
			(paused && READ_ONCE(tc_scan.running)) || kthread_should_stop(), sleep);
	}
	return 0;
}

static int tc_scan_probe(const char **why)
{
	if (tc_young_available())
		return 0;
	*why = "accessed bits cannot be read: the kernel's page_vma_mapped_walk was not found";
	return -ENODEV;
}

static int tc_scan_start(void)
{
	struct task_struct *thread;

	tc_scan.member = kvmalloc_array(TC_SCAN_MEMBERS, sizeof(*tc_scan.member), GFP_KERNEL);
	if (!tc_scan.member)
		return -ENOMEM;
	thread = kthread_run(tc_scan_thread, NULL, "tc_scan");
	if (IS_ERR(thread)) {
		kvfree(tc_scan.member);
		tc_scan.member = NULL;
		return PTR_ERR(thread);
	}
	WRITE_ONCE(tc_scan.thread, thread);
	return 0;
}

static void tc_scan_stop(void)
{
	struct task_struct *thread = tc_scan.thread;

	WRITE_ONCE(tc_scan.thread, NULL);
	kthread_stop(thread);
	kvfree(tc_scan.member);
	tc_scan.member = NULL;
}

/* What happened while the scanner was paused is nobody's heat: a new set, whose bits are cleared first. */
static void tc_scan_enable(bool on)
{
	mutex_lock(&tc_scan.lock);
	if (on && !tc_scan.running) {
		tc_set_begin();
		tc_scan.updated_at = ktime_get_ns();
	}
	WRITE_ONCE(tc_scan.running, on);
	mutex_unlock(&tc_scan.lock);
	wake_up(&tc_scan.wait);
}

void tc_scan_configure(const struct tc_scan_settings *settings)
{
	bool other;

	mutex_lock(&tc_scan.lock);
	other = settings->interval_ms && settings->interval_ms != tc_scan.interval_ms;
	tc_scan.settings = *settings;
	if (tc_scan.running && other)
		tc_set_begin();
	mutex_unlock(&tc_scan.lock);
}

const struct tc_sampler_ops tc_scan_ops = {
	.name = "scan",
	.does = "scanning accessed bits",
	.probe = tc_scan_probe,
	.start = tc_scan_start,
	.stop = tc_scan_stop,
	.enable = tc_scan_enable,
};
