# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# thermoctl beside saved trees, whole and damaged: what it says, in text, JSON and for Prometheus, and how it ends.
# shellcheck disable=SC2154 # work, trees, out: set by run

live=$trees/two-tiers

# tree NAME: a copy of the saved tree, to be changed; prints its path
tree() {
	rm -rf "${work:?}/$1"
	cp -r "$live" "$work/$1"
	echo "$work/$1"
}

is_json() {
	THERMOCTL_ROOT=$1 thermoctl "${@:2}" --json | jq -e . >/dev/null
}

# The text format: each sample has its type before it, and no series is there twice.
prometheus_format() {
	THERMOCTL_ROOT=$live thermoctl stat --prom | awk '
		/^# TYPE [a-z_][a-z_0-9]* (gauge|counter)$/ { typed[$3]++; next }
		/^# HELP [a-z_][a-z_0-9]* [A-Z0-9].*\.$/ { next }
		/^[a-z_][a-z_0-9]*(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? -?[0-9]+$/ {
			name = $1
			sub(/\{.*/, "", name)
			if (!typed[name]) { print "no type: " $0; bad = 1 }
			if (seen[$1]++) { print "twice: " $0; bad = 1 }
			next
		}
		{ print "malformed: " $0; bad = 1 }
		END { for (name in typed) if (typed[name] > 1) { print "typed twice: " name; bad = 1 }
			exit bad || NR < 100 }'
}

prom_output() {
	local file=$work/out.prom
	THERMOCTL_ROOT='' thermoctl stat --prom --output "$file" >"$work/said" || return
	[ ! -s "$work/said" ] && [ ! -e "$file.new" ] && grep -q '^thermocline_up 0$' "$file"
}

# says TEXT WANTED ROOT ARGUMENTS...: ends with this status and says so
says() {
	local text=$1 wanted=$2 root=$3 output
	shift 3
	output=$(THERMOCTL_ROOT=$root ends "$wanted" thermoctl "$@") || { echo "$output" && return 1; }
	grep -qF -- "$text" <<<"$output" || { printf 'it does not say: %s\n%s\n' "$text" "$output" && return 1; }
}

for command in status stat 'stat --prom' 'config show' doctor; do
	# shellcheck disable=SC2086 # words
	check "golden: $command" gold "$(tr -d ' ' <<<"two-tiers-$command")" "$live" 0 $command
done
for command in status stat 'config show' doctor; do
	# shellcheck disable=SC2086 # words
	check "JSON: $command" is_json "$live" $command
done
check "JSON has every table" sh -c "THERMOCTL_ROOT=$live thermoctl stat --json |
	jq -e '.stats.samples_received > 0 and (.nodes | length) == 2 and .nodes[0].node == 0 and (.symbols | length) > 10'"
check "stat --prom: text format" prometheus_format
check "stat --prom --output replaces the file and says nothing" prom_output

# --- what is not there -----------------------------------------------------------------------------------

mkdir -p "$work/none"
for command in status stat 'config set mode=off' 'config save'; do
	# shellcheck disable=SC2086 # words
	check "no module: $command" says 'not loaded: modprobe thermocline' 4 "$work/none" $command
done
check "no module: JSON error" sh -c "THERMOCTL_ROOT=$work/none thermoctl status --json 2>/dev/null |
	jq -e '.error.status == 4'"
check "no module: config show tells defaults" says 'ibs_period           16336' 0 "$work/none" config show
check "no module: doctor" says 'modprobe thermocline' 1 "$work/none" doctor

root=$(tree no-debugfs)
rm -r "$root/sys/kernel/debug/thermocline"
check "no debugfs" says 'mount -t debugfs' 4 "$root" status

root=$(tree not-root)
mkdir -p "$work/open"
chmod 700 "$root/sys/kernel/debug"
not_root() {
	local status=0
	THERMOCTL_ROOT=$root unprivileged "$PWD/$out/thermoctl" status >"$work/said" 2>&1 || status=$?
	cat "$work/said"
	[ "$status" = 3 ] && grep -q 'root alone.*sudo' "$work/said"
}
if [ "$(id -u)" -eq 0 ]; then
	chmod -R go+rX "$root"
	chmod 700 "$root/sys/kernel/debug"
else
	chmod 000 "$root/sys/kernel/debug"
fi
check "not root" not_root
chmod -R u+rwX "$root"

# --- other versions --------------------------------------------------------------------------------------

root=$(tree newer)
sed -i '1s/stats v1/stats v2/' "$root/sys/kernel/debug/thermocline/stats"
check "table of another version" says "table 'stats' has version 2" 5 "$root" status
root=$(tree lacks)
rm "$root/sys/kernel/debug/thermocline/outcomes"
check "table that is missing" says "no table 'outcomes'" 5 "$root" stat
root=$(tree garbage)
echo garbage >"$root/sys/kernel/debug/thermocline/nodes"
check "no table at all" says "its first line is not" 5 "$root" status
: >"$root/sys/kernel/debug/thermocline/nodes"
check "empty table" says "its first line is not" 5 "$root" status
root=$(tree appended)
sed -i -e '1s/ free / free inserted /' -e '2,$s/^\([^ ]* [^ ]* [^ ]* [^ ]* [^ ]*\)/\1 77777/' \
	"$root/sys/kernel/debug/thermocline/nodes"
echo "something_new 5" >>"$root/sys/kernel/debug/thermocline/stats"
check "columns and lines that are new change nothing" gold two-tiers-status "$root" 0 status
check "a new figure is told to Prometheus" says 'thermocline_something_new_total 5' 0 "$root" stat --prom
root=$(tree version)
echo 9.9.9 >"$root/sys/module/thermocline/version"
check "doctor: module of another version" says 'module 9.9.9' 0 "$root" doctor

# --- status in words ---------------------------------------------------------------------------------------

root=$(tree one-tier)
sed -i '/ slow /d' "$root/sys/kernel/debug/thermocline/nodes"
check "status: one tier" says 'one kind of memory only' 0 "$root" status
root=$(tree reduced)
sed -i -e 's/^mode: .*/mode: observe/' -e '2a reduced: tier was asked for, but nothing is sampled' \
	"$root/sys/kernel/debug/thermocline/status"
check "status: reduced mode" says 'reduced: tier was asked for, but nothing is sampled' 0 "$root" status
for hits in 9000:yes 5000:hardly 1000:no; do
	sed -i -e "s/^window_hit_fast .*/window_hit_fast ${hits%:*}/" -e 's/^window_hit_all .*/window_hit_all 10000/' \
		"$root/sys/kernel/debug/thermocline/stats"
	check "status: does it help, ${hits#*:}" says "${hits#*:}: fast memory serves" 0 "$root" status
done

# --- settings --------------------------------------------------------------------------------------------

root=$(tree settings)
parameters=$root/sys/module/thermocline/parameters

refused() {
	local before after
	before=$(cat "$parameters"/*)
	says "$1" 6 "$root" config set "${@:2}" || return
	after=$(cat "$parameters"/*)
	[ "$before" = "$after" ]
}

check "set: below its bound" refused "kmigrated_ms: '9' is not a number from 10 to 60000 (ms)" kmigrated_ms=9
check "set: above its bound" refused "from 10 to 60000" kmigrated_ms=60001
check "set: no number" refused "'fast' is not a number" rate_limit_mib=fast
check "set: negative" refused "'-1' is not a number" rate_limit_mib=-1
check "set: longer than any number" refused "is not a number" rate_limit_mib=99999999999999999999999
check "set: no prime" refused "200 is not a prime" pebs_load_period=200
check "set: no period of IBS" refused "the nearest that is: 16336" ibs_period=16330
check "set: no mode" refused "none of: off, observe, advise, tier" mode=fast
check "set: no setting" refused "'nothing' is no setting" nothing=1
check "set: fixed at load" refused "fixed once the module is loaded" ring_slots=4096
check "set: one bad of two" refused "kmigrated_ms" rate_limit_mib=5 kmigrated_ms=1
check "set: no equals sign" says "is not NAME=VALUE" 2 "$root" config set mode
check "set: nothing" says "name at least one" 2 "$root" config set
check "an action that there is not" says "only show, set, save" 2 "$root" config frobnicate
check "a command that there is not" says "'frobnicate' is no command" 2 "$root" frobnicate

dry_run() {
	local before after
	before=$(cat "$parameters"/*)
	says 'would set kmigrated_ms: 500 -> 100 ms' 0 "$root" config dry-run kmigrated_ms=100 || return
	after=$(cat "$parameters"/*)
	[ "$before" = "$after" ]
}

check "dry-run changes nothing" dry_run
set_several() {
	says 'set mode: tier -> advise' 0 "$root" config set mode=advise kmigrated_ms=100 scope_comms=postgres || return
	[ "$(cat "$parameters/settings")" = "mode=advise kmigrated_ms=100" ] &&
		[ "$(cat "$parameters/scope_comms")" = postgres ]
}
check "set: settings go in one write, lists in theirs" set_several
save_named() {
	mkdir -p "$root/etc/modprobe.d"
	says 'wrote /etc/modprobe.d/thermocline.conf' 0 "$root" config save slow_nodes=2,3 ring_slots=4096 || return
	grep -qx 'options thermocline slow_nodes=2,3 ring_slots=4096' "$root/etc/modprobe.d/thermocline.conf"
}
check "save writes what is named" save_named
save_present() {
	echo 250 >"$parameters/kmigrated_ms"
	echo "my app" >"$parameters/scope_comms"
	says 'options thermocline' 0 "$root" config save --stdout || return
	THERMOCTL_ROOT=$root thermoctl config save --stdout |
		grep -qx 'options thermocline scope_comms="my app" adaptation_samples=1000 kmigrated_ms=250'
}
check "save keeps all that is not the default" save_present
check "save refuses what the module would" says 'is not a power of two' 6 "$root" config save ring_slots=1000

# --- policies as programs ----------------------------------------------------------------------------------

root=$(tree hooks)
status=$root/sys/kernel/debug/thermocline/status
# hooks_are TEXT: what the module says of hooks
hooks_are() {
	sed -i '/^hooks:/d' "$status"
	echo "hooks: $1" >>"$status"
}

# figures QUESTION ASKED CHANGED INVALID: lines of the statistics
figures() {
	sed -i "/^hook_$1_/d" "$root/sys/kernel/debug/thermocline/stats"
	printf 'hook_%s_%s %s\n' "$1" asked "$2" "$1" changed "$3" "$1" invalid "$4" >>"$root/sys/kernel/debug/thermocline/stats"
}

hooks_are keep-fast
figures split_order 0 0 0
figures piece_is_cold 31 7 0
figures admit 1200 34 5
check "golden: policy status" gold policy-status "$root" 0 policy status
check "policy: JSON" sh -c "THERMOCTL_ROOT=$root thermoctl policy --json |
	jq -e '.policy == \"keep-fast\" and .pinned == false and .questions.admit.changed == 34'"
check "policy: no file" says "attach which FILE?" 2 "$root" policy attach
check "policy: no setting" says "come words NAME=VALUE" 2 "$root" policy attach x.bpf.o y
check "policy: no action" says "only status, attach and detach" 2 "$root" policy frobnicate
check "policy: no module" says 'not loaded: modprobe' 4 "$work/none" policy attach x.bpf.o
check "policy: module without hooks" says 'another version' 5 "$(
	sed -i '/^hooks:/d' "$(tree no-hooks)/sys/kernel/debug/thermocline/status"
	echo "$work/no-hooks"
)" policy status
# what needs root to come so far
as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		check "$1" says "${@:2}"
	else
		skip "$1" "needs root"
	fi
}
mkdir -p "$root/sys/kernel/btf"
: >"$root/sys/kernel/btf/thermocline"
as_root "policy: another is attached" 'policy keep-fast is attached already' 6 "$root" policy attach x.bpf.o
as_root "policy: another's is not detached" 'was attached by another program' 1 "$root" policy detach
hooks_are unavailable
as_root "policy: no BTF" 'has no BTF' 1 "$root" policy attach x.bpf.o
hooks_are none
as_root "policy: no file system" 'mount -t bpf bpf /sys/fs/bpf' 1 "$root" policy attach x.bpf.o
as_root "policy: none to detach" 'no policy is attached' 0 "$root" policy detach
policy_not_root() {
	local status=0
	chmod -R go+rX "$root"
	THERMOCTL_ROOT=$root unprivileged "$PWD/$out/thermoctl" policy detach >"$work/said" 2>&1 || status=$?
	cat "$work/said"
	[ "$status" = 3 ] && grep -q 'root alone' "$work/said"
}
check "policy: not root" policy_not_root

# --- doctor ------------------------------------------------------------------------------------------------

root=$(tree sick)
echo 6.1.0-18-amd64 >"$root/proc/sys/kernel/osrelease"
sed -i '/migrate_pages$/d' "$root/proc/kallsyms"
echo 2 >"$root/proc/sys/kernel/numa_balancing"
rm -r "$root/sys/bus" "$root/sys/kernel/btf" "$root/sys/devices/virtual/memory_tiering/"*
mkdir -p "$root/sys/kernel/mm/damon/admin/kdamonds/0" "$root/sys/kernel/debug/kvm/1234-5" \
	"$root/sys/firmware/efi/efivars" "$root/sys/kernel/security"
echo 'none integrity [confidentiality]' >"$root/sys/kernel/security/lockdown"
echo on >"$root/sys/kernel/mm/damon/admin/kdamonds/0/state"
printf '\006\000\000\000\001' >"$root/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
check "golden: doctor of a sick machine" gold sick-doctor "$root" 1 doctor
check "doctor: JSON with a problem" sh -c "THERMOCTL_ROOT=$root thermoctl doctor --json | jq -e '.worst == \"problem\"'"
root=$(tree swap)
printf '%s\n' 'Filename Type Size Used Priority' >"$root/proc/swaps"
mkdir -p "$root/sys/kernel/mm/numa"
echo false >"$root/sys/kernel/mm/numa/demotion_enabled"
check "doctor: no swap" gold two-tiers-doctor "$root" 0 doctor
echo '/dev/zram0 partition 262140 0 100' >>"$root/proc/swaps"
check "doctor: swap" says 'swaps cold memory out of fast memory' 0 "$root" doctor
echo true >"$root/sys/kernel/mm/numa/demotion_enabled"
check "doctor: swap behind demotion" says 'counts what it demotes as reclaimed' 0 "$root" doctor
doctor_window() {
	local oldest beyond
	oldest=$(sed -n 's/^#if LINUX_VERSION_CODE < KERNEL_VERSION(\([0-9]*\), \([0-9]*\), 0)/\1 \2/p' module/kernel/window.h)
	beyond=$(sed -n 's/.*return LINUX_VERSION_CODE < KERNEL_VERSION(\([0-9]*\), \([0-9]*\), 0);/\1 \2/p' \
		module/kernel/window.h)
	[ "$oldest $beyond" = "$(sed -n 's/^#define [A-Z]*_M[A-Z]*OR \([0-9]*\)/\1/p' tools/thermoctl/doctor-kernel.c |
		paste -sd' ')" ]
}
check "doctor: the window is the module's" doctor_window

# --- terminals -----------------------------------------------------------------------------------------------

# on_terminal COMMAND: what it writes when standard output is a terminal
on_terminal() {
	script -qec "env THERMOCTL_ROOT=$live TERM=${2:-xterm} $1" /dev/null
}

has_colour() {
	grep $'\033' >/dev/null
}

colours() {
	on_terminal "thermoctl status" | has_colour && ! on_terminal "NO_COLOR=1 thermoctl status" | has_colour &&
		! on_terminal "thermoctl status" dumb | has_colour && on_terminal "NO_COLOR= thermoctl status" | has_colour &&
		! THERMOCTL_ROOT=$live thermoctl status | has_colour
}
check "colours on terminals alone, and not with NO_COLOR" colours

# --- over time -----------------------------------------------------------------------------------------------

# Two readings, between which pages moved
record() {
	local now=$work/moving.json
	THERMOCTL_ROOT=$live thermoctl record --count 3 --interval 0.1 --output "$now" || return
	[ "$(wc -l <"$now")" = 3 ] || return
	jq -ce '.stats.promote_moved_pages += 2560 | .time += 10' "$now" | tail -n 1 >>"$now.new" || return
	cat "$now.new" >>"$now"
	jq -es 'length == 4 and all(.[]; .time > 1e9 and .stats.promote_tried >= .stats.promote_moved)' "$now"
}

# Each element that is opened is closed, in order; nothing comes from elsewhere; no script.
well_formed() {
	grep -oE '<[!/]?[a-zA-Z0-9]+[^>]*>' "$1" | awk '
		/^<!/ || /\/>$/ { next }
		/^<\// { name = substr($0, 3, length($0) - 3)
			if (open[depth] != name) { print "closed: " name ", open: " open[depth]; bad = 1; exit }
			depth--; next }
		{ name = $0; sub(/^</, "", name); sub(/[ >].*/, "", name); open[++depth] = name }
		END { exit bad || depth != 0 }' || return
	! grep -nE 'https?://|<script|@import|url\(' "$1"
}

# saved TABLE: of the saved tree
saved() {
	cat "$live/sys/kernel/debug/thermocline/$1"
}

report() {
	local page=$work/page.html hits
	thermoctl report --input "$work/moving.json" --html "$page" || return
	well_formed "$page" || return
	grep -q 'name="viewport"' "$page" || return
	# 170 units below the top at 10 are nothing: where the hit ratio is at all four readings
	hits=$(sed -n '/id="hits"/,/<\/svg>/s/.*<polyline class="a" points="\([^"]*\)".*/\1/p' "$page")
	echo "hits: $hits"
	[ "$(wc -w <<<"$hits")" = 4 ] && [[ $hits == "60.0,$(saved status | awk '$1 == "hit_ratio:" { printf "%.1f", 10 + 170 * (1 - $2 / 10000) }') "* ]] ||
		return
	# 2,560 pages in ten seconds are 1 MiB/s: the most, at the top
	sed -n '/id="moves"/,/<\/svg>/s/.*<polyline class="a" points="\([^"]*\)".*/\1/p' "$page" | grep -q ' 630.0,10.0$' || return
	[ "$(grep -c '<rect class="\(hot\|warm\|cold\)"' "$page")" = 16 ] &&
		grep -q '<td>moved</td>' "$page" && grep -q '<td>kmigrated_ms</td>' "$page"
}

escaped() {
	jq -c '.status.others = "<script>alert(1)</script> & \"more\""' "$work/moving.json" >"$work/evil.json"
	thermoctl report --input "$work/evil.json" --html "$work/evil.html" && well_formed "$work/evil.html" &&
		grep -q '&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;' "$work/evil.html"
}

check "record: readings over time" record
check "report: the page holds what was recorded" report
check "report: texts cannot break the page" escaped
check "report: no record" says "is no record" 1 "$live" report --html "$work/x.html" --input tests/tools/run
check "report: no file named" says "--html FILE says" 2 "$live" report
check "record: bad interval" says "is not from 0.1" 2 "$live" record --interval 0

# terminal ROOT: the live view in a terminal of its own server, as the last one may still be ending
terminal() {
	tmux -S "$tmux" kill-server 2>/dev/null || true
	tmux=$(mktemp -u "$work/tmux.XXXXXX")
	TERM=xterm tmux -S "$tmux" -f /dev/null new-session -d -x 90 -y 24 -s top \
		"THERMOCTL_ROOT=$1 $PWD/$out/thermoctl top; echo ended with \$?; sleep 600"
}
tmux=$work/tmux

# screen TEXT: waits until the terminal shows it
screen() {
	local limit=$((SECONDS + 60))
	until tmux -S "$tmux" capture-pane -p -t top 2>/dev/null | grep -E -- "$1"; do
		if [ "$SECONDS" -ge "$limit" ]; then
			tmux -S "$tmux" capture-pane -p -t top
			return 1
		fi
		sleep 0.2
	done
}

top_on_screen() {
	local root
	root=$(tree top)
	terminal "$root" || return
	screen "mode tier .*hit ratio $(saved status | awk '$1 == "hit_ratio:" { printf "%.1f", $2 / 100 }') %" && screen '^0 +fast +502 MiB' || return
	tmux -S "$tmux" send-keys -t top d
	screen "promote +moved +$(saved stats | sed -n 's/^promote_moved \(.*\)\(...\)$/\1,\2/p')" || return
	tmux -S "$tmux" send-keys -t top c
	screen 'ibs +on' || return
	tmux -S "$tmux" send-keys -t top h
	screen "^$(saved histogram | awk '!/^#/ && $2 > most { most = $2; bin = $1 } END { print bin }') .* [KM]iB #+" || return
	# what changes is seen, and the tables of a module that goes away end it in order
	sed -i 's/^mode: .*/mode: observe/' "$root/sys/kernel/debug/thermocline/status"
	screen 'mode observe' || return
	rm -r "$root/sys/module/thermocline" "$root/sys/kernel/debug/thermocline"
	screen 'ended with 4'
}

top_quits() {
	terminal "$live" || return
	screen 'mode tier' || return
	tmux -S "$tmux" send-keys -t top q
	screen 'ended with 0'
}

check "top: views, changes, and a module that goes away" top_on_screen
check "top: q ends it" top_quits
tmux -S "$tmux" kill-server 2>/dev/null || true
check "top: without a terminal" says 'samples 0/s' 0 "$live" top

# --- the simulator -------------------------------------------------------------------------------------------

simulate() {
	tcsim -s 64M -n 200000 -g 2 -P thermocline,oracle --svg "$work/cost.svg" >"$work/said" || return
	cat "$work/said"
	[ "$(grep -c "^64.0 MiB" "$work/said")" = 2 ] && grep -q "</svg>" "$work/cost.svg" || return
	tcsim -s 64M,1G -n 100000 -P none --json | jq -e 'length == 2 and .[1].memory_bytes == 1073741824'
}

replay() {
	{
		echo "# two hot pages and a cold block"
		for _ in $(seq 3000); do
			printf '%s\n' 123456000 ffff000 ffff000
		done
		printf '%x\n' $(seq 1073741824 4096 1075838975)
	} >"$work/trace"
	tcsim --replay "$work/trace" --period 1 -P none --json | jq -e '.[0].accesses == 9512 and .[0].memory_bytes == 6291456'
}

tcsim_refuses() {
	local text=$1 output
	shift
	output=$(ends 2 tcsim "$@") || { echo "$output" && return 1; }
	grep -qF -- "$text" <<<"$output"
}

check "tcsim: tables, JSON and chart" simulate
check "tcsim: a recording" replay
check "tcsim: no size" tcsim_refuses "is no list of sizes" -s big
check "tcsim: no policy" tcsim_refuses "'best' is no policy" -P best
check "tcsim: no trace" tcsim_refuses "'film' is no kind of trace" -t film
