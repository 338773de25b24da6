# SPDX-License-Identifier: GPL-2.0
# The tables of the benchmark from its cells, an array of objects with what cell collected. Knows what the figures mean;
# how they came about is in docs/benchmark.md.

def windows: [to_entries[] | select(.key | test("^window\\.[0-9]+\\.operations$")) | .key | split(".")[1] | tonumber] | sort;
def at($n; $name): .["window.\($n).\($name)"] // 0;
def sum($list; $name): . as $cell | [$list[] as $n | $cell | at($n; $name)] | add // 0;
# The last quarter: what the system has come to.
def last: windows | .[-((length / 4) | ceil):];
# Operations per second of the machine's time.
def speed($list): sum($list; "operations") * 1e12 / sum($list; "model_ps");
def hits($list): (sum($list; "served_node0")) as $fast | ($fast + sum($list; "served_node1")) as $all
	| if $all > 0 then $fast / $all else null end;
# Model seconds until a window first has 95 % of what the last quarter has.
def settling: . as $cell | hits(last) as $final
	| if $final == null then null else
		first(windows as $w | range(0; $w | length) as $i
			| select(($cell | hits([$w[$i]])) >= 0.95 * $final)
			| ($cell | sum($w[0:$i + 1]; "model_ps")) / 1e12)
	  end;

# Guest time per model time of a cell in percent, once caches and clocks have settled.
def clock: (windows | .[(length / 2 | floor):]) as $half
	| 100000 * sum($half; "guest_ns") / sum($half; "model_ps") | round;
def misses: windows as $all | sum($all; "misses_node0") + sum($all; "misses_node1");

def share($part; $all): if $part != null and $all > 0 then $part / $all else null end;

# The sum of all that is told under such names.
def sum_of($pattern): [to_entries[] | select(.key | test($pattern)) | .value] | if length > 0 then add else null end;

# Huge pages that were split, by the order of the pieces; MEMTIS's are base pages.
def split_orders: [to_entries[] | select(.key | test("^module\\.split_order_[0-9]+$"))
	| {order: (.key | ltrimstr("module.split_order_") | tonumber), count: .value}];

def figures: windows as $all | {
	kernel, workload, ratio, system, seed, scale, tune, release, bad,
	antagonist: (.antagonist // 0), huge: (.huge // "no"), machine: (.machine // ""),
	tlb_misses: share(1000 * sum($all; "walks"); sum($all; "instructions")),
	tlb_misses_accesses: share(1000 * sum($all; "walks"); sum($all; "accesses")),
	split: .["module.split_done"], split_orders: split_orders,
	pieces_up: .["module.split_pieces_promoted"], pieces_left: .["module.split_pieces_left"],
	promotions: .["module.promote_tried"], promotions_failed: sum_of("^module\\.promote_fail_"),
	speed: speed($all), settled: speed(last), hits: hits(last), start: hits([$all[0]]), settling: settling,
	moved: .moved_pages, failed: .failed_pages,
	up: .["module.promote_moved_pages"], down: .["module.demote_moved_pages"], again: .["module.promote_again"],
	threads: (.threads_ns / sum($all; "guest_ns")),
	kernel_share: (sum($all; "kernel_ps") / sum($all; "model_ps")),
	walks: (sum($all; "walks") / sum($all; "operations")),
	room: .["oracle.pages"], pages: .pages,
	oracle: share(.["oracle.fixed"]; .["oracle.misses"] // 0),
	moving_oracle: share(.["oracle.window"]; .["oracle.misses"] // 0),
	guest_ns: sum($all; "guest_ns"),
	cpu: (if .["module.cpu_samples_ns"] then {handler: .["module.cpu_handler_ns"], samples: .["module.cpu_samples_ns"],
		upkeep: .["module.cpu_upkeep_ns"], scan: .["module.cpu_scan_ns"], move: .["module.cpu_move_ns"]} else null end),
	samples: .["total.samples"], coolings: .["module.coolings"]};

# Shares of the guest's time.
def costs: .guest_ns as $time | {
	sampling: share((.cpu.handler + .cpu.samples)?; $time), other: share((.cpu.upkeep + .cpu.scan + .cpu.move)?; $time)};

def fixed($digits): if . == null then "" else
	(. * pow(10; $digits) | round) as $n
	| if $digits == 0 then "\($n)" else
		($n | fabs | tostring) as $text
		| ("0" * ([$digits + 1 - ($text | length), 0] | max) // "") as $zeros
		| (if $n < 0 then "-" else "" end) + (($zeros + $text) | .[:-$digits] + "." + .[-$digits:])
	  end
	end;

def percent: if . == null then null else . * 100 end;

# A row that no system can have: a placement that is known before, without the cost of getting there. Time is linear in
# the hit ratio, so it follows from two cells.
def oracle_row($name; $hits; $none; $ideal):
	if $hits == null or $ideal == null or $none.hits == null or $none.hits >= 1 then empty else
	((1 / $ideal.settled) + (1 - $hits) / (1 - $none.hits) * (1 / $none.settled - 1 / $ideal.settled)) as $time
	| {system: $name, speed: (1 / $time), settled: (1 / $time), $hits} end;

def oracle_rows($none; $ideal):
	if $none == null then empty else
	oracle_row("oracle"; $none.oracle; $none; $ideal), oracle_row("oracle-window"; $none.moving_oracle; $none; $ideal) end;

def name: .system + if (.tune // "") != "" then " \(.tune)" else "" end;

def row($ideal; $oracle): "| \(name) | \(.speed / ($ideal.speed) | fixed(3)) | \(.settled / $ideal.settled | fixed(3)) "
	+ "| \(.hits | fixed(3)) | \(share(.hits; $oracle // 0) | fixed(2)) | \(.settling | fixed(1)) "
	+ "| \(.moved | fixed(0)) | \(.failed | fixed(0)) "
	+ "| \(.threads | percent | fixed(2)) | \(.kernel_share | percent | fixed(2)) | \(.walks | fixed(2)) |";

def order: {"none": 0, "numab": 1, "numab-tuned": 2, "damon": 3, "thermocline-tierbpf": 6, "thermocline-joint": 7, "ideal": 8, "oracle": 9, "oracle-window": 10}[.] // 5;
def by_system: sort_by((.system | order), .system, .tune);

# What cells that are compared have in common, but for the seed.
def setting: [.workload, .ratio, .antagonist, .huge, .machine, .kernel];

def conditions: (if .antagonist > 0 then ", \(.antagonist) GB/s of others" else "" end)
	+ (if .huge == "yes" then ", huge pages" else "" end)
	+ (if .machine != "" then ", machine \(.machine)" else "" end);
def group_name: "\(.workload) at \(.ratio)\(conditions), seed \(.seed), Linux \(.release)";

def table: . as $rows | (map(select(.system == "ideal"))[0]) as $ideal | (map(select(.system == "none"))[0]) as $none
	| "", "## \(.[0] | group_name)", "",
	(if $none.room then "Fast memory has room for \($none.room) of \($none.pages) pages.", "" else empty end),
	(if $ideal then
		"| system | throughput | settled | hit ratio | of oracle | settles after s | pages moved | failed | threads % | kernel % | walks an op |",
		"|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
		(($rows + [oracle_rows($none; $ideal)]) | by_system[] | row($ideal; $none.oracle))
	 else "No cell with all memory fast: nothing to compare with." end);

def tables: map(select((.scale // 100) == 100 and (.system | startswith("fits-") | not)))
	| group_by(setting + [.seed])[] | table;

# mean (least..most)
def spread($digits): map(select(. != null))
	| if length == 0 then "" else "\(add / length | fixed($digits)) (\(min | fixed($digits))..\(max | fixed($digits)))" end;

# The cells of a list of rows over those with all memory fast of the same seed.
def normalized($all; name): . as $row | ($all[] | select(.system == "ideal" and .seed == $row.seed)) as $ideal
	| ($row | name) / ($ideal | name);

def spread_table: . as $all | (map(select(.system == "ideal") | .seed)) as $with_ideal
	| map(select(.seed as $seed | any($with_ideal[]; . == $seed))) | (map(.seed) | unique) as $seeds
	| "", "## \(.[0].workload) at \(.[0].ratio)\(.[0] | conditions), Linux \(.[0].release): mean and spread of seeds \($seeds | map(tostring) | join(", "))", "",
	"| system | seeds | throughput | settled | hit ratio | pages moved |", "|---|---:|---:|---:|---:|---:|",
	(by_system | group_by([(.system | order), .system])[]
		| "| \(.[0].system) | \(length) | \(map(normalized($all; .speed)) | spread(3)) | \(map(normalized($all; .settled)) | spread(3)) "
		+ "| \(map(.hits) | spread(3)) | \(map(.moved) | spread(0)) |");

def spreads: map(select((.scale // 100) == 100 and (.tune // "") == "" and (.system | startswith("fits-") | not)))
	| group_by(setting)[] | select((map(.seed) | unique | length) > 1) | spread_table;

# Settled throughput by the clocks' scale, with the rank among these systems; what has no clocks is the same in each column.
def clock_table: . as $all | (map(select(.system == "ideal"))[0]) as $ideal
	| (map(.scale) | unique) as $scales | (map(.system) | unique | sort_by(order) - ["ideal"]) as $systems
	| [$systems[] as $system | [$scales[] as $scale
		| ($all | map(select(.system == $system and (.scale == $scale or $system == "none"))))[0]
		| if . then .settled / $ideal.settled else null end]] as $values
	| "", "## \(.[0] | group_name): settled throughput when all times are scaled", "",
	"| system | \($scales | map("\(.) %") | join(" | ")) |", "|---|\($scales | map("---:") | join("|"))|",
	(range(0; $systems | length) as $i | "| \($systems[$i]) | " + ([range(0; $scales | length) as $j | $values[$i][$j] as $value
		| if $value then "\($value | fixed(3)) (\([$values[][$j] | select(. != null and . > $value)] | length + 1).)" else "" end]
		| join(" | ")) + " |");

def clocks: map(select((.tune // "") == "" and (.system | startswith("fits-") | not)))
	| group_by(setting + [.seed])[] | select((map(.scale // 100) | unique | length) > 1)
	| clock_table;

# Where nothing can be gained: what the module takes, by sampling period.
def fits_table: (map(select(.system == "ideal"))[0]) as $ideal
	| "", "## \(.[0].workload), all of it in fast memory, seed \(.[0].seed), Linux \(.[0].release)", "",
	"| sampling period | throughput | settled | samples | pages moved | threads % | kernel % | sampling % | rest of the module % |",
	"|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
	(sort_by(if .system == "ideal" then 0 else (.system | ltrimstr("fits-") | tonumber) end)[]
	 | "| \(if .system == "ideal" then "not loaded" else .system | ltrimstr("fits-") end) | \(.speed / $ideal.speed | fixed(4)) "
	 + "| \(.settled / $ideal.settled | fixed(4)) | \(.samples | fixed(0)) | \(.moved | fixed(0)) "
	 + "| \(.threads | percent | fixed(2)) | \(.kernel_share | percent | fixed(2)) "
	 + (costs | "| \(.sampling | percent | fixed(2)) | \(.other | percent | fixed(2)) |"));

def fits: map(select(.system == "ideal" or (.system | startswith("fits-")))) | unique_by([(setting | del(.[1])), .seed, .system, .tune])
	| group_by((setting | del(.[1])) + [.seed])[] | select(any(.[]; .system | startswith("fits-"))) | fits_table;

# Policy tpp: one touch or two, and what came up again soon after it went down.
def touches_table: (map(select(.system == "ideal"))[0]) as $ideal
	| "", "## \(.[0] | group_name): touches", "",
	"| system | throughput | promoted pages | demoted pages | promoted again |", "|---|---:|---:|---:|---:|",
	(by_system[] | select(.again != null) | "| \(name) | \(.speed / $ideal.speed | fixed(3)) "
		+ "| \(.up | fixed(0)) | \(.down | fixed(0)) | \(.again | fixed(0)) |");

def touches: map(select((.scale // 100) == 100)) | group_by(setting + [.seed])[]
	| select(any(.[]; .system == "ideal") and any(.[]; .system == "thermocline-tpp")) | touches_table;

def report: tables, spreads, clocks, fits, touches;

# Sentences about cells whose figures do not count.
def complaints: .[] | "\(.system) with \(group_name)" as $cell
	| (select((.bad // 0) != 0) | "\($cell): the workload found \(.bad) wrong results"),
	(select((.system | startswith("thermocline-")) and (.coolings // 0) < 5)
		| "\($cell): \(.coolings // 0) coolings, but a cell needs five: more WINDOWS, or a shorter PERIOD");

# Lines for gnuplot: the systems, then a group a line; the mean over seeds.
def chart: map(select((.scale // 100) == 100 and (.tune // "") == "" and (.system | startswith("fits-") | not)))
	| . as $rows | (map(.system) | unique | sort_by(order) - ["ideal"]) as $systems
	| (["group"] + $systems | map("\"\(.)\"") | join(" ")),
	(group_by(setting)[] | . as $group
	 | "\"\(.[0].workload) \(.[0].ratio)\(if .[0].antagonist > 0 then " \(.[0].antagonist) GB/s" else "" end)\(if ($rows | map(.kernel) | unique | length) > 1 then " \(.[0].kernel)" else "" end)\" " + ([$systems[] as $system
		| [$group[] | select(.system == $system) | normalized($group; .settled)]
		| if length > 0 then (add / length | fixed(4)) else "0" end] | join(" ")));
