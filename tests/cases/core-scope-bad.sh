# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# vm: smp=2 fast=512M slow=512M
# quick: no
# timeout: 180
# break: module/move/scope.c s/kstrtoint(text, 10, &pid) || pid < 1/kstrtoint(text, 10, \&pid)/
# break: module/ui/scope_params.c s/^\t\tstrscpy(tc_scope_text\[which\], old, TC_SCOPE_TEXT);/\t\treturn err;/
# Lists of whose memory may be moved that cannot be used are refused with a message that names the list and the entry,
# when loading and while running, and the lists from before stay and are still obeyed.

quiet_kernel
load_pmu
many=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
long=$(printf '%0600d' 7)

# bad_lists: lines "parameter value text", the text being what the message says of it
bad_lists() {
	cat <<-END
		scope maybe 'maybe'
		scope_cgroups /nowhere '/nowhere'
		scope_cgroups /,/nowhere '/nowhere'
		scope_comms a-name-of-sixteen 'a-name-of-sixteen'
		scope_comms $many '17'
		scope_pids 0 '0'
		scope_pids -1 '-1'
		scope_pids 1,x 'x'
		scope_pids 99999999999 '99999999999'
		scope_pids $many '17'
		scope_pids $long characters
	END
}

bad_lists | while read -r name value text; do
	# shellcheck disable=SC2086 # one word each
	refuse_module $name=$value
	said "thermocline: $name: " || fail "$name=$value was refused without a word about $name"
	said "$text" || fail "$name=$value was refused without a word about $text"
done
expect_ge "bad lists" "$(bad_lists | wc -l)" 11

load_module adaptation_samples=1000 kmigrated_ms=50 scope_comms=other,wish
bad_lists | while read -r name value text; do
	before=$(parameter "$name")
	if parameter "$name" "$value" 2>/dev/null; then
		fail "$name took '$value' while running"
	fi
	expect_eq "$name after '$value' was refused" "$(parameter "$name")" "$before"
done
expect_eq scope_comms "$(parameter scope_comms)" other,wish
expect_stays promote_skip_excluded wish anon none stay

stop_moves
expect_moves_agree
unload_module
