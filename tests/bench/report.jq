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

def figures: windows as $all | {
	workload, ratio, system, seed, release, bad,
	speed: speed($all), settled: speed(last), hits: hits(last), start: hits([$all[0]]), settling: settling,
	moved: .moved_pages, failed: .failed_pages,
	threads: (.threads_ns / sum($all; "guest_ns")),
	kernel: (sum($all; "kernel_ps") / sum($all; "model_ps")),
	walks: (sum($all; "walks") / sum($all; "operations")),
	oracle: (if (.["oracle.misses"] // 0) > 0 then .["oracle.fixed"] / .["oracle.misses"] else null end),
	coolings: .["module.coolings"]};

def fixed($digits): if . == null then "" else
	(. * pow(10; $digits) | round) as $n
	| if $digits == 0 then "\($n)" else
		($n | fabs | tostring) as $text
		| ("0" * ([$digits + 1 - ($text | length), 0] | max) // "") as $zeros
		| (if $n < 0 then "-" else "" end) + (($zeros + $text) | .[:-$digits] + "." + .[-$digits:])
	  end
	end;

# The row that no system can have: the best fixed placement, without the cost of getting there. Time is linear in the
# hit ratio, so it follows from two cells.
def oracle_row($none; $ideal):
	if $none.oracle == null or $ideal == null or $none.hits == null or $none.hits >= 1 then empty else
	((1 / $ideal.settled) + (1 - $none.oracle) / (1 - $none.hits) * (1 / $none.settled - 1 / $ideal.settled)) as $time
	| {system: "oracle", speed: (1 / $time), settled: (1 / $time), hits: $none.oracle} end;

def row($ideal): "| \(.system) | \(.speed / ($ideal.speed) | fixed(3)) | \(.settled / $ideal.settled | fixed(3)) "
	+ "| \(.hits | fixed(3)) | \(.settling | fixed(1)) | \(.moved | fixed(0)) | \(.failed | fixed(0)) "
	+ "| \(if .threads then .threads * 100 else null end | fixed(2)) | \(if .kernel then .kernel * 100 else null end | fixed(2)) | \(.walks | fixed(2)) |";

def order: {"none": 0, "numab": 1, "numab-tuned": 2, "damon": 3, "ideal": 8, "oracle": 9}[.] // 5;

def table: . as $rows | (map(select(.system == "ideal"))[0]) as $ideal | (map(select(.system == "none"))[0]) as $none
	| "", "## \(.[0].workload) at \(.[0].ratio), seed \(.[0].seed)", "",
	(if $ideal then
		"| system | throughput | settled | hit ratio | settles after s | pages moved | failed | threads % | kernel % | walks an op |",
		"|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
		(($rows + [oracle_row($none; $ideal)]) | sort_by(.system | order)[] | row($ideal))
	 else "No cell with all memory fast: nothing to compare with." end);

# Lines for gnuplot: the systems, then a group a line; the mean over seeds.
def chart: . as $rows | (map(.system) | unique | sort_by(order) - ["ideal"]) as $systems
	| (["group"] + $systems | map("\"\(.)\"") | join(" ")),
	(group_by([.workload, .ratio])[] | . as $group
	 | "\"\(.[0].workload) \(.[0].ratio)\" " + ([$systems[] as $system
		| [$group[] | select(.system == $system) | . as $row
			| ($group[] | select(.system == "ideal" and .seed == $row.seed)) as $ideal | .settled / $ideal.settled]
		| if length > 0 then (add / length | fixed(4)) else "0" end] | join(" ")));
