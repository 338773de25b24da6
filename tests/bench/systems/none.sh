# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# No tiering: pages stay where they were first touched. Also for the ideal, where all memory is fast.

system_prepare() { :; }
system_start() { :; }
system_tell() { :; }
