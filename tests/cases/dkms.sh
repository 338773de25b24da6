#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# where: host
# timeout: 300
# break: dkms.conf s/^BUILD_EXCLUSIVE_KERNEL=.*//
# The module's life under DKMS, in a throw-away copy of the tree: add, build, install, remove for the kernel under
# test, each seen in the file system; and a kernel outside of the window is refused by name, not by a failed build.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)

fail() {
	echo "# FAIL: $*"
	exit 1
}

# installed KVER: paths of the installed modules, if there are any
installed() {
	find "/usr/lib/modules/$1/updates/dkms" -name 'thermocline*.ko*' 2>/dev/null
}

whole_life() {
	local kver=$1

	dkms add "thermocline/$version"
	dkms build "thermocline/$version" -k "$kver"
	[ -z "$(installed "$kver")" ] || fail "dkms build installed something"
	dkms install "thermocline/$version" -k "$kver"
	dkms status "thermocline/$version" | grep -F "$kver" | grep -q installed || fail "dkms status does not say installed"
	[ "$(installed "$kver" | wc -l)" = 2 ] || fail "not both modules were installed"
	modinfo -k "$kver" -F vermagic thermocline | grep -qF "$kver " || fail "the module is not one for $kver"
	[ "$(modinfo -k "$kver" -F version thermocline)" = "$version" ] || fail "the module is not version $version"
	dkms remove "thermocline/$version" --all
	[ -z "$(installed "$kver")" ] || fail "dkms remove left the module behind"
	[ ! -e "/var/lib/dkms/thermocline" ] || fail "dkms remove left its folder behind"
}

# A kernel before the window, made up of the headers at hand: dkms asks for its name alone.
refused() {
	local old=6.11.0-old-amd64

	cp -r "/usr/lib/modules/$1" "/usr/lib/modules/$old"
	dkms add "thermocline/$version"
	if dkms build "thermocline/$version" -k "$old" >/tmp/refused 2>&1; then
		fail "dkms built for $old"
	fi
	cat /tmp/refused
	tr '\n' ' ' </tmp/refused | grep -q "$old/.* includes a BUILD_EXCLUSIVE directive which does not match" ||
		fail "$old was not refused by its name"
}

# Without the lists of the image's own modules, DKMS would take the kernel for one that is not installed.
inside() {
	cp "$2"/modules.* "/usr/lib/modules/$1/"
	version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' "$root/dkms.conf")
	mkdir -p "/usr/src/thermocline-$version"
	cp -r "$root/dkms.conf" "$root/module" "$root/include" "/usr/src/thermocline-$version/"
	whole_life "$1"
	refused "$1"
}

if [ "${1:-}" = --inside ]; then
	inside "$2" "$3"
else
	exec "$root/tests/vm/in-tree" --root --throwaway "$root/tests/cases/dkms.sh" \
		--inside "$TC_KVER" "$TC_MODULES"
fi
