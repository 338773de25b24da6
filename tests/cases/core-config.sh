# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 180
# break: module/ui/debugfs.c s/files\[i\].name, 0444/files[i].name, 0644/
# break: module/engine/ksampled.c s/config->adaptation_samples, config->cooling_samples/config->adaptation_samples, 0/
# break: module/ui/params.c s/while (!err \&\& (word = strsep/while ((word = strsep/
# The table of settings says what the parameters say, at load and after several changes at run time; a round takes the
# new values; and every file is readable by all and takes no writes.

# expect_table: each line of the table is what the parameter of that name reads, and no number is missing
expect_table() {
	tail -n +2 "$tc_debugfs/config" | while read -r name value unit; do
		expect_eq "$name in the table" "$value" "$(parameter "$name")"
		[ "$name" = mode ] || [ -n "$unit" ] || fail "$name has no unit"
	done
	numbers=0
	for file in "$tc_parameters"/*; do
		case $(cat "$file") in *[!0-9]* | '') continue ;; esac
		grep -q "^${file##*/} " "$tc_debugfs/config" || fail "the table has no ${file##*/}"
		numbers=$((numbers + 1))
	done
	expect_ge "parameters that are numbers" "$numbers" 5
}

load_pmu
load_module rate_limit_mib=512 kmigrated_ms=100 ring_slots=1024
expect_table
expect_eq "rate_limit_mib" "$(value_of "$tc_debugfs/config" rate_limit_mib)" 512
expect_eq "ring_slots" "$(value_of "$tc_debugfs/config" ring_slots)" 1024

parameter mode advise
parameter adaptation_samples 1234
parameter cooling_samples 43210
parameter demote_watermark_bp 300
parameter kmigrated_ms 250
parameter rate_limit_mib 0
expect_table
expect_eq mode "$(value_of "$tc_debugfs/config" mode)" advise
expect_eq demote_watermark_bp "$(value_of "$tc_debugfs/config" demote_watermark_bp)" 300

# several at once, all or none
parameter settings "rate_limit_mib=7 kmigrated_ms=300 mode=observe"
expect_eq "settings" "$(parameter rate_limit_mib) $(parameter kmigrated_ms) $(parameter mode)" "7 300 observe"
for bad in "rate_limit_mib=8 kmigrated_ms=1" "kmigrated_ms=1 rate_limit_mib=8" "rate_limit_mib=8 nonsense=1" "rate_limit_mib=8 mode" \
	"rate_limit_mib=8 ring_slots=64" "rate_limit_mib=8 heatmap_limit_kib=1"; do
	if parameter settings "$bad" 2>/dev/null; then
		fail "settings took '$bad'"
	fi
	expect_eq "rate_limit_mib after '$bad'" "$(parameter rate_limit_mib)" 7
done
expect_dmesg "settings: 'nonsense' is no setting"
expect_dmesg "settings: ring_slots is fixed once the module is loaded"
expect_dmesg "heatmap_limit_kib: 1 is less than this machine needs at least"
# shellcheck disable=SC2046 # one word each
expect_eq "words of settings" $(parameter settings | wc -w) $(($(wc -l <"$tc_debugfs/config") - 2))
parameter settings "mode=advise rate_limit_mib=0"
expect_table

# intervals NAME: what the worker goes by
intervals() {
	value_of "$tc_debugfs/thresholds" "$1"
}
wait_until 30 feeding 512 20 1 at_least 2 intervals adaptations
expect_eq "adaptation interval in use" "$(intervals adaptation_samples)" 1234
expect_eq "cooling interval in use" "$(intervals cooling_samples)" 43210

files=0
for file in "$tc_debugfs"/*; do
	[ -n "$(find "$file" -perm 444)" ] || fail "$file has another mode than 0444"
	cat "$file" >/dev/null
	if echo tier 2>/dev/null >"$file"; then
		fail "$file took a write"
	fi
	files=$((files + 1))
done
expect_ge "files" "$files" 9
expect_table
unload_module
