# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck disable=SC2154 # bench_*: words of the kernel's command line
# DAMON's migration schemes: hot memory of the slow node goes up, cold memory of the fast one goes down, after
# Documentation/admin-guide/mm/damon/usage.rst and the kernel's sample module samples/damon/mtier.c. On kernels with
# node_mem_used_bp the quotas tune themselves towards the fast node's use, with that sample's aims; before, quotas are
# fixed. Times are scaled with the clocks. Where the tuner can be chosen it is `temporal`: the default, `consist`, begins
# with a quota of one byte and adds what lacks of the aim in percent each second, so that in a run this short nothing moved.

admin=/sys/kernel/mm/damon/admin/kdamonds

# times US: microseconds by the machine's clock
times() {
	echo $(($1 * bench_clock / 100))
}

# Start and end of a node's memory in bytes, from the zones.
node_range() {
	awk -v node="$1" '
		/^Node/ { here = $2 == node "," }
		here && /spanned/ { pages = $2 }
		here && /start_pfn:/ && pages { start = $2; if (first == "" || start < first) first = start
			if (start + pages > last) last = start + pages; pages = 0 }
		END { printf "%.0f %.0f\n", first * 4096, last * 4096 }' /proc/zoneinfo
}

# filter SCHEME HOT: migrate_hot takes only pages that were accessed, migrate_cold only those that were not
filter() {
	folder=$1/filters
	[ ! -d "$1/ops_filters" ] || folder=$1/ops_filters
	echo 1 >"$folder/nr_filters"
	echo young >"$folder/0/type"
	echo "$2" >"$folder/0/matching"
	[ ! -e "$folder/0/allow" ] || echo N >"$folder/0/allow"
}

# Share of node 0, in 1/10000, that the kernel's high watermarks keep free. On a server it is next to nothing; of a node as
# small as here it is more than the sample module's aims, which count from there.
watermark_bp() {
	awk '/^Node/ { here = $2 == "0," }
		here && $1 == "high" { high += $2 }
		here && $1 == "managed" { managed += $2 }
		END { printf "%d\n", (high * 10000 + managed - 1) / managed }' /proc/zoneinfo
}

# goal SCHEME METRIC VALUE: if this kernel can tune the quota to it
goal() {
	[ -d "$1/quotas/goals" ] || return 0
	echo 1 >"$1/quotas/goals/nr_goals"
	if ! echo "$2" 2>/dev/null >"$1/quotas/goals/0/target_metric"; then
		echo 0 >"$1/quotas/goals/nr_goals"
		return 0
	fi
	[ ! -e "$1/quotas/goal_tuner" ] || echo temporal >"$1/quotas/goal_tuner"
	echo 0 >"$1/quotas/goals/0/nid"
	echo "$3" >"$1/quotas/goals/0/target_value"
}

# scheme INDEX NODE ACTION TARGET MIN_ACCESSES MAX_ACCESSES MIN_AGE
scheme() {
	context=$admin/$1/contexts/0
	echo 1 >"$admin/$1/contexts/nr_contexts"
	echo paddr >"$context/operations"
	echo 1 >"$context/targets/nr_targets"
	echo 1 >"$context/targets/0/regions/nr_regions"
	node_range "$2" >/tmp/range
	read -r start end </tmp/range
	echo "$start" >"$context/targets/0/regions/0/start"
	echo "$end" >"$context/targets/0/regions/0/end"
	times "$(tuned sample_us 5000)" >"$context/monitoring_attrs/intervals/sample_us"
	times "$(tuned aggr_us 100000)" >"$context/monitoring_attrs/intervals/aggr_us"
	tuned max_regions 1000 >"$context/monitoring_attrs/nr_regions/max"
	tuned min_regions 10 >"$context/monitoring_attrs/nr_regions/min"
	times 1000000 >"$context/monitoring_attrs/intervals/update_us"
	echo 1 >"$context/schemes/nr_schemes"
	scheme=$context/schemes/0
	echo "$3" >"$scheme/action"
	echo "$4" >"$scheme/target_nid"
	echo 4096 >"$scheme/access_pattern/sz/min"
	echo 18446744073709551615 >"$scheme/access_pattern/sz/max"
	echo "$5" >"$scheme/access_pattern/nr_accesses/min"
	echo "$6" >"$scheme/access_pattern/nr_accesses/max"
	echo "$7" >"$scheme/access_pattern/age/min"
	echo 4294967295 >"$scheme/access_pattern/age/max"
	# 200 MiB/s, as the sample module
	echo $(($(tuned quota_mib 200) << 20)) >"$scheme/quotas/bytes"
	times 1000 >"$scheme/quotas/reset_interval_ms"
}

system_prepare() {
	echo 2 >"$admin/nr_kdamonds"
	scheme 0 1 migrate_hot 0 "$(tuned hot_accesses 1)" 4294967295 0
	filter "$admin/0/contexts/0/schemes/0" N
	goal "$admin/0/contexts/0/schemes/0" node_mem_used_bp $((9970 - $(watermark_bp)))
	scheme 1 0 migrate_cold 1 0 "$(tuned cold_accesses 0)" "$(tuned cold_age 2)"
	filter "$admin/1/contexts/0/schemes/0" Y
	goal "$admin/1/contexts/0/schemes/0" node_mem_free_bp $((50 + $(watermark_bp)))
}

system_start() {
	for index in 0 1; do
		echo on >"$admin/$index/state"
		[ "$(cat "$admin/$index/state")" = on ] || exit 1
	done
}

system_tell() {
	for index in 0 1; do
		echo update_schemes_stats >"$admin/$index/state"
		for name in nr_tried sz_tried nr_applied sz_applied qt_exceeds; do
			echo "damon$index.$name $(cat "$admin/$index/contexts/0/schemes/0/stats/$name")"
		done
	done
}
