# SPDX-License-Identifier: GPL-2.0
# The tables of cells that differ by the traffic of others on the slow tier: what splitting gains, what it costs in TLB
# misses, and what was split. Knows what is compared with what; the figures of a cell are report.jq's.

include "report";

# Cells of the grid: no other clocks and settings than those that are reported.
def plain: select((.scale // 100) == 100 and (.tune // "") == "");
def grid: setting | del(.[2], .[0]);
def levels: map(.antagonist) | unique;
def mean: if length > 0 then add / length else null end;
def geometric_mean: if length > 0 and all(.[]; . != null and . > 0) then map(log) | mean | exp else null end;

# The row of an array of rows that is of this system, and maybe workload, at this traffic of others
def cell_of($workload; $antagonist; $system):
	first(.[] | select(.workload == $workload and .antagonist == $antagonist and .system == $system)) // null;
def ratio(part; all): (part) as $part | (all) as $all | if $part != null and $all != null then $part / $all else null end;

def heading: .[0] | "at \(.ratio), seed \(.seed), Linux \(.release)\(if .machine != "" then ", machine \(.machine)" else "" end)";
def level_columns: levels | "| \(map("\(.) GB/s") | join(" | ")) |";
def systems: map(.system) | unique | sort_by(order, .);
def workloads: map(.workload) | unique;

# Throughput by the traffic of others, all huge pages being whole as 1; the geometric mean where no workload is missing.
def relative_table(title; figure): . as $all | levels as $levels
	| "", "## \(title), \(heading)", "",
	"| workload | system \(level_columns)", "|---|---\($levels | map("|---:") | join(""))|",
	((systems - ["thermocline-split-off", "ideal"])[] as $system
	 | [workloads[] as $workload | [$levels[] as $level
		| ratio($all | cell_of($workload; $level; $system) | figure; $all | cell_of($workload; $level; "thermocline-split-off") | figure)]] as $rows
	 | (range(0; $rows | length) as $i
		| "| \(workloads[$i]) | \($system) | \($rows[$i] | map(fixed(3)) | join(" | ")) |"),
	   "| all, geometric mean | \($system) | \([range(0; $levels | length) as $j | [$rows[][$j]] | geometric_mean | fixed(3)] | join(" | ")) |");

# Throughput, all memory fast at the same traffic of others being 1, and the translations that no TLB had.
def tlb_table: . as $all | levels as $levels
	| "", "## \(.[0].workload) \(heading): TLB misses beside throughput", "",
	"| system \($levels | map("| \(.) GB/s: throughput | TLB misses ") | join(""))|",
	"|---\($levels | map("|---:|---:") | join(""))|",
	(systems[] as $system | "| \($system) \([$levels[] as $level
		| (cell_of($all[0].workload; $level; $system)) as $cell
		| "| \(ratio($cell.speed; $all | cell_of($all[0].workload; $level; "ideal").speed) | fixed(3)) | \($cell.tlb_misses | fixed(3)) "] | join(""))|");

# Huge pages split to this order, in percent of all that were; to base pages where nothing else is told.
def split_to($order): if $order == 0 then .split - ([.split_orders[] | select(.order > 0) | .count] | add // 0)
	else first(.split_orders[] | select(.order == $order) | .count) // 0 end;
def of_order($order): share(split_to($order); .split) | percent | fixed(0);

# Huge pages that were split by the size of the pieces, the hot ones among the pieces, and promotions.
def sizes_row: "| \(.workload) | \(.antagonist) | \(.system) | \(.split | fixed(0)) "
	+ "| \(of_order(0)) | \(of_order(4)) | \(of_order(5)) | \(of_order(6)) | \(of_order(7)) | \(of_order(8)) "
	+ "| \(share(.pieces_up; (.pieces_up // 0) + (.pieces_left // 0)) | percent | fixed(1)) "
	+ "| \(.promotions | fixed(0)) | \(.promotions_failed | fixed(0)) | \(share(.promotions_failed; .promotions // 0) | percent | fixed(1)) |";

def sizes_table: "", "## Split sizes, hot share and promotions \(heading)", "",
	"| workload | GB/s | system | huge pages split | 4 KiB % | 64 KiB % | 128 KiB % | 256 KiB % | 512 KiB % | 1 MiB % | hot share % | promotions tried | failed | failed % |",
	"|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
	(sort_by(.workload, .antagonist, (.system | order), .system)[] | select(.promotions != null) | sizes_row);

def contention: map(plain) | group_by(grid + [.seed])[] | select(any(.[]; .antagonist > 0 or .huge == "yes"))
	| relative_table("Throughput relative to no splits"; .speed?),
	  relative_table("Settled throughput relative to no splits"; .settled?),
	  (group_by(.workload)[] | tlb_table), sizes_table;
