// SPDX-License-Identifier: GPL-2.0
/* bad-empty: answers nothing. */
#include <thermocline/bpf.h>

SEC(".struct_ops.link")
struct thermocline_ops bad = { .name = "bad-empty" };

char LICENSE[] SEC("license") = "GPL";
