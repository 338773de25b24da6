# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=256M
# quick: no
# timeout: 600
# modules: brd crc32c_generic? ext4
# break: module/alloc/filemap.c s/if (outcome == TC_ALLOC_SLOW) {/if (false) {/
# break: module/alloc/filemap.c s/policy || !in_task() || READ_ONCE(current->mempolicy)/policy || !in_task()/
# break: module/alloc/filemap.c s/if (!tc_scope_has_current())/if (false)/
# break: module/alloc/filemap.c s/return (gfp & data) == data;/return true;/
# New page cache begins on the slow node, written and read ahead alike; the file system's own blocks, tasks with a
# memory policy, with a cpuset without the slow node, or not selected stay with the kernel's rule. A slow node that
# is full costs nothing: the kernel goes on as always. Without the livepatch all is as before.

count=1024

# on_slow CMD...: runs a command; how many pages of page cache the slow node has more then
on_slow() {
	before=$(file_pages 1)
	"$@" >/dev/null 2>&1
	echo $(($(file_pages 1) - before))
}

write_file() {
	dd if=/dev/urandom of="/disk/$1" bs=4k count=$count
}

read_anew() {
	sync
	echo 3 >/proc/sys/vm/drop_caches
	cat "/disk/$1"
}

# expect_kept OUTCOME CMD...: what a command writes stays with the kernel's rule, for this reason
expect_kept() {
	reason=$1 kept=$(alloc_stat "${1}_pages")
	shift
	expect_eq "pages on the slow node of what stays for $reason" "$(on_slow "$@")" 0
	expect_ge "pages kept for $reason" $(($(alloc_stat "${reason}_pages") - kept)) $count
	rm /disk/file
}

within() {
	sh -c 'echo $$ >"/sys/fs/cgroup/$0/cgroup.procs"; exec "$@"' "$@"
}

make_disk
expect_eq "pages on the slow node before the livepatch" "$(on_slow write_file before)" 0

if insmod /thermocline_alloc.ko slow_nodes=3 2>/dev/null; then
	fail "it loaded with a node that is not there"
fi
expect_dmesg "slow_nodes: a node of '3' has no memory"

load_alloc
expect_ge "pages on the slow node of what was written" "$(on_slow write_file one)" $count
sum=$(md5sum </disk/one)
sync
echo 3 >/proc/sys/vm/drop_caches
expect_ge "pages on the slow node of what was read" "$(on_slow read_anew one)" $count
expect_eq "what was read" "$(md5sum </disk/one)" "$sum"
rm /disk/one
expect_ge "folios of the file system itself" "$(alloc_stat metadata)" 1
expect_eq "blocks of the file system on the slow node" "$(sync; echo 3 >/proc/sys/vm/drop_caches; rm -f /disk/before
	before=$(file_pages 1); ls -lR /disk >/dev/null; echo $(($(file_pages 1) - before)))" 0

expect_kept policy preferring 0 dd if=/dev/zero of=/disk/file bs=4k count=$count
echo +cpuset >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/fast
echo 0 >/sys/fs/cgroup/fast/cpuset.mems
expect_kept cpuset within fast dd if=/dev/zero of=/disk/file bs=4k count=$count

parameters=/sys/module/thermocline_alloc/parameters
echo include >$parameters/scope
echo cp >$parameters/scope_comms
expect_kept scope write_file file
dd if=/dev/zero of=/dev/shm/source bs=4k count=$count 2>/dev/null
expect_ge "pages on the slow node of a task that is selected" "$(on_slow cp /dev/shm/source /disk/file)" $count
rm /disk/file
echo exclude >$parameters/scope
expect_kept scope cp /dev/shm/source /disk/file
echo >$parameters/scope_comms

# the slow node is filled as far as the kernel likes, then some more is written
short=$(alloc_stat short)
mount -o remount,size=100% /dev/shm
preferring 1 dd if=/dev/zero of=/dev/shm/full bs=64k count=4096 2>/dev/null || :
cp /dev/shm/source /disk/file
cmp /dev/shm/source /disk/file || fail "a file is not what was written"
expect_ge "allocations that the full slow node could not take" $(($(alloc_stat short) - short)) 1
rm /dev/shm/full /dev/shm/source /disk/file

unload_alloc
expect_eq "pages on the slow node without the livepatch" "$(on_slow write_file after)" 0
