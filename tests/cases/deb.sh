#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# where: host
# kernels: 6.12
# quick: no
# timeout: 2400
# break: debian/rules s/dh_install -pthermocline-dkms module include/dh_install -pthermocline-dkms module/
# The packages' life, in a throw-away copy of the tree: they are built and lintian has nothing to say; installed, DKMS
# builds the module for the kernel under test and nothing loads it by itself; upgraded, the new version takes its place;
# removed and purged, nothing of them is left.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)

fail() {
	echo "# FAIL: $*"
	exit 1
}

installed() {
	find "/usr/lib/modules/$kver/updates/dkms" -name 'thermocline.ko*' 2>/dev/null
}

# traces: whatever in the file system has to do with the packages
traces() {
	find /usr /etc /var/lib/dkms -xdev -name '*thermoc*' -not -path '/usr/src/linux-*' \
		-not -path /etc/apt/apt.conf.d/80thermocline 2>/dev/null
}

install_packages() {
	dpkg --install "$@" >/tmp/dpkg.log 2>&1 || {
		cat /tmp/dpkg.log
		fail "dpkg does not install $*"
	}
	[ -n "$(installed)" ] || {
		cat /tmp/dpkg.log
		fail "DKMS has not built the module for $kver"
	}
}

# newer VERSION: the packages once more, under another version
newer() {
	local deb
	for deb in "$debs"/thermocline-dkms_*.deb "$debs"/thermocline-tools_*_amd64.deb; do
		rm -rf /tmp/newer
		dpkg-deb --raw-extract "$deb" /tmp/newer
		sed -i "s/^Version: .*/Version: $1/" /tmp/newer/DEBIAN/control
		sed -i "s/$version/$1/g" /tmp/newer/DEBIAN/p* 2>/dev/null || true
		if [ -d "/tmp/newer/usr/src/thermocline-$version" ]; then
			mv "/tmp/newer/usr/src/thermocline-$version" "/tmp/newer/usr/src/thermocline-$1"
			sed -i "s/$version/$1/" "/tmp/newer/usr/src/thermocline-$1/dkms.conf"
		fi
		rm -f /tmp/newer/DEBIAN/md5sums
		dpkg-deb --build /tmp/newer "/tmp/$(basename "$deb" | sed "s/$version/$1/")" >/dev/null
	done
}

inside() {
	kver=$1 debs=$root/build/deb
	cp "$2"/modules.* "/usr/lib/modules/$kver/"
	# Only this one: DKMS builds for every kernel that has headers.
	find /usr/lib/modules -mindepth 1 -maxdepth 1 ! -name "$kver" -exec rm -rf {} +
	version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' "$root/dkms.conf")
	[ -z "$(traces)" ] || fail "there are traces before anything was installed: $(traces)"

	"$root/debian/make" >/tmp/deb.log 2>&1 || {
		tail -n 40 /tmp/deb.log
		fail "the packages are not built, or lintian has something to say"
	}
	dpkg-deb --contents "$debs"/thermocline-tools_*_amd64.deb | grep -q 'man8/thermoctl.8' || fail "no man page"
	install_packages "$debs"/thermocline-dkms_*.deb "$debs"/thermocline-tools_*_amd64.deb
	[ -z "$(find /etc/modules-load.d /usr/lib/modules-load.d -name '*thermoc*' 2>/dev/null)" ] || fail "it loads by itself"
	[ -z "$(modinfo -k "$kver" -F alias thermocline)" ] || fail "the module has an alias that something may load"
	thermoctl --version | grep -qF "$version" || fail "thermoctl is not $version"

	newer 9.0.0
	install_packages /tmp/thermocline-*9.0.0*.deb
	dkms status thermocline | grep -q '^thermocline/9.0.0.*installed' || fail "DKMS does not have the new version"
	[ "$(dkms status thermocline | wc -l)" = 1 ] || fail "the old version is still there: $(dkms status)"

	mkdir -p /etc/modprobe.d
	thermoctl config save mode=observe >/dev/null
	dpkg --remove thermocline-dkms thermocline-tools >/tmp/dpkg.log 2>&1 || fail "dpkg does not remove: $(cat /tmp/dpkg.log)"
	[ -e /etc/modprobe.d/thermocline.conf ] || fail "removal took the settings"
	dpkg --purge thermocline-dkms thermocline-tools >/tmp/dpkg.log 2>&1 || fail "dpkg does not purge: $(cat /tmp/dpkg.log)"
	[ -z "$(traces)" ] || fail "left behind: $(traces)"
}

if [ "${1:-}" = --inside ]; then
	inside "$2" "$3"
else
	exec "$root/tests/vm/in-tree" --root --throwaway "$root/tests/cases/deb.sh" --inside "$TC_KVER" "$TC_MODULES"
fi
