# SPDX-License-Identifier: GPL-2.0
# The chart of the benchmark: settled throughput of each system, all memory fast being 1, by workload and ratio.
# Called with data, the file that report wrote: a first line of systems, then a line for each group; and columns, how
# many it has.
set terminal svg size 1100, 480 font "sans,12" background "white"
set style data histogram
set style histogram clustered gap 2
set style fill solid 0.85 border -1
set yrange [0:*]
set ylabel "throughput, all memory fast = 1"
set grid ytics
set key outside right
set xtics rotate by -25 scale 0
plot for [i = 2:columns] data using i:xtic(1) title columnheader(i)
