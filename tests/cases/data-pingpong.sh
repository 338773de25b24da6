# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# timeout: 600
# break: module/move/mover.c s/^\tmover->isolated++;/&\n\t++*(char *)page_address(pfn_to_page(candidate->pfn));/
# Data safety: 256 MiB of pages that hold their address, a sequence number and a sum, half of which fit in fast
# memory. Threads read and rewrite them while the module, fed with samples of one half and then the other, moves
# them to and fro. No page may be wrong, and every move must be accounted for.

rounds=6
quiet_kernel
load_pmu
load_module adaptation_samples=4000 cooling_samples=100000 kmigrated_ms=50 gate=off

pingpong 256 "$rounds" || fail "pages are wrong, or did not move"

stop_moves
expect_moves_agree
half=$((256 * 256 / 2))
# A round ends with three quarters of one half up, of which at its beginning a quarter may have been there beside three
# quarters of the other, and a little more, as somewhat more than a half fits: a quarter at least comes up and, but for
# the first time, has to go down.
expect_ge "pages promoted" "$(stat promote_moved_pages)" $((rounds * half / 4))
expect_ge "pages demoted" "$(stat demote_moved_pages)" $(((rounds - 1) * half / 4))
unload_module
