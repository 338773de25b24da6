# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# programs: thermoctl
# break: tools/thermoctl/status.c s/"promote_moved_pages"/"demote_moved_pages"/
# break: tools/thermoctl/config.c s/write_param("settings", settings)/free(NULL)/
# thermoctl beside the loaded module: it says so when there is none, its figures are those of the tables, settings
# that it changes are in effect, and those that it refuses change nothing.

# member NAME: a number of a JSON object that was printed
member() {
	sed -n "s/^ *\"$1\": \([0-9]*\),*\$/\1/p" /tmp/ctl
}

quiet_kernel
load_pmu
ctl 4 status
grep -q 'not loaded: modprobe' /tmp/ctl || fail "no word of modprobe without the module"
load_module adaptation_samples=1000

wait_until 60 feeding 2048 20 1 at_least 1024 stat promote_moved
stop_moves
expect_moves_agree
ctl 0 status --json
expect_eq "promoted pages" "$(member promoted_pages)" "$(stat promote_moved_pages)"
expect_eq "hot bin" "$(member hot_bin)" "$(value_of "$tc_debugfs/thresholds" hot_bin)"
ctl 0 status
grep -q '^Mode *observe' /tmp/ctl || fail "the mode is not told"
ctl 0 stat --prom
expect_eq "promoted folios for Prometheus" \
	"$(sed -n 's/^thermocline_folios_total{node="1",direction="promote",outcome="moved"} //p' /tmp/ctl)" \
	"$(stat promote_moved)"

ctl 0 config dry-run rate_limit_mib=77
expect_eq "rate_limit_mib after a dry run" "$(parameter rate_limit_mib)" 1024
ctl 0 config set mode=observe rate_limit_mib=77 scope_comms=nobody
expect_eq rate_limit_mib "$(parameter rate_limit_mib)" 77
expect_eq scope_comms "$(parameter scope_comms)" nobody
ctl 6 config set rate_limit_mib=5 kmigrated_ms=1
ctl 6 config set ring_slots=128
expect_eq "rate_limit_mib after a refusal" "$(parameter rate_limit_mib)" 77

# What is saved, the module loads with; what no parameter of a text keeps from one load to the next is not named.
mkdir -p /etc/modprobe.d
ctl 0 config save
unload_module
# shellcheck disable=SC2046 # words
load_module $(sed -n 's/^options thermocline //p' /etc/modprobe.d/thermocline.conf)
expect_eq "rate_limit_mib as saved" "$(parameter rate_limit_mib)" 77
expect_eq "adaptation_samples as saved" "$(parameter adaptation_samples)" 1000
ctl 0 doctor
grep -q 'ok *symbols' /tmp/ctl || fail "doctor does not find the symbols"
unload_module
