/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tcsim: a machine of two kinds of memory, reduced to which folio is where, and policies that move
 * folios. Time is counted in accesses. Each policy sees the same accesses, sampled alike, and may move
 * as fast as the same token bucket allows.
 */
#ifndef TC_SIM_H
#define TC_SIM_H

#include "../../module/policy/block.h"
#include "../../module/policy/bucket.h"

/* One access takes this long: what a core waits for memory, divided by how much it overlaps. */
#define SIM_ACCESS_NS 5

/* Policies look for work once in so many accesses. */
#define SIM_TICK 4096U

/**
 * struct sim - the machine
 * @folios: number of folios; @order: of each of them; @blocks: of 2 MiB
 * @capacity: folios that fast memory holds; @keep_free: of these, the head-room
 * @fast: bitmap of the folios that are there; @used: their number
 * @hand: where the search for something to demote goes on
 * @bucket: what may be moved; @now_ns: time; @access_ns: of one access that is simulated
 * @promoted, @demoted: folios moved so far
 */
struct sim {
	u64 folios;
	unsigned int order;
	u64 blocks;
	u64 capacity;
	u64 keep_free;
	u64 *fast;
	u64 used;
	u64 hand;
	struct tc_bucket bucket;
	u64 now_ns;
	u64 access_ns;
	u64 promoted;
	u64 demoted;
};

/**
 * sim_init() - memory that was filled by ascending address: fast memory first
 * @sim: filled
 * @bytes: all memory; @fast_bytes: of it, fast
 * @order: order of all folios
 * @rate_mib: bandwidth for moves in MiB/s; 0: unlimited
 */
void sim_init(struct sim *sim, u64 bytes, u64 fast_bytes, unsigned int order, u64 rate_mib);
void sim_exit(struct sim *sim);

static inline bool sim_is_fast(const struct sim *sim, u64 folio)
{
	return sim->fast[folio >> 6] >> (folio & 63) & 1;
}

/* Move one folio, if it is not there already, fits, and the bucket grants it. */
bool sim_promote(struct sim *sim, u64 folio);
bool sim_demote(struct sim *sim, u64 folio);

/* Folios that may be promoted before head-room is used up. */
u64 sim_room(const struct sim *sim);

/* Does the folio at hand have to stay? For sim_make_room(). */
typedef bool (*sim_stays_fn)(void *state, u64 folio);

/**
 * sim_make_room() - demote until there is room for @want folios beside the head-room
 * @sim: the machine
 * @want: folios
 * @steps: fast folios to look at, at most
 * @stays: which must stay
 * @state: for @stays
 *
 * Return: folios looked at.
 */
u64 sim_make_room(struct sim *sim, u64 want, u64 steps, sim_stays_fn stays, void *state);

/**
 * struct sim_policy - a policy
 * @name: on the command line
 * @text: what it does
 * @init: its state, beside a machine
 * @sample: a sampled access
 * @tick: once in SIM_TICK accesses
 * @window: accesses to come, for a policy that knows the future; NULL: does not
 * @metadata: bytes that it keeps
 * @exit: frees its state
 */
struct sim_policy {
	const char *name;
	const char *text;
	void *(*init)(struct sim *sim);
	void (*sample)(void *state, u64 folio);
	void (*tick)(void *state);
	void (*window)(void *state, const u64 *folios, u64 count);
	u64 (*metadata)(const void *state);
	void (*exit)(void *state);
};

extern const struct sim_policy sim_thermocline, sim_hemem, sim_twotouch, sim_recency, sim_oracle,
	sim_none;

/**
 * struct trace - a source of accesses
 * @next: fills @count folios; returns how many there were, fewer at the end
 */
struct trace {
	u64 (*next)(struct trace *trace, u64 *folios, u64 count);
	u64 folios;
	u64 left;
	u64 done;
	u64 random;
	double theta;
	double zipf_h0, zipf_hn, zipf_s;
	u64 cluster;
	u64 phase;
	u64 scan;
	u64 multiplier;
	u64 *recorded;
	u64 recorded_blocks;
};

/* zipf, shift, scan, uniform. Return: false for another name. */
bool trace_generate(struct trace *trace, const char *name, u64 folios, u64 accesses, double theta,
		    u64 seed);

/**
 * trace_read() - accesses from a text: one address a line, hexadecimal, as perf script -F phys_addr
 * @trace: filled; folios are numbered by the blocks of 2 MiB that occur
 * @path: the file, "-" for standard input
 * @order: of all folios
 * @why: what is wrong, when false is returned; in new memory
 */
bool trace_read(struct trace *trace, const char *path, unsigned int order, char **why);
void trace_exit(struct trace *trace);

/**
 * struct result - what a run showed
 * @accesses, @hits: all of them, and those to fast memory; @late_*: of the second half
 * @samples: sampled ones
 * @instructions: of this program, for a sample, in hundredths; 0: not counted
 */
struct result {
	u64 accesses, hits, late_accesses, late_hits;
	u64 samples, promoted, demoted, metadata, instructions;
};

/**
 * sim_run() - one policy over one trace
 * @sim: the machine; @trace: the trace, at its beginning
 * @policy: the policy
 * @period: accesses for each sample
 * @count: count instructions too
 * @result: filled
 */
void sim_run(struct sim *sim, struct trace *trace, const struct sim_policy *policy, u64 period,
	     bool count, struct result *result);

/**
 * count_instructions() - instructions of a function, by single steps of a copy of this process
 * @fn: the function; what it changes is lost
 * @arg: its argument
 *
 * Return: user instructions, 0 when this cannot be done here.
 */
u64 count_instructions(void (*fn)(void *arg), void *arg);

#endif /* TC_SIM_H */
