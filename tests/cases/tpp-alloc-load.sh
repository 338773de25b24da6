# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=256M
# quick: no
# timeout: 1800
# modules: brd crc32c_generic? ext4
# break: module/alloc/main.c s/return folio ?: static_call/if (folio) memset(folio_address(folio), 0x5a, PAGE_SIZE), folio_mark_uptodate(folio); return folio ?: static_call/
# The livepatch comes and goes while files are written, read and thrown away. Every file holds what was written.

rounds=6

# worker NAME: writes, compares and removes a file until /tmp/stop is there; says how often, or that a file was wrong
worker() {
	times=0
	while [ ! -e /tmp/stop ]; do
		cp /dev/shm/source "/disk/$1"
		[ $((times % 2)) = 0 ] || echo 1 >/proc/sys/vm/drop_caches
		cmp -s /dev/shm/source "/disk/$1" || echo "$1 was wrong" >>/tmp/wrong
		rm "/disk/$1"
		times=$((times + 1))
		echo "$times" >"/tmp/$1.new"
		mv "/tmp/$1.new" "/tmp/$1"
	done
}

# went_on NAME TIMES: has a worker done so many rounds?
went_on() {
	[ "$(cat "/tmp/$1")" -ge "$2" ]
}

make_disk
dd if=/dev/urandom of=/dev/shm/source bs=4k count=700 2>/dev/null
echo 0 >/tmp/one
echo 0 >/tmp/two
worker one &
worker two &
slow=0
round=0
while [ $round -lt $rounds ]; do
	load_alloc
	wait_until 60 went_on one $(($(cat /tmp/one) + 2))
	slow=$((slow + $(alloc_stat slow_pages)))
	unload_alloc
	wait_until 60 went_on two $(($(cat /tmp/two) + 2))
	round=$((round + 1))
done
touch /tmp/stop
wait
[ ! -e /tmp/wrong ] || fail "$(cat /tmp/wrong)"
expect_ge "pages that began on the slow node" "$slow" $((rounds * 700))
