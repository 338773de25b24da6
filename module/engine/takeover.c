// SPDX-License-Identifier: GPL-2.0
/*
 * The takeover of takeover.h. In the fault a page is only looked at and put into the ring of its processor; the queues
 * of the nodes and the heat map have one writer, ksampled, which comes by soon.
 */
#define pr_fmt(fmt) "thermocline: " fmt

#include <linux/kfifo.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include <asm/local.h>

#include "../kernel/company.h"
#include "../kernel/takeover.h"
#include "../move/filter.h"
#include "../move/scope.h"
#include "../track/folio.h"
#include "../track/sampler.h"
#include "granularity.h"
#include "takeover.h"
#include "touch.h"

/* A folio as it was in the fault; whoever finds another one there lets it be. */
struct tc_wanted {
	unsigned long pfn;
	u8 order;
	u8 owner;
};

/**
 * struct tc_takeover_cpu - takeover on one processor
 * @wanted: from the faults there, which have preemption off, to ksampled: one writer, one reader, no lock
 * @answers: written on the processor itself
 */
struct tc_takeover_cpu {
	DECLARE_KFIFO_PTR(wanted, struct tc_wanted);
	local_t answers[TC_NR_TAKEOVER_ANSWERS];
};

static DEFINE_PER_CPU(struct tc_takeover_cpu, tc_takeover_cpus);

/*
 * @lock: serializes changes, and them with tc_takeover_read()
 * @watched: the probe is there; @error: why it is not though it was wanted, a negative errno
 * @rings: every possible processor has its ring; they stay until unload
 * @acts: the settings promote by recency, so what the kernel would promote may be taken over
 * @lost: calls that were under way when the probe went
 * @fates: written by ksampled
 */
static struct {
	struct mutex lock;
	bool watched;
	int error;
	bool rings;
	bool acts;
	u64 lost;
	u64 fates[TC_NR_TAKEOVER_FATES];
} tc_takeover = { .lock = __MUTEX_INITIALIZER(tc_takeover.lock) };

/* A kernel thread that works on the memory of others is nobody's. The owners are asked before the move. */
static bool tc_takeover_in_scope(struct folio *folio)
{
	return current->mm && tc_scope_has_mm(current->mm) && !tc_scope_excludes_cgroup(folio);
}

static bool tc_takeover_acts(void)
{
	return READ_ONCE(tc_takeover.acts) && !READ_ONCE(tc_engine.fallback) && tc_sampler_active();
}

/* Does a worker take what leaves this node up? */
static bool tc_takeover_from(const struct tc_node *node)
{
	return node && !node->fast && READ_ONCE(node->target) != NUMA_NO_NODE &&
	       READ_ONCE(node->worker);
}

/* There is room: nobody else writes here. Half a ring is soon a full one. */
static void tc_takeover_push(struct tc_takeover_cpu *tk, const struct folio *folio)
{
	struct tc_wanted wanted = {
		.pfn = folio_pfn((struct folio *)folio),
		.order = folio_order(folio),
		.owner = tc_folio_owner(folio),
	};

	kfifo_put(&tk->wanted, wanted);
	if (kfifo_len(&tk->wanted) == kfifo_size(&tk->wanted) / 2)
		tc_engine_kick_later();
}

/* May this page, which the kernel would promote, be taken over? */
static enum tc_takeover_answer tc_takeover_judge(struct tc_takeover_cpu *tk, struct folio *folio,
						 int nid)
{
	struct tc_node *from = tc_node(folio_nid(folio));
	const struct tc_node *to = tc_node(nid);
	enum tc_outcome why;

	if (!tc_takeover_from(from))
		return TC_TAKEOVER_SOURCE;
	if (!to || !to->fast)
		return TC_TAKEOVER_TARGET;
	if (!tc_takeover_acts())
		return TC_TAKEOVER_IDLE;
	if (!tc_takeover_in_scope(folio))
		return TC_TAKEOVER_SCOPE;
	if (!tc_folio_trackable(folio) || !tc_movable(folio, &why))
		return TC_TAKEOVER_UNMOVABLE;
	if (tc_heatmap_refused(&tc_engine.map, folio_pfn(folio)))
		return TC_TAKEOVER_REFUSED;
	if (tc_queue_full(&from->queue) || kfifo_is_full(&tk->wanted))
		return TC_TAKEOVER_FULL;
	return TC_TAKEOVER_TAKEN;
}

/* In the fault. No lock, no allocation, no print; nothing is woken but by an interrupt of its own. */
static bool tc_takeover_take(struct folio *folio, int nid, bool yes)
{
	struct tc_takeover_cpu *tk = this_cpu_ptr(&tc_takeover_cpus);
	enum tc_takeover_answer answer = yes ? tc_takeover_judge(tk, folio, nid) : TC_TAKEOVER_NO;

	local_inc(&tk->answers[answer]);
	if (answer != TC_TAKEOVER_TAKEN)
		return false;
	tc_takeover_push(tk, folio);
	return true;
}

static bool tc_takeover_same(const struct folio *folio, const struct tc_wanted *wanted)
{
	return folio_pfn((struct folio *)folio) == wanted->pfn &&
	       folio_order(folio) == wanted->order && tc_folio_trackable(folio) &&
	       tc_folio_owner(folio) == wanted->owner;
}

/*
 * The kernel found it used soon after it had looked, and within its own rate limit, or fast memory nearly empty: that
 * is the touch by which a page has proved itself. Neither two_touch nor what a page that goes to and fro waits for is
 * asked of it, as the kernel would have promoted it without; and the fault is no sample, which it is by sampler=hint.
 */
static enum tc_takeover_fate tc_takeover_enqueue(struct tc_node *node, struct folio *folio)
{
	unsigned int head = folio_pfn(folio) & (TC_BLOCK_PAGES - 1);
	struct tc_heatmap *map = &tc_engine.map;
	struct tc_block *block = tc_heatmap_block(map, folio_pfn(folio));

	if (!block)
		return TC_TAKEOVER_NO_BLOCK;
	/* What was known of another owner goes. */
	tc_block_see(block, &map->heat, head, folio_order(folio), tc_folio_owner(folio));
	tc_touch_mark(&block->touch, map->heat.step, head);
	if (tc_block_queued(block, head))
		return TC_TAKEOVER_KNOWN;
	if (tc_block_refused(block, head))
		return TC_TAKEOVER_LATE_REFUSED;
	/* The fault tells neither page nor process. */
	if (tc_granularity_takes(node, block, folio, TC_BLOCK_PAGES, 0))
		return TC_TAKEOVER_QUEUED;
	if (!tc_queue_add(&node->queue, folio, tc_block_bin(block, &map->heat, head),
			  TC_TOUCH_STEPS, map->heat.epoch))
		return TC_TAKEOVER_LATE_FULL;
	tc_block_set_queued(block, head);
	return TC_TAKEOVER_QUEUED;
}

static enum tc_takeover_fate tc_takeover_enter(const struct tc_wanted *wanted, enum tc_mode mode)
{
	enum tc_takeover_fate fate = TC_TAKEOVER_GONE;
	struct folio *folio;
	struct tc_node *node;

	if (mode != TC_MODE_TIER || !tc_touch_decides())
		return TC_TAKEOVER_STOPPED;
	folio = tc_folio_get(wanted->pfn);
	if (!folio)
		return fate;
	node = tc_node(folio_nid(folio));
	if (node && !node->fast && tc_takeover_same(folio, wanted))
		fate = tc_takeover_enqueue(node, folio);
	folio_put(folio);
	return fate;
}

unsigned long tc_takeover_drain(enum tc_mode mode)
{
	unsigned long fullest = 0, taken, slots;
	struct tc_takeover_cpu *tk;
	enum tc_takeover_fate fate;
	struct tc_wanted wanted;
	int cpu;

	/* Pairs with the release in tc_takeover_alloc(). */
	if (!smp_load_acquire(&tc_takeover.rings))
		return 0;
	for_each_possible_cpu(cpu) {
		tk = per_cpu_ptr(&tc_takeover_cpus, cpu);
		slots = kfifo_size(&tk->wanted);
		for (taken = 0; taken < slots && kfifo_get(&tk->wanted, &wanted); taken++) {
			fate = tc_takeover_enter(&wanted, mode);
			WRITE_ONCE(tc_takeover.fates[fate], tc_takeover.fates[fate] + 1);
		}
		fullest = max(fullest, taken);
		cond_resched();
	}
	return fullest;
}

static void tc_takeover_free(void)
{
	struct tc_takeover_cpu *tk;
	int cpu;

	for_each_possible_cpu(cpu) {
		tk = per_cpu_ptr(&tc_takeover_cpus, cpu);
		kvfree(tk->wanted.kfifo.data);
		tk->wanted.kfifo.data = NULL;
	}
}

static int tc_takeover_alloc_one(int cpu, unsigned int slots)
{
	struct tc_takeover_cpu *tk = per_cpu_ptr(&tc_takeover_cpus, cpu);
	size_t bytes = array_size(slots, sizeof(struct tc_wanted));
	void *buffer = kvzalloc_node(bytes, GFP_KERNEL, cpu_to_node(cpu));

	return buffer ? kfifo_init(&tk->wanted, buffer, bytes) : -ENOMEM;
}

/* Once: their capacity is fixed at load. */
static int tc_takeover_alloc(const struct tc_config *config)
{
	int cpu, err;

	if (tc_takeover.rings)
		return 0;
	for_each_possible_cpu(cpu) {
		err = tc_takeover_alloc_one(cpu, config->ring_slots);
		if (err) {
			tc_takeover_free();
			return err;
		}
	}
	/* Pairs with the acquire in tc_takeover_drain(). */
	smp_store_release(&tc_takeover.rings, true);
	return 0;
}

/*
 * What is under way is what is left of the whole, so the parts are read first: each is counted after the whole it
 * belongs to.
 */
static void tc_takeover_count(struct tc_takeover_counts *counts)
{
	struct tc_takeover_calls calls;
	u64 fates = 0, answers = 0;
	int cpu, i;

	*counts = (struct tc_takeover_counts){};
	for (i = 0; i < TC_NR_TAKEOVER_FATES; i++) {
		counts->fate[i] = READ_ONCE(tc_takeover.fates[i]);
		fates += counts->fate[i];
	}
	/* Pairs with the barriers of the ring: what came out of it was counted before it went in. */
	smp_rmb();
	for (i = 0; i < TC_NR_TAKEOVER_ANSWERS; i++) {
		for_each_possible_cpu(cpu)
			counts->answer[i] +=
				local_read(&per_cpu_ptr(&tc_takeover_cpus, cpu)->answers[i]);
		answers += counts->answer[i];
	}
	/* On x86 others see the two counts of a call in the order in which they were made. */
	smp_rmb();
	tc_takeover_calls(&calls);
	counts->asked = calls.entered + calls.missed;
	counts->missed = calls.missed + tc_takeover.lost;
	counts->in_hand = counts->asked - counts->missed - answers;
	counts->waiting = counts->answer[TC_TAKEOVER_TAKEN] - fates;
}

void tc_takeover_read(struct tc_takeover_counts *counts)
{
	mutex_lock(&tc_takeover.lock);
	tc_takeover_count(counts);
	mutex_unlock(&tc_takeover.lock);
}

static void tc_takeover_begin(const struct tc_config *config)
{
	int err = tc_takeover_alloc(config);

	if (!err)
		err = tc_takeover_watch(tc_takeover_take);
	tc_takeover.watched = !err;
	if (err && err != tc_takeover.error)
		pr_warn("numa_takeover: no return probe on should_numa_migrate_memory (%d): NUMA balancing migrates by itself\n",
			err);
	tc_takeover.error = err;
}

static void tc_takeover_end(void)
{
	struct tc_takeover_counts counts;

	tc_takeover_unwatch();
	tc_takeover.watched = false;
	/* No handler runs any more: what has no answer by now gets none here. */
	tc_takeover_count(&counts);
	tc_takeover.lost += counts.in_hand;
}

void tc_takeover_apply(const struct tc_config *config)
{
	bool wanted = config->numa_takeover && config->mode != TC_MODE_OFF;

	mutex_lock(&tc_takeover.lock);
	WRITE_ONCE(tc_takeover.acts,
		   config->mode == TC_MODE_TIER && config->policy == TC_POLICY_TPP);
	if (wanted && !tc_takeover.watched)
		tc_takeover_begin(config);
	else if (!wanted && tc_takeover.watched)
		tc_takeover_end();
	if (!wanted)
		tc_takeover.error = 0;
	mutex_unlock(&tc_takeover.lock);
}

void tc_takeover_stop(void)
{
	mutex_lock(&tc_takeover.lock);
	WRITE_ONCE(tc_takeover.acts, false);
	if (tc_takeover.watched)
		tc_takeover_end();
	mutex_unlock(&tc_takeover.lock);
}

void tc_takeover_exit(void)
{
	tc_takeover_free();
	tc_takeover.rings = false;
}

/* Why nothing is taken over; "": it is. Context: the lock is held. */
static const char *tc_takeover_idle(const struct tc_config *config)
{
	struct tc_company company;
	const char *why;

	if (config->mode == TC_MODE_OFF)
		return "mode is off";
	if (tc_takeover.error == -ENOENT)
		return "should_numa_migrate_memory is not to be probed in this kernel";
	if (tc_takeover.error == -ENOMEM)
		return "there was no memory for it";
	if (!tc_takeover.watched)
		return "the kernel refuses a probe on should_numa_migrate_memory";
	if (config->policy != TC_POLICY_TPP)
		return "only policy tpp takes promotions over";
	if (tc_engine_mode(config, &why) != TC_MODE_TIER)
		return "nothing is moved in this mode";
	tc_company(&company);
	return company.known && !company.numa_balancing ? "numa_balancing is off" : "";
}

bool tc_takeover_on(const struct tc_config *config, const char **why)
{
	bool watched;

	mutex_lock(&tc_takeover.lock);
	watched = tc_takeover.watched;
	*why = config->numa_takeover ? tc_takeover_idle(config) : "";
	mutex_unlock(&tc_takeover.lock);
	return watched;
}
