/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which huge pages are split, and when. ksampled counts what splitting could gain and chooses; the
 * thread tc_split splits. Knows the heat map and the policy. Does not know how a page is split.
 */
#ifndef TC_ENGINE_SPLIT_H
#define TC_ENGINE_SPLIT_H

#include <linux/atomic.h>
#include <linux/kfifo.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <thermocline/modes.h>

#include "../move/account.h"
#include "../move/split.h"
#include "../policy/split.h"
#include "../policy/thresholds.h"
#include "config.h"

struct folio;
struct tc_block;
struct tc_node;
struct tc_result;

/* Requests on their way: what one search finds. */
#define TC_SPLIT_REQUESTS TC_SKEWED_MAX

/* Huge pages that are split in one pass, with a pause before the next (MEMTIS). */
#define TC_SPLIT_PASS 50

/**
 * enum tc_split_phase - what is being done
 * @TC_SPLIT_WATCH: samples are counted until a window is over
 * @TC_SPLIT_SEARCH: the heat map is searched for skewed huge pages
 * @TC_SPLIT_WORK: tc_split is at work on what was found
 * @TC_SPLIT_LAST: it has done all; its last results are taken in
 */
enum tc_split_phase { TC_SPLIT_WATCH, TC_SPLIT_SEARCH, TC_SPLIT_WORK, TC_SPLIT_LAST };

/**
 * struct tc_split_flight - a request that is not answered yet
 * @pfn: page frame of the huge page
 * @region: key of its region
 */
struct tc_split_flight {
	unsigned long pfn;
	u64 region;
};

/**
 * struct tc_split_engine - all about splitting
 * @base: thresholds of base pages, T_base; written by ksampled at each adaptation
 * @window: samples since the last window was over; @last: those of that one
 * @windows: windows so far
 * @pace: rounds and whether they paid
 * @phase: what is being done
 * @search_pfn: where the search goes on
 * @huge: huge pages with hot base pages that it met; @list: the most skewed of them
 * @wanted: Ns of the last search
 * @left_alone: candidates that were left alone as somebody had collapsed them lately
 * @flight: requests of this round; @nr_flight: how many
 * @split_in_round: of these, split so far
 * @requests: from ksampled to tc_split
 * @pending: requests that tc_split has not answered
 * @account: what became of all requests; @zero_pages: pages freed as they held only zeroes; both
 *	written by tc_split
 * @in_hand: held while settings are read and one huge page is split, or made, by them
 * @busy_since: when the huge page in hand was taken up (jiffies, never 0); 0: none is
 * @task: the thread tc_split; @wait: where it sleeps
 *
 * What is not said to be another's is written by ksampled.
 */
struct tc_split_engine {
	struct tc_thresholds base;
	struct tc_window window;
	struct tc_window last;
	u64 windows;
	struct tc_split_pace pace;
	enum tc_split_phase phase;
	unsigned long search_pfn;
	u64 huge;
	struct tc_skewed_list list;
	u64 wanted;
	u64 left_alone;
	struct tc_split_flight flight[TC_SPLIT_REQUESTS];
	unsigned int nr_flight;
	unsigned int split_in_round;
	DECLARE_KFIFO(requests, struct tc_split_request, TC_SPLIT_REQUESTS);
	atomic_t pending;
	struct tc_account account;
	u64 zero_pages;
	struct mutex in_hand;
	unsigned long busy_since;
	struct task_struct *task;
	wait_queue_head_t wait;
};

extern struct tc_split_engine tc_split_engine;

/* Make the thread. Context: process context, sleeps. Return: 0 or a negative errno. */
int tc_splitter_start(void);

/* Let it finish the huge page in hand and end. Context: process context, sleeps. */
void tc_splitter_stop(void);

/**
 * tc_splitter_settle() - wait for the huge page in hand
 *
 * As tc_kmigrated_settle(), for splits and coalescing.
 *
 * Context: process context, sleeps.
 */
void tc_splitter_settle(void);

/**
 * tc_split_sample() - count a sample that is about to be entered in the heat map
 * @block: the block of the page
 * @page: its index there
 * @owner: its owner tag
 * @fast: it is in fast memory
 *
 * Whether the page was hot is judged before the sample, as placing it comes before the access.
 *
 * Context: ksampled.
 */
void tc_split_sample(const struct tc_block *block, unsigned int page, u8 owner, bool fast);

/* The thresholds were computed: compute T_base. Context: ksampled. */
void tc_split_adapt(void);

/**
 * tc_split_run() - go on with the decision, for about a millisecond
 * @config: settings of this round
 * @mode: what may be done
 *
 * Context: ksampled, between tc_offline_enter() and tc_offline_leave().
 *
 * Return: true while there is more to do at once.
 */
bool tc_split_run(const struct tc_config *config, enum tc_mode mode);

/**
 * tc_split_result() - tc_split has answered a request
 * @result: its answer
 *
 * The block is binned anew, and hot pieces on a slow node and cold ones on a fast node are put on
 * their queues.
 *
 * Context: ksampled, between tc_offline_enter() and tc_offline_leave().
 */
void tc_split_result(const struct tc_result *result);

#endif /* TC_ENGINE_SPLIT_H */
