# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What every script under tests/vm shares: where the repository and the cache are, how to speak,
# how to become root, how to hold a lock. It knows the machine it runs on; it knows nothing of
# Debian packages, kernels or QEMU.
# shellcheck disable=SC2034 # what is set here is used by the scripts that source it

vm_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repo=$(cd "$vm_dir/../.." && pwd)
cache=${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/thermocline

# Path of the tree: a changed package list is another tree, so clones with different lists coexist.
tree=$cache/tree-$(sha256sum "$vm_dir/packages" | cut -c1-12)

say() {
	printf '%s\n' "thermocline: $*" >&2
}

die() {
	say "$*"
	exit 1
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "this step needs root: run it as root or install sudo"
	fi
}

# with_lock NAME CMD...: runs CMD while it holds the cache's lock NAME; says so when it has to wait.
with_lock() {
	local name=$1 fd
	shift
	mkdir -p "$cache"
	exec {fd}>"$cache/$name.lock"
	if ! flock -n "$fd"; then
		say "waiting for another run that prepares the $name"
		flock "$fd"
	fi
	"$@"
	exec {fd}>&-
}
