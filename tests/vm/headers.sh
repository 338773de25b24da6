# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Which cases there are and what the lines at their heads say, for the scripts that run them. It knows the form
# "# KEY: value" and the folder tests/cases; it starts nothing.
# shellcheck disable=SC2154 # repo: set by lib.sh

# header CASE KEY DEFAULT: the value of a header line "# KEY: value"
header() {
	local value
	value=$(sed -n "s/^# $2: *//p" "$repo/tests/cases/$1.sh" | head -n 1)
	printf '%s\n' "${value:-$3}"
}

# vm_word CASE NAME DEFAULT: the value of NAME=value in the header's line "vm"
vm_word() {
	local word
	for word in $(header "$1" vm ''); do
		if [ "${word%%=*}" = "$2" ]; then
			printf '%s\n' "${word#*=}"
			return
		fi
	done
	printf '%s\n' "$3"
}

all_cases() {
	(cd "$repo/tests/cases" && printf '%s\n' *.sh) | sed -e 's/\.sh$//' -e '/^lib$/d'
}

# matches NAME GLOB...: does one of the patterns fit?
matches() {
	local name=$1 glob
	shift
	for glob; do
		# shellcheck disable=SC2254 # a pattern is meant
		case $name in
		$glob) return 0 ;;
		esac
	done
	return 1
}
