# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The shape of the virtual machine, as QEMU arguments and as the guest's command line. It knows NUMA nodes,
# HMAT and what makes a run repeatable; it reads the options of tests/vm/boot and knows nothing of what runs.
# shellcheck disable=SC2054 # QEMU's options have commas in them
# shellcheck disable=SC2154 # fast, slow, cxl, hmat, monitor, smp, cpu, deterministic, machine, base: set by tests/vm/boot

# mib SIZE: 512M or 2G as a number of MiB
mib() {
	case $1 in
	*G) echo $((${1%G} * 1024)) ;;
	*M) echo "${1%M}" ;;
	0) echo 0 ;;
	*) die "a memory size is a number with M or G, not $1" ;;
	esac
}

# sum_mib LIST: the sum of a comma list of sizes, in MiB
sum_mib() {
	local size sum=0
	for size in ${1//,/ }; do
		[ "$size" = empty ] || sum=$((sum + $(mib "$size")))
	done
	echo "$sum"
}

# memory_object ID SIZE: memory of a node
memory_object() {
	args+=(-object "memory-backend-ram,id=$1,size=$2")
}

# processors SOCKET: its share of the processors, as a range
processors() {
	echo "$(($1 * smp / ${#fast_sizes[@]}))-$((($1 + 1) * smp / ${#fast_sizes[@]} - 1))"
}

# Node number S is the fast node of socket S; the slow ones follow, dealt out to the sockets in turn.
socket_of() {
	echo $(($1 % ${#fast_sizes[@]}))
}

is_slow() {
	[ "$1" -ge ${#fast_sizes[@]} ]
}

# distance A B: as in ACPI's SLIT; another kind of memory and another socket are both farther away
distance() {
	local value=10

	if is_slow "$1" || is_slow "$2"; then
		value=$((value + 10))
	fi
	[ "$(socket_of "$1")" = "$(socket_of "$2")" ] || value=$((value + 11))
	echo "$value"
}

# hmat SOCKET NODE: latency and bandwidth, of local DRAM and of a CXL device, and worse from another socket:
# from these the kernel builds two memory tiers.
hmat() {
	local latency=80 bandwidth=100

	if is_slow "$2"; then
		latency=250 bandwidth=20
	fi
	if [ "$1" != "$(socket_of "$2")" ]; then
		latency=$((latency + 60)) bandwidth=$((bandwidth / 2))
	fi
	args+=(-numa "hmat-lb,initiator=$1,target=$2,hierarchy=memory,data-type=access-latency,latency=$latency"
		-numa "hmat-lb,initiator=$1,target=$2,hierarchy=memory,data-type=access-bandwidth,bandwidth=${bandwidth}G")
}

fast_node() {
	local id=fast

	[ "$1" = 0 ] || id=fast$1
	memory_object "$id" "${fast_sizes[$1]}"
	args+=(-numa "node,nodeid=$1,memdev=$id,cpus=$(processors "$1")")
}

# slow_node INDEX: one without memory ("empty") can be given some later
slow_node() {
	local id=slow nid=$((${#fast_sizes[@]} + $1)) memory='' initiator=''

	[ "$1" = 0 ] || id=slow$1
	if [ "${slow_sizes[$1]}" != empty ]; then
		memory_object "$id" "${slow_sizes[$1]}"
		memory=,memdev=$id
	fi
	[ "$hmat" = off ] || initiator=,initiator=$(socket_of "$nid")
	args+=(-numa "node,nodeid=$nid$memory$initiator")
}

# What the firmware says about the way from node to node.
ways() {
	local from to nodes=$((${#fast_sizes[@]} + ${#slow_sizes[@]}))

	for ((from = 0; from < nodes; from++)); do
		for ((to = from + 1; to < nodes; to++)); do
			args+=(-numa "dist,src=$from,dst=$to,val=$(distance "$from" "$to")")
		done
	done
	[ "$hmat" = on ] || return 0
	for ((from = 0; from < ${#fast_sizes[@]}; from++)); do
		for ((to = 0; to < nodes; to++)); do
			hmat "$from" "$to"
		done
	done
}

memory_nodes() {
	local i

	for i in "${!fast_sizes[@]}"; do
		fast_node "$i"
	done
	for i in "${!slow_sizes[@]}"; do
		slow_node "$i"
	done
	[ ${#slow_sizes[@]} -eq 0 ] || ways
}

# A CXL memory device behind a root port of its own, and the window of addresses it can be mapped to.
cxl_device() {
	args+=(-device pxb-cxl,bus_nr=12,bus=pcie.0,id=cxl.0
		-device cxl-rp,port=0,bus=cxl.0,id=cxl-port,chassis=0,slot=2
		-object "memory-backend-ram,id=cxl-memory,share=on,size=$cxl"
		-device cxl-type3,bus=cxl-port,volatile-memdev=cxl-memory,id=cxl-device
		-M cxl-fmw.0.targets.0=cxl.0,cxl-fmw.0.size=4G)
}

# QEMU's monitor on the guest's fourth serial port: the guest can plug and unplug its own devices.
monitor() {
	last_port=(-chardev "socket,id=port,path=$base.monitor,server=on,wait=off" -serial chardev:port
		-chardev "socket,id=monitor,path=$base.monitor" -mon chardev=monitor,mode=readline)
}

# Fills the arrays args and last_port, which goes behind all other serial ports.
machine_arguments() {
	local accel=tcg,thread=multi board=q35 memory extra_machine=''
	local -a fast_sizes slow_sizes

	IFS=, read -r -a fast_sizes <<<"$fast"
	IFS=, read -r -a slow_sizes <<<"${slow#0}"
	[ ${#slow_sizes[@]} -gt 0 ] || hmat=off
	memory=$(($(sum_mib "$fast") + $(sum_mib "${slow#0}")))M
	[[ $slow != *empty* ]] || memory+=,slots=4,maxmem=16G
	if [ "$deterministic" = yes ]; then
		# string moves and random numbers of the CPU differ from run to run
		cpu=$cpu,erms=off,fsrm=off,rdrand=off,rdseed=off
		accel=tcg,thread=single
	fi
	if [ "$cxl" != 0 ]; then
		# under a hypervisor the kernel does not trust the caches to be flushed for a new device
		cpu+=,hypervisor=off
		board+=,cxl=on
	fi
	args=(-machine "$board,hmat=$hmat" -accel "$accel" -cpu "$cpu" -smp "$smp,sockets=${#fast_sizes[@]}"
		-m "$memory" -nodefaults -no-user-config -display none -no-reboot)
	memory_nodes
	[ "$cxl" = 0 ] || cxl_device
	# shellcheck disable=SC2034 # used by boot
	last_port=()
	[ "$monitor" = no ] || monitor
	if [ "$deterministic" = yes ]; then
		args+=(-icount shift=3,sleep=off,align=off -rtc base=2026-01-01,clock=vm -seed 1)
	fi
	if [ "$machine" = yes ]; then
		extra_machine=$("$repo/tests/machine/qemu-args" "$base" "$smp" "$fast" "$slow")
		mapfile -t -O "${#args[@]}" args <<<"$extra_machine"
	fi
}

# Any warning, oops or hang ends the guest at once, without the token of success.
command_line() {
	local words='console=ttyS0 quiet panic=-1 oops=panic panic_on_warn=1 softlockup_panic=1 hung_task_panic=1'

	words+=' rcupdate.rcu_cpu_stall_timeout=120 log_buf_len=1M damon_stat.enabled=0'
	# on a busy host the emulated timer comes late: the kernel must not take that for a broken one
	words+=' no_timer_check tsc=nowatchdog'
	if [ "$deterministic" = yes ]; then
		words+=' nokaslr no5lvl norandmaps random.trust_bootloader=off'
	fi
	echo "$words"
}
