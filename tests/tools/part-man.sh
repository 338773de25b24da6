# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Man pages, completion and packaging: each option has its line and each line its option, each parameter is told once,
# and the packages carry the version of the code.
# shellcheck disable=SC2013,SC2154 # words are meant; out, trees: set by run

# options_of COMMAND...: the long options that its help tells
options_of() {
	"$@" --help | sed -n 's/^ *\(-[a-zA-Z?], *\)*--\([a-z-]*\).*/\2/p' | sort -u
}

# options_in PAGE: the long options that have a paragraph of their own there
options_in() {
	sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/{/^\.TP/{n;s/\\-/-/g;p}}' "$@" | grep -o -e '--[a-z-]*' | sed 's/^--//' | sort -u
}

# commands: what the program's help lists
commands() {
	thermoctl --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# Options of one command are in its own page, or in that of thermoctl(8) when they are common.
options_have_lines() {
	local command page common bad=0
	common=$(options_in docs/man/thermoctl.8)
	diff <(options_of thermoctl) <(echo "$common") || return
	for command in $(commands); do
		page=docs/man/thermoctl-$command.8
		if [ -e "$page" ]; then
			diff <(options_of thermoctl "$command" | grep -vxE 'help|usage|version') \
				<(options_in "$page") || { echo "$command: above" && bad=1; }
		else
			diff <(options_of thermoctl "$command") <(echo "$common") || { echo "$command: above" && bad=1; }
		fi
	done
	return "$bad"
}

commands_have_lines() {
	diff <(commands | sort) <(sed -n '/^\.SH COMMANDS/,/^\.SH OPTIONS/{/^\.TP/{n;s/^\.B //p}}' docs/man/thermoctl.8 | sort)
}

parameters_have_lines() {
	diff <(sed -n '/^\.SH PARAMETERS/,/^\.SH MODES/{/^\.TP/{n;s/^\.B //p}}' "$out/man/thermocline.4" | sort) <({
		sed -n 's/^\tP(\([a-z_]*\),.*/\1/p' include/thermocline/params.h
		sed -n 's/^module_param\(_cb\)\{0,1\}(\([a-z_]*\),.*/\2/p' module/ui/*.c
	} | sort)
}

exit_statuses_have_lines() {
	diff <(sed -n '/^enum tc_exit {/,/^};/{/TC_EXIT_/p}' tools/lib/errors.h | grep -n . | sed 's/:.*//' | awk '{ print $1 - 1 }') \
		<(sed -n '/^\.SH EXIT STATUS/,/^\.SH ENV/{/^\.TP/{n;s/^\.B //p}}' docs/man/thermoctl.8)
}

# complete WORDS...: what the completion offers behind these words; the last may be empty
complete_words() {
	bash -c '. tools/completion/thermoctl
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_thermoctl
		printf "%s\n" "${COMPREPLY[@]}"' - "$@"
}

completion_knows() {
	local command
	diff <(commands | sort) <(complete_words thermoctl '' | grep -v '^-' | sort) || return
	for command in $(commands); do
		diff <(options_of thermoctl "$command" | grep -vxE 'usage|version') \
			<(complete_words thermoctl "$command" -- | sed -n 's/^--//p' | sort) || return
	done
	complete_words thermoctl config set rate | grep -qx 'rate_limit_mib='
}

versions_agree() {
	local version
	version=$(sed -n 's/^#define TC_VERSION "\(.*\)"$/\1/p' include/thermocline/version.h)
	[ "$(dpkg-parsechangelog -S Version)" = "$version" ]
}

man_lint() {
	! mandoc -T lint -W warning "$out"/man/* | grep .
}

check "each command has its line in thermoctl(8)" commands_have_lines
check "each option has its line, each line its option" options_have_lines
tcsim_has_lines() {
	diff <(options_of tcsim) <(options_in docs/man/tcsim.1)
}

check "each option of tcsim has its line, each line its option" tcsim_has_lines
check "each parameter is in thermocline(4), and nothing else" parameters_have_lines
check "each exit status is in thermoctl(8)" exit_statuses_have_lines
check "man pages are well formed" man_lint
check "completion knows commands, options and settings" completion_knows
check "the packages have the version of the code" versions_agree

# Every line that a module told, and every outcome, is explained; what is explained is told.
statistics_are_explained() {
	local tables=$trees/two-tiers/sys/kernel/debug/thermocline name bad=0
	for name in $(awk '!/^#/ { print $1 }' "$tables/stats" "$tables/thresholds" |
		grep -vE '^(promote|demote|split)_(moved|advised|(skip|fail)_.*)$'); do
		grep -q "\`$name\`" docs/statistics.md || { echo "no word of $name" && bad=1; }
	done
	for name in $(sed -n 's/^\tO([A-Z_]*, *\([a-z_]*\),.*/\1/p' include/thermocline/outcomes.h); do
		grep -q "^| \`$name\` | " docs/statistics.md || { echo "no word of the outcome $name" && bad=1; }
	done
	return "$bad"
}

links_lead_somewhere() {
	local file link bad=0
	for file in README.md docs/*.md; do
		for link in $(grep -o '](\([^)#:]*\))' "$file" | sed 's/^](\(.*\))$/\1/'); do
			[ -e "$(dirname "$file")/$link" ] || { echo "$file: $link" && bad=1; }
		done
	done
	return "$bad"
}

check "each statistic and outcome is explained" statistics_are_explained
check "links between the pages lead somewhere" links_lead_somewhere
