// SPDX-License-Identifier: GPL-2.0
/*
 * bad-timer: keeps the page that it was asked about and asks about it from a timer, when the question is long over. The
 * verifier must refuse it: what comes out of a map is not trusted.
 */
#include <thermocline/bpf.h>

struct kept {
	struct bpf_timer timer;
	const struct thermocline_page __attribute__((btf_type_tag("kptr_untrusted"))) * page;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct kept);
} kept SEC(".maps");

static int later(void *map, __u32 *key, struct kept *entry)
{
	const struct thermocline_page *page = entry->page;

	if (page)
		thermocline_page_cgroup(page);
	return 0;
}

SEC("struct_ops/admit")
int BPF_PROG(admit, const struct thermocline_page *page)
{
	__u32 key = 0;
	struct kept *entry = bpf_map_lookup_elem(&kept, &key);

	if (!entry)
		return 1;
	entry->page = page;
	bpf_timer_init(&entry->timer, &kept, 1);
	bpf_timer_set_callback(&entry->timer, later);
	bpf_timer_start(&entry->timer, 1000, 0);
	return 1;
}

SEC(".struct_ops.link")
struct thermocline_ops bad = { .admit = (void *)admit, .name = "bad-timer" };

char LICENSE[] SEC("license") = "GPL";
