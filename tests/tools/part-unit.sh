# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Unit tests of tools/: each test_*.c here is a program of its own, linked with the library and the policy core.
# shellcheck disable=SC2154 # out, passed: set by run

unit_test() {
	local name=$1 objects
	mapfile -t objects < <(find "$out/tools/lib" "$out/module/policy" "$out/tools/tcsim" -name '*.o' ! -name main.o)
	gcc -std=gnu11 -O1 -g -Wall -Wextra -Werror -Wno-unused-parameter -fsanitize=address,undefined \
		-fno-sanitize-recover=all -Iinclude -I"$out/generated" -o "$out/$name" "tests/tools/$name.c" \
		"${objects[@]}" -lcmocka -ljansson -lm
	# one line a test, in the order in which they ran
	CMOCKA_MESSAGE_OUTPUT=TAP timeout 300 "$out/$name" >"$out/$name.out" 2>&1
}

for source in tests/tools/test_*.c; do
	name=$(basename "$source" .c)
	if unit_test "$name" 2>"$out/$name.err"; then
		while read -r line; do
			result ok "${name#test_}: ${line#* - }"
		done < <(grep '^ok [0-9]' "$out/$name.out")
	else
		cat "$out/$name.err" "$out/$name.out" 2>/dev/null | head -n 60 | sed 's/^/# /'
		result "not ok" "${name#test_}"
	fi
done
