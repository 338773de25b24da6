# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The shape of the virtual machine, as QEMU arguments and as the guest's command line. It knows NUMA nodes,
# HMAT and what makes a run repeatable; it reads the options of tests/vm/boot and knows nothing of what runs.
# shellcheck disable=SC2054 # QEMU's options have commas in them
# shellcheck disable=SC2154 # fast, slow, smp, cpu, deterministic, machine, base: set by tests/vm/boot

# mib SIZE: 512M or 2G as a number of MiB
mib() {
	case $1 in
	*G) echo $((${1%G} * 1024)) ;;
	*M) echo "${1%M}" ;;
	0) echo 0 ;;
	*) die "a memory size is a number with M or G, not $1" ;;
	esac
}

# Two nodes with the latencies and bandwidths of local DRAM and of a CXL device: from these the kernel
# builds two memory tiers.
two_nodes() {
	args+=(-object "memory-backend-ram,id=slow,size=$slow"
		-numa "node,nodeid=1,memdev=slow,initiator=0"
		-numa dist,src=0,dst=1,val=20
		-numa hmat-lb,initiator=0,target=0,hierarchy=memory,data-type=access-latency,latency=80
		-numa hmat-lb,initiator=0,target=0,hierarchy=memory,data-type=access-bandwidth,bandwidth=100G
		-numa hmat-lb,initiator=0,target=1,hierarchy=memory,data-type=access-latency,latency=250
		-numa hmat-lb,initiator=0,target=1,hierarchy=memory,data-type=access-bandwidth,bandwidth=20G)
}

# Fills the array args.
machine_arguments() {
	local accel=tcg,thread=multi hmat=off extra_machine=''

	[ "$slow" = 0 ] || hmat=on
	if [ "$deterministic" = yes ]; then
		# string moves and random numbers of the CPU differ from run to run
		cpu=$cpu,erms=off,fsrm=off,rdrand=off,rdseed=off
		accel=tcg,thread=single
	fi
	args=(-machine "q35,hmat=$hmat" -accel "$accel" -cpu "$cpu" -smp "$smp"
		-m "$(($(mib "$fast") + $(mib "$slow")))M"
		-object "memory-backend-ram,id=fast,size=$fast"
		-numa "node,nodeid=0,memdev=fast,cpus=0-$((smp - 1))"
		-nodefaults -no-user-config -display none -no-reboot)
	[ "$slow" = 0 ] || two_nodes
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
	if [ "$deterministic" = yes ]; then
		words+=' nokaslr no5lvl norandmaps random.trust_bootloader=off'
	fi
	echo "$words"
}
