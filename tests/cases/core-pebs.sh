# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M cpu=Skylake-Server
# quick: no
# timeout: 240
# break: module/track/pebs.c s/\.wakeup_events = 1,//
# break: module/track/pebs.c s/return pmd_pfn(pmd) .*/return 0;/
# PEBS gives virtual addresses and nothing else: pages of 4 KiB, huge pages and pages of a shared mapping are found and
# promoted, wishes are respected, and an address that nothing is mapped at is counted and does no harm. No sample may
# be lost to the buffer that no handler sees.

quiet_kernel
insmod /simpmu.ko pebs=1
load_module sampler=pebs adaptation_samples=1000 kmigrated_ms=50
status_says "sampler: pebs on 2 CPUs, period 199" || fail "the status does not say pebs"

# record ADDRESS COUNT: a sample record of loads; address as eight bytes, lowest first, in octal
record() {
	# shellcheck disable=SC2059 # the address is made of escapes
	printf "$1\\000\\000\\000\\000\\$(printf %o "$2")\\000\\000\\000"
}

expect_eq samples_no_address "$(stat samples_no_address)" 0
record '\000\020\000\000\000\000\000\000' 64 >/sys/kernel/debug/simpmu/feed
expect_eq "samples_no_address, page 1" "$(stat samples_no_address)" 64
record '\000\020\000\000\000\000\000\200' 64 >/sys/kernel/debug/simpmu/feed
expect_eq "samples_no_address, an address that cannot be" "$(stat samples_no_address)" 128
record '\000\020\000\000\000\000\377\377' 64 >/sys/kernel/debug/simpmu/feed
expect_eq "samples_no_address, a kernel address of nothing" "$(stat samples_no_address)" 192
expect_eq samples_received "$(stat samples_received)" 192

expect_goes wish anon none go
expect_goes wish thp none go 1024
expect_goes wish tmpfs none go
expect_stays promote_skip_mempolicy wish anon bind stay

# while nothing moves, each mapped page is found; otherwise one may just have left its place
stop_moves
before=$(stat samples_no_address)
feed 512 20 1
feed 512 20 1 store
expect_eq "samples_no_address of mapped pages" "$(stat samples_no_address)" "$before"
expect_ge "one in a hundred samples" $(($(stat samples_received) / 100)) $((before - 192))
expect_eq "samples in the PEBS buffer" "$(value_of /sys/kernel/debug/simpmu/stats large_pebs)" 0
expect_eq "samples without an event" "$(value_of /sys/kernel/debug/simpmu/stats no_event)" 0
expect_moves_agree
unload_module
rmmod simpmu
