// SPDX-License-Identifier: GPL-2.0
/*
 * The files of /sys/kernel/debug/thermocline. All are read only, so they can be read under
 * lockdown too. A table begins with a line that names it and its version: whoever changes a
 * table's form raises that.
 */
#include <linux/capability.h>
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <thermocline/outcomes.h>
#include <thermocline/version.h>

#include "../bpf/hooks.h"
#include "../engine/ask.h"
#include "../engine/coalesce.h"
#include "../engine/engine.h"
#include "../engine/gate.h"
#include "../engine/headroom.h"
#include "../engine/pacer.h"
#include "../engine/split.h"
#include "../engine/takeover.h"
#include "../kernel/company.h"
#include "../kernel/memory.h"
#include "../kernel/symbols.h"
#include "../track/hint.h"
#include "../track/sampler.h"
#include "../track/scan.h"
#include "ui.h"

static struct dentry *tc_debugfs_root;

static const char *const tc_mode_names[] = TC_MODE_NAMES;
static const char *const tc_split_names[] = TC_SPLIT_POLICY_NAMES;
static const char *const tc_policy_names[] = TC_POLICY_NAMES;
static const char *const tc_outcome_names[] = {
#define TC_OUTCOME_NAME(id, name, text) #name,
	TC_OUTCOMES(TC_OUTCOME_NAME)
};

static u64 tc_mib(u64 pages)
{
	return pages >> (20 - PAGE_SHIFT);
}

/* Share in 1/10000; 0 of nothing is 0. */
static u64 tc_share_bp(u64 part, u64 all)
{
	return all ? part * 10000 / all : 0;
}

/* What the nodes of one direction did, added up. */
static void tc_direction_tally(enum tc_direction direction, struct tc_tally *tally)
{
	struct tc_node *node;

	memset(tally, 0, sizeof(*tally));
	tc_for_each_known_node(node)
		if (tc_node_direction(node) == direction)
			tc_account_read(&node->account, tally);
}

/* A source without events. */
static void tc_show_scan(struct seq_file *m)
{
	struct tc_scan_counts counts;

	tc_scan_counts(&counts);
	seq_printf(m,
		   "scan: %llu pages, 1 in %llu, each looked at every %u ms; %llu ms of CPU time\n",
		   counts.members, counts.step, counts.interval_ms,
		   div_u64(tc_scan_busy_ns(), NSEC_PER_MSEC));
}

static void tc_show_source(struct seq_file *m)
{
	seq_printf(m, "sampler: %s", tc_sampler_name());
	if (*tc_sampler_why())
		seq_printf(m, " (%s)", tc_sampler_why());
	seq_putc(m, '\n');
	if (!strcmp(tc_sampler_name(), "scan"))
		tc_show_scan(m);
	else if (!strcmp(tc_sampler_name(), "hint") && !tc_hint_faults_come())
		seq_puts(m, "hint: no faults come, as numa_balancing is off\n");
}

static void tc_show_sampler(struct seq_file *m)
{
	struct tc_sampler_totals totals;

	tc_sampler_totals(&totals);
	if (tc_sampler_period(0))
		seq_printf(m, "sampler: %s on %u CPUs, period %u\n", tc_sampler_name(), totals.cpus,
			   tc_sampler_period(0));
	else
		tc_show_source(m);
	if (totals.errors)
		seq_printf(m, "sampler_errors: %u CPUs lack an event, see samplers\n",
			   totals.errors);
}

static void tc_show_policy(struct seq_file *m, const struct tc_config *config)
{
	seq_printf(m, "policy: %s", tc_policy_names[config->policy]);
	if (config->policy != TC_POLICY_TPP)
		seq_putc(m, '\n');
	else if (config->tpp_active_s)
		seq_printf(m, ", a touch counts for %u s\n", config->tpp_active_s);
	else
		seq_printf(m, ", a touch counts for %llu samples\n",
			   READ_ONCE(tc_engine.touch_age));
}

static void tc_show_nodes(struct seq_file *m)
{
	struct tc_node *node;

	tc_for_each_node(node)
		seq_printf(m, "node %d: %s, %llu MiB, %llu MiB free\n", node->nid,
			   node->fast ? "fast" : "slow", tc_mib(tc_node_managed(node->nid)),
			   tc_mib(tc_node_free(node->nid)));
}

static void tc_show_moves(struct seq_file *m, enum tc_direction direction, const char *name)
{
	struct tc_tally tally;

	tc_direction_tally(direction, &tally);
	seq_printf(m, "%s: %llu MiB (%llu of %llu folios tried)\n", name, tc_mib(tally.moved_pages),
		   tally.outcome[TC_OUTCOME_MOVED], tally.tried);
}

/* A share of a core in percent with two digits: thousandths of a percent do not matter. */
#define TC_PERCENT "%u.%02u %%"
#define TC_PERCENT_OF(ppm) (ppm) / 10000, (ppm) / 100 % 100

/* What sampling costs, and what period that led to. */
static void tc_show_pacer(struct seq_file *m, const struct tc_config *config)
{
	struct tc_pacer_figures figures;

	tc_pacer_read(&figures);
	if (!config->cpu_limit_bp) {
		seq_puts(m, "pacer: off\n");
		return;
	}
	if (!tc_sampler_period(0)) {
		seq_printf(m, "pacer: sampler %s has no period\n", tc_sampler_name());
		return;
	}
	seq_printf(m,
		   "pacer: period %u (step %u of %u), CPU " TC_PERCENT " sampling and " TC_PERCENT
		   " the rest of limit " TC_PERCENT "\n",
		   tc_sampler_period(0), figures.step, figures.top,
		   TC_PERCENT_OF(figures.sampling_ppm), TC_PERCENT_OF(figures.other_ppm),
		   TC_PERCENT_OF(config->cpu_limit_bp * 100));
}

/* How much may be promoted, and why not more. */
static void tc_show_gate(struct seq_file *m, const struct tc_config *config)
{
	struct tc_gate gate;
	u64 promoted;

	tc_gate_read(&gate, &promoted);
	if (!config->gate)
		seq_puts(m, "gate: off\n");
	else if (gate.allowed == TC_U64_MAX)
		seq_puts(m, "gate: open\n");
	else
		seq_printf(
			m,
			"gate: %llu pages a window, halved %u times as promotions did not raise the hit ratio of %u bp\n",
			gate.allowed, gate.halvings, gate.hit_bp);
}

static void tc_show_takeover(struct seq_file *m, const struct tc_config *config)
{
	struct tc_takeover_counts counts;
	const char *why;

	if (!tc_takeover_on(config, &why) && !*why) {
		seq_puts(m, "takeover: off\n");
		return;
	}
	if (*why) {
		seq_printf(m, "takeover: was asked for, but %s\n", why);
		return;
	}
	tc_takeover_read(&counts);
	seq_printf(
		m,
		"takeover: of %llu pages that NUMA balancing asked about, it left %llu, and %llu were taken over\n",
		counts.asked, counts.answer[TC_TAKEOVER_NO], counts.answer[TC_TAKEOVER_TAKEN]);
}

/* Others who move pages do not disturb the module, but each may undo what the other did. */
static void tc_show_company(struct seq_file *m, const struct tc_config *config)
{
	struct tc_company company;
	const char *why;

	tc_company(&company);
	seq_puts(m, "others:");
	if (!company.known)
		seq_puts(m, " not known on this kernel");
	if (company.numa_balancing && tc_takeover_on(config, &why) && !*why)
		seq_printf(m, " numa_balancing=%d finds pages, takeover moves them;",
			   company.numa_balancing);
	else if (company.numa_balancing)
		seq_printf(m, " numa_balancing=%d moves pages too;", company.numa_balancing);
	if (company.demotion)
		seq_puts(m, " demotion_enabled: reclaim demotes too;");
	if (company.kdamonds)
		seq_printf(m, " DAMON runs (%u threads) and may have schemes that move;",
			   company.kdamonds);
	if (company.known && !company.numa_balancing && !company.demotion && !company.kdamonds)
		seq_puts(m, " nobody else moves pages");
	seq_putc(m, '\n');
}

/* The cursor needs a block for each 2 MiB of fast memory; what is evicted it sees as new again. */
static void tc_show_memory(struct seq_file *m, const struct tc_config *config)
{
	unsigned long most = READ_ONCE(tc_engine.map.max_blocks);
	struct tc_node *node;
	u64 needed = 0;

	tc_for_each_node(node)
		if (node->fast)
			needed += tc_node_managed(node->nid) >> TC_BLOCK_ORDER;
	seq_printf(m, "memory: %llu KiB for the heat map", tc_heatmap_bytes(&tc_engine.map) >> 10);
	if (config->heatmap_limit_kib)
		seq_printf(m, " of at most %u", config->heatmap_limit_kib);
	seq_puts(m, most && most < needed ?
			    "; too little for demotion to remember all of fast memory\n" :
			    "\n");
}

static void tc_show_hooks(struct seq_file *m)
{
	char name[THERMOCLINE_NAME_LEN];

	tc_ask_name(name);
	seq_printf(m, "hooks: %s\n", tc_hooks_available() ? name : "unavailable");
}

static int tc_status_show(struct seq_file *m, void *unused)
{
	u64 hit_all, hit_fast = tc_engine_hits(&hit_all);
	struct tc_config config;
	const char *why;
	enum tc_mode mode;

	tc_config_read(&config);
	mode = tc_engine_mode(&config, &why);
	seq_printf(m, "version: %s\n", TC_VERSION);
	seq_printf(m, "mode: %s\n", tc_mode_names[mode]);
	if (*why)
		seq_printf(m, "reduced: %s was asked for, but %s\n", tc_mode_names[config.mode],
			   why);
	tc_show_policy(m, &config);
	tc_show_sampler(m);
	tc_show_pacer(m, &config);
	tc_show_nodes(m);
	seq_printf(m, "hit_ratio: %llu bp of the sampled accesses were to fast memory\n",
		   tc_share_bp(hit_fast, hit_all));
	tc_show_moves(m, TC_PROMOTE, "promoted");
	tc_show_moves(m, TC_DEMOTE, "demoted");
	tc_show_gate(m, &config);
	tc_show_takeover(m, &config);
	tc_show_company(m, &config);
	tc_show_memory(m, &config);
	tc_show_hooks(m);
	tc_tiers_status(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(tc_status);

/* What splitting goes by: base pages, and the hit ratios of the last window. */
static void tc_thresholds_split(struct seq_file *m)
{
	/* One copy, as it may be replaced meanwhile. */
	struct tc_window last = data_race(tc_split_engine.last);

	seq_printf(m, "base_hot_bin %u\n", READ_ONCE(tc_split_engine.base.hot));
	seq_printf(m, "base_hot_pages %llu\n", READ_ONCE(tc_split_engine.base.hot_pages));
	seq_printf(m, "window_samples %llu\n", last.all);
	seq_printf(m, "rhr_bp %u\n", tc_window_bp(last.fast, last.all));
	seq_printf(m, "ehr_bp %u\n", tc_window_bp(last.base, last.all));
	seq_printf(m, "gap_bp %u\n", tc_window_gap_bp(&last));
}

static int tc_thresholds_show(struct seq_file *m, void *unused)
{
	const struct tc_engine *engine = &tc_engine;

	seq_puts(m, "# thermocline thresholds v1\n");
	seq_printf(m, "hot_bin %u\n", READ_ONCE(engine->thresholds.hot));
	seq_printf(m, "warm_bin %u\n", READ_ONCE(engine->thresholds.warm));
	seq_printf(m, "hot_pages %llu\n", READ_ONCE(engine->thresholds.hot_pages));
	seq_printf(m, "budget_pages %llu\n", READ_ONCE(engine->budget));
	seq_printf(m, "adaptations %llu\n", READ_ONCE(engine->adaptations));
	seq_printf(m, "adaptation_samples %u\n", READ_ONCE(engine->intervals.adaptation));
	seq_printf(m, "coolings %llu\n", READ_ONCE(engine->coolings));
	seq_printf(m, "cooling_samples %u\n", READ_ONCE(engine->intervals.cooling));
	tc_thresholds_split(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(tc_thresholds);

static int tc_histogram_show(struct seq_file *m, void *unused)
{
	static const char *const names[] = { "cold", "warm", "hot" };
	const struct tc_engine *engine = &tc_engine;
	unsigned int bin;

	seq_puts(m, "# thermocline histogram v1: bin, pages of 4 KiB, temperature\n");
	for (bin = 0; bin < TC_BINS; bin++)
		seq_printf(m, "%u %llu %s\n", bin, READ_ONCE(engine->map.heat.hist.pages[bin]),
			   names[tc_temperature(bin)]);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(tc_histogram);

/* The same memory, every page as if it were a folio of its own. */
static int tc_base_histogram_show(struct seq_file *m, void *unused)
{
	const struct tc_heat *heat = &tc_engine.map.heat;
	unsigned int bin;

	seq_puts(m, "# thermocline base_histogram v1: bin, pages of 4 KiB, temperature\n");
	for (bin = 0; bin < TC_BINS; bin++)
		seq_printf(m, "%u %llu %s\n", bin, READ_ONCE(heat->base.pages[bin]),
			   bin >= READ_ONCE(tc_split_engine.base.hot) ? "hot" : "cold");
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(tc_base_histogram);

static void tc_stats_samples(struct seq_file *m)
{
	u64 hit_all, hit_fast = tc_engine_hits(&hit_all);
	struct tc_sampler_totals totals;
	struct tc_sample_counts counts;

	tc_sampler_totals(&totals);
	seq_printf(m, "samples_received %llu\n", totals.received);
	seq_printf(m, "samples_no_address %llu\n", totals.no_address);
	seq_printf(m, "samples_cache_hit %llu\n", totals.cache_hit);
	seq_printf(m, "samples_lost %llu\n", totals.lost);
	/* One copy of figures that grow meanwhile, so that the sum of what is told is what is told. */
	counts = data_race(tc_engine.counts);
	seq_printf(m, "samples_processed %llu\n",
		   counts.accounted + counts.gone + counts.untracked + counts.other_node +
			   counts.no_block);
	seq_printf(m, "samples_accounted %llu\n", counts.accounted);
	seq_printf(m, "samples_gone %llu\n", counts.gone);
	seq_printf(m, "samples_untracked %llu\n", counts.untracked);
	seq_printf(m, "samples_other_node %llu\n", counts.other_node);
	seq_printf(m, "samples_no_block %llu\n", counts.no_block);
	seq_printf(m, "window_hit_fast %llu\n", hit_fast);
	seq_printf(m, "window_hit_all %llu\n", hit_all);
}

static void tc_stats_moves(struct seq_file *m, enum tc_direction direction, const char *name)
{
	struct tc_tally tally;
	int i;

	tc_direction_tally(direction, &tally);
	seq_printf(m, "%s_tried %llu\n", name, tally.tried);
	for (i = 0; i < TC_NR_OUTCOMES; i++)
		seq_printf(m, "%s_%s %llu\n", name, tc_outcome_names[i], tally.outcome[i]);
	seq_printf(m, "%s_moved_pages %llu\n", name, tally.moved_pages);
	seq_printf(m, "%s_freed_pages %llu\n", name, tally.freed_pages);
	seq_printf(m, "%s_mismatches %llu\n", name, tally.mismatches);
}

/* split_tried is split_done and split_advised and all split_skip_ and split_fail_. */
static void tc_stats_splits(struct seq_file *m)
{
	struct tc_split_engine *split = &tc_split_engine;
	struct tc_tally tally = {};
	int i;

	tc_account_read(&split->account, &tally);
	seq_printf(m, "split_tried %llu\n", tally.tried);
	seq_printf(m, "split_done %llu\n", tally.outcome[TC_OUTCOME_MOVED]);
	for (i = TC_OUTCOME_MOVED + 1; i < TC_NR_OUTCOMES; i++)
		seq_printf(m, "split_%s %llu\n", tc_outcome_names[i], tally.outcome[i]);
	seq_printf(m, "split_mismatches %llu\n", tally.mismatches);
	seq_printf(m, "split_zero_pages %llu\n", READ_ONCE(split->zero_pages));
	seq_printf(m, "split_wanted %llu\n", READ_ONCE(split->wanted));
	seq_printf(m, "split_windows %llu\n", READ_ONCE(split->windows));
	seq_printf(m, "split_rounds_paid %llu\n", READ_ONCE(split->pace.paid));
	seq_printf(m, "split_rounds_unpaid %llu\n", READ_ONCE(split->pace.unpaid));
	seq_printf(m, "split_wait_windows %u\n", READ_ONCE(split->pace.wait));
	seq_printf(m, "split_recollapsed %llu\n", READ_ONCE(tc_engine.map.recollapsed));
	seq_printf(m, "split_left_alone %llu\n", READ_ONCE(split->left_alone));
}

/* coalesce_tried is the sum of the others. */
static void tc_stats_coalesce(struct seq_file *m)
{
	const u64 *outcome = tc_coalesce_engine.outcome;

	seq_printf(m, "coalesce_tried %llu\n", READ_ONCE(tc_coalesce_engine.tried));
	seq_printf(m, "coalesce_done %llu\n", READ_ONCE(outcome[TC_COALESCE_DONE]));
	seq_printf(m, "coalesce_skip_cold %llu\n", READ_ONCE(outcome[TC_COALESCE_COLD]));
	seq_printf(m, "coalesce_skip_refused %llu\n", READ_ONCE(outcome[TC_COALESCE_REFUSED]));
	seq_printf(m, "coalesce_fail %llu\n", READ_ONCE(outcome[TC_COALESCE_FAILED]));
}

/* Looks at accessed bits: of the sampler scan, and of the cursors at what was never sampled. */
static void tc_stats_looks(struct seq_file *m)
{
	u64 looks = 0, young = 0, unsure = 0;
	struct tc_scan_counts counts;
	struct tc_node *node;

	tc_scan_counts(&counts);
	seq_printf(m, "scan_sets %llu\n", counts.sets);
	seq_printf(m, "scan_members %llu\n", counts.members);
	seq_printf(m, "scan_interval_ms %u\n", counts.interval_ms);
	seq_printf(m, "scan_first_looks %llu\n", counts.first);
	seq_printf(m, "scan_looks %llu\n", counts.looks);
	seq_printf(m, "scan_young %llu\n", counts.young);
	seq_printf(m, "scan_unsure %llu\n", counts.unsure);
	seq_printf(m, "scan_busy_us %llu\n", div_u64(tc_scan_busy_ns(), NSEC_PER_USEC));
	tc_for_each_known_node(node) {
		looks += READ_ONCE(node->cursor.looks);
		young += READ_ONCE(node->cursor.young);
		unsure += READ_ONCE(node->cursor.unsure);
	}
	seq_printf(m, "unsampled_looks %llu\n", looks);
	seq_printf(m, "unsampled_young %llu\n", young);
	seq_printf(m, "unsampled_unsure %llu\n", unsure);
}

static void tc_stats_gate(struct seq_file *m)
{
	static const char *const verdicts[] = TC_GATE_VERDICT_NAMES;
	struct tc_gate gate;
	u64 promoted;
	int i;

	tc_gate_read(&gate, &promoted);
	for (i = 0; i < TC_GATE_VERDICTS; i++)
		seq_printf(m, "gate_%s %llu\n", verdicts[i], READ_ONCE(tc_gate_verdicts[i]));
	seq_printf(m, "gate_halvings %u\n", gate.halvings);
	seq_printf(m, "gate_promoted_pages %llu\n", promoted);
}

static void tc_stats_pacer(struct seq_file *m)
{
	static const char *const users[] = TC_CPU_USER_NAMES;
	struct tc_sampler_totals totals;
	struct tc_pacer_figures figures;
	int i;

	tc_sampler_totals(&totals);
	tc_pacer_read(&figures);
	seq_printf(m, "samples_throttled %llu\n", totals.throttled);
	seq_printf(m, "pacer_step %u\n", figures.step);
	seq_printf(m, "pacer_longer %llu\n", figures.longer);
	seq_printf(m, "pacer_shorter %llu\n", figures.shorter);
	seq_printf(m, "pacer_floods %llu\n", figures.floods);
	seq_printf(m, "pacer_refused %llu\n", figures.refused);
	seq_printf(m, "pacer_sampling_ppm %u\n", figures.sampling_ppm);
	seq_printf(m, "pacer_other_ppm %u\n", figures.other_ppm);
	for (i = 0; i < TC_NR_CPU_USERS; i++)
		seq_printf(m, "cpu_%s_ns %llu\n", users[i], tc_cpu_ns(i));
}

/* takeover_asked and takeover_taken are each the sum of what follows them, see struct tc_takeover_counts. */
static void tc_stats_takeover(struct seq_file *m)
{
	static const char *const answers[] = {
#define TC_ANSWER_NAME(id, name) #name,
		TC_TAKEOVER_ANSWERS(TC_ANSWER_NAME)
	};
	static const char *const fates[] = {
#define TC_FATE_NAME(id, name) #name,
		TC_TAKEOVER_FATES(TC_FATE_NAME)
	};
	struct tc_takeover_counts counts;
	int i;

	tc_takeover_read(&counts);
	seq_printf(m, "takeover_asked %llu\n", counts.asked);
	for (i = 0; i < TC_NR_TAKEOVER_ANSWERS; i++)
		seq_printf(m, "takeover_%s %llu\n", answers[i], counts.answer[i]);
	seq_printf(m, "takeover_missed %llu\n", counts.missed);
	seq_printf(m, "takeover_in_hand %llu\n", counts.in_hand);
	for (i = 0; i < TC_NR_TAKEOVER_FATES; i++)
		seq_printf(m, "takeover_%s %llu\n", fates[i], counts.fate[i]);
	seq_printf(m, "takeover_waiting %llu\n", counts.waiting);
}

/* What the policy that is attached, or was, answered. */
static void tc_stats_hooks(struct seq_file *m)
{
	static const char *const questions[] = {
#define TC_QUESTION_NAME(id, name) #name,
		TC_QUESTIONS(TC_QUESTION_NAME)
	};
	struct tc_ask_counts counts;
	int i;

	for (i = 0; i < TC_NR_QUESTIONS; i++) {
		tc_ask_counts(i, &counts);
		seq_printf(m, "hook_%s_asked %llu\n", questions[i], counts.asked);
		seq_printf(m, "hook_%s_changed %llu\n", questions[i], counts.changed);
		seq_printf(m, "hook_%s_invalid %llu\n", questions[i], counts.invalid);
	}
}

static int tc_stats_show(struct seq_file *m, void *unused)
{
	struct tc_node *node;
	u64 full = 0, batches = 0, reserve = 0, pingpong = 0, ahead = 0;
	struct tc_config config;

	tc_config_read(&config);
	seq_puts(m, "# thermocline stats v1\n");
	tc_stats_samples(m);
	tc_stats_moves(m, TC_PROMOTE, "promote");
	tc_stats_moves(m, TC_DEMOTE, "demote");
	tc_for_each_known_node(node) {
		full += READ_ONCE(node->queue.full) + READ_ONCE(node->warm.full);
		batches += READ_ONCE(node->batches);
		reserve += READ_ONCE(node->pressure.reserve);
		pingpong += READ_ONCE(node->pingpong);
		ahead += tc_ahead(node, &config);
	}
	seq_printf(m, "queue_full %llu\n", full);
	seq_printf(m, "batches_begun %llu\n", batches);
	seq_printf(m, "reserve_pages %llu\n", reserve);
	seq_printf(m, "results_lost %llu\n", READ_ONCE(tc_engine.results_lost));
	seq_printf(m, "heatmap_blocks %lu\n", READ_ONCE(tc_engine.map.nr_blocks));
	seq_printf(m, "heatmap_bytes %llu\n", tc_heatmap_bytes(&tc_engine.map));
	seq_printf(m, "heatmap_evicted %llu\n", READ_ONCE(tc_engine.map.evicted));
	seq_printf(m, "heatmap_rebound %llu\n", READ_ONCE(tc_engine.map.rebound));
	seq_printf(m, "heatmap_no_memory %llu\n", READ_ONCE(tc_engine.map.no_memory));
	tc_stats_splits(m);
	tc_stats_coalesce(m);
	tc_stats_looks(m);
	tc_stats_gate(m);
	tc_stats_pacer(m);
	seq_printf(m, "promote_again %llu\n", pingpong);
	seq_printf(m, "ahead_pages %llu\n", ahead);
	seq_printf(m, "kswapd_kicks %ld\n", atomic_long_read(&tc_engine.kswapd_kicks));
	tc_temperature_stats(m);
	tc_stats_takeover(m);
	tc_stats_hooks(m);
	tc_tiers_stats(m);
	tc_granularity_stats(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(tc_stats);

static int tc_nodes_show(struct seq_file *m, void *unused)
{
	struct tc_config config;
	struct tc_tally tally;
	struct tc_node *node;

	tc_config_read(&config);
	seq_puts(
		m,
		"# thermocline nodes v1: node tier target managed free keep_free lru queued samples tried moved_pages passes unevictable pingpong (memory in pages)\n");
	tc_for_each_node(node) {
		memset(&tally, 0, sizeof(tally));
		tc_account_read(&node->account, &tally);
		seq_printf(m, "%d %s %d %lu %lu %lu %lu %lu %llu %llu %llu %lu %lu %llu\n",
			   node->nid, node->fast ? "fast" : "slow", node->target,
			   tc_node_managed(node->nid), tc_node_free(node->nid),
			   node->fast ? tc_keep_free(node, &config) : 0, tc_node_lru(node->nid),
			   tc_queue_pages(&node->queue) + tc_queue_pages(&node->warm),
			   READ_ONCE(node->samples), tally.tried, tally.moved_pages,
			   READ_ONCE(node->cursor.pass), READ_ONCE(node->cursor.unevictable),
			   READ_ONCE(node->pingpong));
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(tc_nodes);

/* What became of the candidates of each node, by reason. Outcomes that never happened are left out. */
static int tc_outcomes_show(struct seq_file *m, void *unused)
{
	struct tc_tally tally;
	struct tc_node *node;
	int i;

	seq_puts(m, "# thermocline outcomes v1: node direction outcome folios\n");
	tc_for_each_known_node(node) {
		memset(&tally, 0, sizeof(tally));
		tc_account_read(&node->account, &tally);
		for (i = 0; i < TC_NR_OUTCOMES; i++)
			if (tally.outcome[i])
				seq_printf(m, "%d %s %s %llu\n", node->nid,
					   node->fast ? "demote" : "promote", tc_outcome_names[i],
					   tally.outcome[i]);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(tc_outcomes);

static int tc_config_show(struct seq_file *m, void *unused)
{
	struct tc_config config;

	tc_config_read(&config);
	seq_puts(m, "# thermocline config v1: name value unit\n");
	seq_printf(m, "mode %s\n", tc_mode_names[config.mode]);
	seq_printf(m, "split %s policy\n", tc_split_names[config.split]);
	seq_printf(m, "policy %s policy\n", tc_policy_names[config.policy]);
#define TC_CONFIG_SHOW(name, value, low, high, perm, unit, text) \
	seq_printf(m, #name " %u " unit "\n", config.name);
	TC_PARAMS(TC_CONFIG_SHOW)
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(tc_config);

static int tc_samplers_show(struct seq_file *m, void *unused)
{
	struct tc_sampler_cpu *sc;
	int cpu;

	seq_puts(
		m,
		"# thermocline samplers v1: cpu source state received no_address cache_hit lost\n");
	for_each_possible_cpu(cpu) {
		sc = tc_sampler_cpu(cpu);
		seq_printf(m, "%d %s ", cpu, tc_sampler_name());
		if (READ_ONCE(sc->error))
			seq_printf(m, "error%d", READ_ONCE(sc->error));
		else if (READ_ONCE(sc->event[0]) || tc_sampler_does())
			seq_puts(m, tc_sampler_enabled() ? "on" : "paused");
		else
			seq_puts(m, "off");
		seq_printf(m, " %lu %lu %lu %lu\n", local_read(&sc->received),
			   local_read(&sc->no_address), local_read(&sc->cache_hit),
			   tc_ring_lost(&sc->ring));
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(tc_samplers);

/* Addresses of the kernel are shown as /proc/kallsyms would with CAP_SYSLOG: not at kptr_restrict 2. */
static bool tc_may_show_addresses(void)
{
	const int *restricted = (const int *)tc_symbol(TC_SYMBOL_kptr_restrict)->address;

	return restricted && READ_ONCE(*restricted) < 2 && capable(CAP_SYSLOG);
}

static int tc_symbols_show(struct seq_file *m, void *unused)
{
	bool show_address = tc_may_show_addresses();
	const struct tc_symbol *symbol;
	int i;

	seq_puts(
		m,
		"# thermocline symbols v1: name kind need matches entry address, then what is lost without it\n");
	for (i = 0; i < TC_NR_SYMBOLS; i++) {
		symbol = tc_symbol(i);
		seq_printf(m, "%s %s %s %u %s %lx %s\n", symbol->name,
			   symbol->function ? "function" : "data",
			   symbol->required ? "required" : "optional", symbol->matches,
			   !symbol->address ? "absent" :
			   symbol->function ? tc_entry_name(symbol->entry) :
					      "-",
			   show_address ? symbol->address : 0, symbol->lost);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(tc_symbols);

DEFINE_SHOW_ATTRIBUTE(tc_temperature);
DEFINE_SHOW_ATTRIBUTE(tc_tiers);

void tc_debugfs_init(void)
{
	static const struct {
		const char *name;
		const struct file_operations *fops;
	} files[] = {
		{ "status", &tc_status_fops },
		{ "thresholds", &tc_thresholds_fops },
		{ "histogram", &tc_histogram_fops },
		{ "stats", &tc_stats_fops },
		{ "nodes", &tc_nodes_fops },
		{ "samplers", &tc_samplers_fops },
		{ "symbols", &tc_symbols_fops },
		{ "outcomes", &tc_outcomes_fops },
		{ "config", &tc_config_fops },
		{ "base_histogram", &tc_base_histogram_fops },
		{ "temperature", &tc_temperature_fops },
		{ "tiers", &tc_tiers_fops },
	};
	int i;

	tc_debugfs_root = debugfs_create_dir("thermocline", NULL);
	for (i = 0; i < ARRAY_SIZE(files); i++)
		debugfs_create_file(files[i].name, 0444, tc_debugfs_root, NULL, files[i].fops);
}

void tc_debugfs_exit(void)
{
	debugfs_remove(tc_debugfs_root);
}
