# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# What the cases share in the guest: loading the module, reading what it tells, waiting, expecting. Sourced
# before each case; a case's commands run under set -e, so each one that fails ends the case as failed.
# It knows the module's interfaces and nothing of the machine around the guest.
# shellcheck disable=SC2034 # what is set here is used by cases

tc_debugfs=/sys/kernel/debug/thermocline
tc_parameters=/sys/module/thermocline/parameters
tc_knobs=''

# --- ends of a case -------------------------------------------------------------------------------------

note() {
	echo "# $*" >&2
}

fail() {
	note "FAIL: $*"
	tc_told=yes
	exit 1
}

skip() {
	echo "$*" >/tmp/skip
	tc_told=yes
	exit 4
}

tc_at_exit() {
	tc_status=$?
	[ "$tc_status" = 0 ] || [ -n "${tc_told:-}" ] ||
		note "FAIL: a command of the case ended with status $tc_status"
	for tc_knob in $tc_knobs; do
		echo "${tc_knob#*=}" >"${tc_knob%%=*}"
	done
	exit "$tc_status"
}
trap tc_at_exit EXIT

# knob FILE VALUE: sets a kernel setting for the time of the case.
knob() {
	tc_knobs="$1=$(cat "$1") $tc_knobs"
	echo "$2" >"$1"
}

# --- the modules ----------------------------------------------------------------------------------------

# load_pmu: the emulated PMU; the module looks for one when it is loaded, so this comes first.
load_pmu() {
	[ -d /sys/module/simpmu ] || insmod /simpmu.ko
}

# load_module [NAME=VALUE...]
load_module() {
	insmod /thermocline.ko "$@"
	[ -d "$tc_debugfs" ] || fail "loaded, but there is no $tc_debugfs"
	tc_own_moves=$((${tc_own_moves:-0} + $(own_moves)))
}

# own_moves: pages that the module's self-test moves when it is loaded: 32 up and down from each slow node
own_moves() {
	awk '$2 == "slow" && $3 >= 0 { sum += 2 * 32 } END { print sum + 0 }' "$tc_debugfs/nodes"
}

# refuse_module [NAME=VALUE...]: loading must fail and leave nothing.
refuse_module() {
	if insmod /thermocline.ko "$@" 2>/tmp/insmod; then
		fail "the module loaded with $*"
	fi
	expect_nothing_left
}

# unload_module: and nothing of it may stay.
unload_module() {
	rmmod thermocline
	expect_nothing_left
}

expect_nothing_left() {
	[ ! -d /sys/module/thermocline ] || fail "the module is still there"
	[ ! -d "$tc_debugfs" ] || fail "its debugfs folder is still there"
	for tc_place in /proc/[0-9]*/comm:^tc_ /sys/kernel/debug/kprobes/list:thermocline \
		/proc/slabinfo:^thermocline /sys/devices/system/cpu/hotplug/states:thermocline \
		/proc/vmallocinfo:thermocline; do
		# shellcheck disable=SC2086 # the place may be a pattern
		if grep -s "${tc_place#*:}" ${tc_place%%:*}; then
			fail "something of it is still in ${tc_place%%:*}"
		fi
	done
}

# parameter NAME [VALUE]: reads, or sets, a parameter of the loaded module.
parameter() {
	if [ $# = 1 ]; then
		cat "$tc_parameters/$1"
	else
		echo "$2" >"$tc_parameters/$1"
	fi
}

# insert_modules: those of the kernel that the case asked for, in the order in which they need each other
insert_modules() {
	for tc_module in /modules/*.ko; do
		insmod "$tc_module"
	done
}

# --- the livepatch for page cache -----------------------------------------------------------------------

tc_alloc_debugfs=/sys/kernel/debug/thermocline_alloc
tc_livepatch=/sys/kernel/livepatch/thermocline_alloc

# load_alloc [NAME=VALUE...]: and wait until every task is in the patched kernel; 6.12 takes a minute on a busy host
load_alloc() {
	insmod /thermocline_alloc.ko "$@"
	wait_until 300 alloc_settled
}

alloc_settled() {
	[ "$(cat "$tc_livepatch/transition")" = 0 ]
}

# unload_alloc: the livepatch is disabled, and once no task is in it any more, it goes
unload_alloc() {
	echo 0 >"$tc_livepatch/enabled"
	wait_until 60 alloc_disabled
	rmmod thermocline_alloc
	for tc_place in /sys/module/thermocline_alloc "$tc_alloc_debugfs" "$tc_livepatch"; do
		[ ! -e "$tc_place" ] || fail "there is still $tc_place"
	done
}

alloc_disabled() {
	[ ! -e "$tc_livepatch" ]
}

# alloc_stat NAME: one value of the livepatch's table
alloc_stat() {
	value_of "$tc_alloc_debugfs/stats" "$1"
}

# file_pages NODE: pages of page cache on a node, with what processors have counted and not yet told
file_pages() {
	cat /proc/sys/vm/stat_refresh
	awk '$1 == "nr_file_pages" { print $2 }' "/sys/devices/system/node/node$1/vmstat"
}

# make_disk: a file system on a disk in memory, at /disk
make_disk() {
	insert_modules
	mke2fs /dev/ram0 >/dev/null
	mkdir -p /disk
	mount -t ext4 /dev/ram0 /disk
}

# make_swap SIZE: swap in compressed memory. Beside it the kernel has nothing else to give memory for: no demotion by reclaim
make_swap() {
	insert_modules
	knob /sys/kernel/mm/numa/demotion_enabled 0
	echo "$1" >/sys/block/zram0/disksize
	mkswap /dev/zram0 >/dev/null
	swapon /dev/zram0
}

# processor_ns PID: time that a task spent on processors, as the kernel accounts it
processor_ns() {
	cut -d' ' -f1 "/proc/$1/schedstat"
}

# stat NAME: one value of the table of statistics.
stat() {
	value_of "$tc_debugfs/stats" "$1"
}

# value_of FILE NAME: the value behind a name in a table of "name value" lines.
value_of() {
	awk -v name="$2" '$1 == name { print $2; found = 1 } END { exit !found }' "$1" ||
		fail "$1 has no line $2"
}

# vmstat NAME: a counter of the kernel.
vmstat() {
	value_of /proc/vmstat "$1"
}

# status_says TEXT: does a line of the module's status begin so?
status_says() {
	grep -q "^$1" "$tc_debugfs/status"
}

# --- what moved -----------------------------------------------------------------------------------------

tc_migrate_event=/sys/kernel/tracing/events/migrate/mm_migrate_pages

# quiet_kernel: the kernel's own NUMA balancing is off for the time of the case, and from here on the kernel
# counts moved pages by reason, for expect_moves_agree.
quiet_kernel() {
	knob /proc/sys/kernel/numa_balancing 0
	echo 'hist:keys=reason:vals=succeeded' >"$tc_migrate_event/trigger"
	tc_moved_before=$(vmstat pgmigrate_success)
	tc_own_moves=0
}

# kernel_moved [REASON]: pages that the kernel counted as moved, for one of its reasons or for all
kernel_moved() {
	tc_reason=$(sed -n "s/.*{ *\([0-9]*\), *\"${1:-}\" *}.*/\1/p" "$tc_migrate_event/format")
	sed -n 's/^{ reason: *\([0-9]*\) } .*succeeded: *\([0-9]*\).*/\1 \2/p' "$tc_migrate_event/hist" |
		awk -v reason="$tc_reason" 'reason == "" || reason == $1 { sum += $2 } END { print sum + 0 }'
}

# stop_moves: from here on the module begins no batch; one that is under way may still end.
stop_moves() {
	parameter mode observe
}

# expect_sums: every folio that was tried ended in exactly one outcome.
expect_sums() {
	for tc_direction in promote demote; do
		awk -v d="$tc_direction" '
			$1 == d "_tried" { tried = $2 }
			$1 == d "_moved" || $1 == d "_advised" || $1 ~ "^" d "_(skip|fail)_" { sum += $2; outcomes++ }
			END { exit !(outcomes > 1 && tried == sum) }' "$tc_debugfs/stats" ||
			fail "${tc_direction}_tried is not the sum of its outcomes"
		expect_eq "${tc_direction}_mismatches" "$(stat "${tc_direction}_mismatches")" 0
	done
}

# tc_tried: folios that were tried in both directions, with whatever came of them
tc_tried() {
	echo $(($(stat promote_tried) + $(stat demote_tried)))
}

# module_moved: pages that the module says it moved or saw freed by their owner on the way, up and down, and those of
# its self-test
module_moved() {
	awk -v own="$tc_own_moves" '/^(promote|demote)_(moved|freed)_pages / { sum += $2 }
		END { print sum + own }' "$tc_debugfs/stats"
}

# One reading of all counts; a batch that is under way may be in some of them and not yet in others.
tc_read_moves() {
	tc_by_module=$(module_moved) tc_by_reason=$(kernel_moved numa_misplaced)
	tc_by_kernel=$(kernel_moved) tc_in_all=$(($(vmstat pgmigrate_success) - tc_moved_before))
	[ "$tc_by_module" = "$tc_by_reason" ] && [ "$tc_by_kernel" = "$tc_in_all" ]
}

# expect_moves_agree: after stop_moves. Once the last batch is through, the module's count is the kernel's under its
# reason, and that and the kernel's own moves (compaction) are all of pgmigrate_success.
expect_moves_agree() {
	tc_limit=$(($(tc_now) + 20))
	until tc_read_moves || [ "$(tc_now)" -ge "$tc_limit" ]; do
		sleep 0.1
	done
	expect_eq "pages that the module moved" "$tc_by_module" "$tc_by_reason"
	expect_eq "moves of all reasons" "$tc_by_kernel" "$tc_in_all"
	expect_sums
	note "pgmigrate_success: $tc_by_reason pages by the module, $tc_by_kernel in all"
}

# binned LEAST: pages that the histogram has in this bin and above. A page of 4 KiB sampled once is in bin 9, with twice
# as many samples one bin higher; a huge page as the sum over its pages, from bin 1 on.
binned() {
	awk -v least="$1" '!/^#/ && $1 >= least { sum += $2 } END { print sum + 0 }' "$tc_debugfs/histogram"
}

# node_value NODE COLUMN: a column of the table of nodes, by its name in the first line
node_value() {
	awk -v node="$1" -v column="$2" '
		/^#/ { sub(/.*: /, ""); for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == node { print $at[column]; found = 1 }
		END { exit !found }' "$tc_debugfs/nodes" || fail "the table of nodes has no line $1"
}

# tier NODE COLUMN: a column of the table of tiers
tier() {
	awk -v node="$1" -v column="$2" '
		/^#/ { sub(/.*: /, ""); for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == node { print $at[column] }' "$tc_debugfs/tiers"
}

# temperature CGROUP TYPE COLUMN...: estimates of the table of memory by type, from one reading; 0 where it has no such
# line
temperature() {
	tc_of=$1 tc_type=$2
	shift 2
	awk -v cgroup="$tc_of" -v type="$tc_type" -v columns="$*" '
		/^#/ { sub(/.*: /, ""); for (i = 1; i <= NF; i++) at[$i] = i; n = split(columns, column, " "); next }
		$1 == cgroup && $2 == type { for (i = 1; i <= n; i++) value[i] = $at[column[i]] }
		END { for (i = 1; i <= n; i++) printf "%s%d", (i > 1 ? " " : ""), value[i]; print "" }
	' "$tc_debugfs/temperature"
}

# prints WANTED CMD...: does CMD print just this? For wait_until.
prints() {
	tc_wanted=$1
	shift
	[ "$("$@")" = "$tc_wanted" ]
}

# lacking NODE: pages that a fast node lacks of its head-room; below 0 when it has more
lacking() {
	echo $(($(node_value "$1" keep_free) - $(node_value "$1" free)))
}

# zones NODE NAME...: sum of the lines of these names over the zones of a node that movable pages may take
zones() {
	zone_node=$1
	shift
	awk -v wanted="$zone_node" -v names=" $* " '
		/^Node/ { in_it = $2 + 0 == wanted && $4 != "DMA" }
		in_it && index(names, " " $1 " ") { sum += $2 }
		END { print sum + 0 }' /proc/zoneinfo
}

# asking NODE CMD...: asks demotion of a fast node for 2 % more as soon as it has made the room that it was asked for, then
# asks CMD. For wait_until: other memory that nobody uses leaves too.
asking() {
	if [ "$(lacking "$1")" -le 0 ]; then
		parameter demote_watermark_bp $((($(node_value "$1" free) * 100 / $(node_value "$1" managed) + 2) * 100))
	fi
	shift
	"$@"
}

# at_most MOST CMD...: is the number that CMD prints at most MOST? For wait_until.
at_most() {
	tc_most=$1
	shift
	[ "$("$@")" -le "$tc_most" ]
}

# --- memory that comes and goes ---------------------------------------------------------------------------

# monitor COMMAND: tells QEMU's monitor, which machines with "monitor=yes" have at their fourth serial port. Some of
# its greeting may have been echoed to it before the port was told not to: the first line end takes that away.
monitor() {
	stty -F /dev/ttyS3 raw -echo
	printf '\n%s\n' "$*" >/dev/ttyS3
}

# plug_memory NODE SIZE: a DIMM, whose memory the kernel brings online as movable
plug_memory() {
	echo online_movable >/sys/devices/system/memory/auto_online_blocks
	monitor "object_add memory-backend-ram,id=dimm,size=$2"
	monitor "device_add pc-dimm,id=dimm0,memdev=dimm,node=$1"
	wait_until 30 node_is_there "$1"
}

node_is_there() {
	grep -qw "$1" /sys/devices/system/node/has_memory
}

# memory_blocks NODE: the folders of its blocks of memory
memory_blocks() {
	find "/sys/devices/system/node/node$1/" -name 'memory[0-9]*'
}

# --- thermoctl and policies as programs -----------------------------------------------------------------

# ctl WANTED ARGUMENTS...: runs thermoctl, compares the exit status; what it says is then in /tmp/ctl
ctl() {
	tc_wanted=$1 tc_got=0
	shift
	thermoctl "$@" >/tmp/ctl 2>&1 || tc_got=$?
	[ "$tc_got" = "$tc_wanted" ] || sed 's/^/# /' /tmp/ctl >&2
	expect_eq "status of thermoctl $*" "$tc_got" "$tc_wanted"
}

# hook_begin [NAME=VALUE...]: the module, quick to move, and no policy
hook_begin() {
	quiet_kernel
	load_pmu
	load_module adaptation_samples=1000 kmigrated_ms=50 "$@"
	status_says "hooks: none" || fail "hooks are not there: $(grep hooks "$tc_debugfs/status")"
}

# hook_end: the kernel gives back what a detached policy held, the module too, a moment later
hook_end() {
	wait_until 20 rmmod thermocline 2>/dev/null
	expect_nothing_left
}

# --- waiting and expecting ------------------------------------------------------------------------------

tc_now() {
	cut -d. -f1 /proc/uptime
}

# wait_until SECONDS CMD...: polls until CMD succeeds; fails when the (guest's) time is up.
wait_until() {
	tc_limit=$(($(tc_now) + $1))
	shift
	until "$@"; do
		[ "$(tc_now)" -lt "$tc_limit" ] || fail "waited in vain for: $*"
		sleep 0.1
	done
}

expect_eq() { # WHAT GOT WANTED
	[ "$2" = "$3" ] || fail "$1 is '$2', should be '$3'"
}

expect_ge() { # WHAT GOT LEAST
	[ "$2" -ge "$3" ] || fail "$1 is $2, should be at least $3"
}

tc_log() {
	dmesg | sed "1,/$TC_MARKER/d"
}

# at_least LEAST CMD...: is the number that CMD prints at least LEAST? For wait_until.
at_least() {
	tc_least=$1
	shift
	[ "$("$@")" -ge "$tc_least" ]
}

# feeding PAGES COUNT NODE CMD...: feeds samples of new pages once, then asks CMD. For wait_until: pages that end with
# the feeder before the module came to them are fed anew.
feeding() {
	feed "$1" "$2" "$3"
	shift 3
	"$@"
}

# sample_once HOLDER PAGES: one sample for each of its pages, in portions that the rings hold (ring_slots=65536).
sample_once() {
	for tc_first in $(seq 0 16384 $(($2 - 1))); do
		tc_portion=$(($2 - tc_first < 16384 ? $2 - tc_first : 16384))
		tc_taken=$(($(stat samples_processed) + tc_portion))
		holder "$1" feed "$tc_first" "$tc_portion" 1
		wait_until 60 at_least "$tc_taken" stat samples_processed
	done
}

# taken_in CMD...: has CMD feed samples, and waits until the module has taken them in
taken_in() {
	"$@"
	wait_until 60 prints 0 samples_waiting
}

# samples_waiting: those in the rings
samples_waiting() {
	awk '$1 == "samples_received" { sum += $2 }
		$1 ~ /^samples_(no_address|cache_hit|lost|processed)$/ { sum -= $2 }
		END { print sum }' "$tc_debugfs/stats"
}

# heating HOLDER COUNT CMD...: feeds samples of all pages of a holder, then asks CMD. For wait_until.
heating() {
	holder "$1" feed 0 "$(holder "$1" pages)" "$2"
	shift 2
	"$@"
}

# said TEXT: is TEXT in the kernel's log since the case began?
said() {
	tc_log | grep -qF -- "$1"
}

expect_dmesg() {
	said "$1" || fail "the kernel's log does not say: $1"
}

# --- wishes of programs ---------------------------------------------------------------------------------

# wishing CMD...: runs a command line with the program wish; what it says is then in /tmp/wish, for wish_value.
wishing() {
	"$@" >/tmp/wish || fail "what was to move did not: $* ($(tr '\n' ' ' </tmp/wish))"
	note "$*: $(tr '\n' ' ' </tmp/wish)"
}

wish_value() {
	value_of /tmp/wish "$1"
}

# expect_stays REASON CMD...: a wish is respected: none of its pages moves, and at least half as many as it has
# are counted under the reason, while the control memory moves.
expect_stays() {
	tc_reason=$1
	tc_skips=$(stat "$tc_reason")
	shift
	wishing "$@"
	expect_eq "pages moved against the wish" "$(wish_value moved)" 0
	expect_ge "$tc_reason" $(($(stat "$tc_reason") - tc_skips)) $(($(wish_value pages) / 2))
}

# expect_goes CMD...: memory that may move does, in every respect as the control memory would
expect_goes() {
	wishing "$@"
	expect_ge "pages moved" "$(wish_value moved)" $(($(wish_value pages) / 2))
}

# within CGROUP CMD...: runs a command in a cgroup, a path below the root of the cgroups
within() {
	tc_cgroup=/sys/fs/cgroup/$1
	shift
	# shellcheck disable=SC2016 # for the inner shell
	sh -ec 'echo 0 >"$1/cgroup.procs"; shift; exec "$@"' - "$tc_cgroup" "$@"
}
