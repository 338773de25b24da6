// SPDX-License-Identifier: GPL-2.0
/*
 * Loads, attaches and detaches policies, see policy.h. Knows libbpf and the kernel's links; the module itself does not come
 * up here but as the owner of the type that a policy is of.
 */
#include "policy.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/errors.h"

/* The type of a policy, and the section for those that are attached by a link. */
#define POLICY_TYPE "thermocline_ops"
#define POLICY_SECTION ".struct_ops.link"

/* What libbpf has to say, the verifier's log included: told only when something goes wrong. */
static char *said;

static int listen_to(enum libbpf_print_level level, const char *format, va_list arguments)
{
	char *line, *more;

	if (level != LIBBPF_WARN || vasprintf(&line, format, arguments) < 0)
		return 0;
	more = tc_format("%s%s", said ? said : "", line);
	free(said);
	free(line);
	said = more;
	return 0;
}

static void tell_what_was_said(void)
{
	if (said)
		fputs(said, stderr);
}

/* One variable of the object: where it lies in the section of its map. */
struct variable {
	const char *section;
	const char *type;
	unsigned int offset;
	unsigned int size;
};

static const char *name_of(const struct btf *btf, const struct btf_type *type)
{
	const char *name = btf__name_by_offset(btf, type->name_off);

	return name ? name : "";
}

/* Fills @variable when the section has one of this name; NULL: any. */
static bool find_in_section(const struct btf *btf, const struct btf_type *section, const char *name,
			    struct variable *variable)
{
	const struct btf_var_secinfo *info = btf_var_secinfos(section);
	const struct btf_type *var;
	int i;

	for (i = 0; i < btf_vlen(section); i++, info++) {
		var = btf__type_by_id(btf, info->type);
		if (name && strcmp(name_of(btf, var), name))
			continue;
		variable->section = name_of(btf, section);
		variable->type = name_of(btf, btf__type_by_id(btf, var->type));
		variable->offset = info->offset;
		variable->size = info->size;
		return true;
	}
	return false;
}

static bool is_one_of(const char *text, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(text, *list))
			return true;
	return false;
}

static bool find_variable(const struct btf *btf, const char *const *sections, const char *name,
			  struct variable *variable)
{
	const struct btf_type *type;
	unsigned int id;

	for (id = 1; id < btf__type_cnt(btf); id++) {
		type = btf__type_by_id(btf, id);
		if (btf_is_datasec(type) && is_one_of(name_of(btf, type), sections) &&
		    find_in_section(btf, type, name, variable))
			return true;
	}
	return false;
}

/* A number; or a path, which stands for its inode number: that of a cgroup's folder is the cgroup's identifier. */
static uint64_t value_of(const char *text)
{
	struct stat status;
	uint64_t value;
	char *end;

	if (*text == '/') {
		if (stat(text, &status))
			tc_die(TC_EXIT_REFUSED, "%s: %s", text, strerror(errno));
		return status.st_ino;
	}
	errno = 0;
	value = strtoull(text, &end, 0);
	if (errno || end == text || *end || *text == '-')
		tc_die(TC_EXIT_REFUSED, "'%s' is neither a number nor a path", text);
	return value;
}

static void set_variable(struct bpf_object *object, const char *word)
{
	static const char *const sections[] = { ".rodata", ".data", ".bss", NULL };
	const char *equals = strchr(word, '=');
	struct variable variable;
	struct bpf_map *map;
	uint64_t value;
	size_t size;
	char *data, *name;

	value = value_of(equals + 1);
	name = tc_format("%.*s", (int)(equals - word), word);
	if (!find_variable(bpf_object__btf(object), sections, name, &variable))
		tc_die(TC_EXIT_REFUSED, "this policy has no variable '%s'", name);
	map = bpf_object__find_map_by_name(object, variable.section);
	data = map ? bpf_map__initial_value(map, &size) : NULL;
	if (!data || variable.size > sizeof(value) || variable.offset + variable.size > size)
		tc_die(TC_EXIT_REFUSED, "'%s' is no number: it cannot be set", name);
	if (variable.size < sizeof(value) && value >> 8 * variable.size)
		tc_die(TC_EXIT_REFUSED, "%s=%s: it has %u bytes only", name, equals + 1,
		       variable.size);
	memcpy(data + variable.offset, &value, variable.size);
	free(name);
}

static struct bpf_object *open_object(const char *file)
{
	struct bpf_object *object;

	libbpf_set_print(listen_to);
	object = bpf_object__open_file(file, NULL);
	if (object)
		return object;
	if (errno != ENOENT)
		tell_what_was_said();
	tc_die(TC_EXIT_FAILED, "%s: %s", file,
	       errno == ENOENT ? strerror(errno) : "this is no object file of eBPF programs");
}

/* The policy of the object; of any other type of programs it is better left alone. */
static struct bpf_map *find_policy(struct bpf_object *object, const char *file)
{
	static const char *const sections[] = { POLICY_SECTION, NULL };
	struct bpf_map *map, *policy = NULL;
	struct variable variable;

	bpf_object__for_each_map(map, object) {
		if (bpf_map__type(map) != BPF_MAP_TYPE_STRUCT_OPS)
			continue;
		if (policy)
			tc_die(TC_EXIT_REFUSED, "%s has more than one policy", file);
		policy = map;
	}
	if (!policy || !find_variable(bpf_object__btf(object), sections, NULL, &variable) ||
	    strcmp(variable.type, POLICY_TYPE))
		tc_die(TC_EXIT_REFUSED, "%s has no struct %s in a section %s", file, POLICY_TYPE,
		       POLICY_SECTION);
	return policy;
}

static void load(struct bpf_object *object, const char *file)
{
	int err = bpf_object__load(object);

	if (!err)
		return;
	tell_what_was_said();
	tc_die(TC_EXIT_REFUSED, "the kernel does not load %s (%s): its reason is above", file,
	       strerror(-err));
}

static struct bpf_link *attach(struct bpf_map *policy)
{
	struct bpf_link *link = bpf_map__attach_struct_ops(policy);

	if (link)
		return link;
	if (errno == EBUSY)
		tc_die(TC_EXIT_REFUSED,
		       "another policy is attached: 'thermoctl policy detach' first");
	tell_what_was_said();
	tc_die(TC_EXIT_REFUSED,
	       "the module refused the policy (%s): 'dmesg | grep thermocline' has the reason",
	       strerror(errno));
}

void tc_policy_attach(const char *file, char *const *settings, int count, const char *pin)
{
	struct bpf_object *object = open_object(file);
	struct bpf_map *policy = find_policy(object, file);
	struct bpf_link *link;
	int i, err;

	for (i = 0; i < count; i++)
		set_variable(object, settings[i]);
	load(object, file);
	link = attach(policy);
	/* The pin of a policy that was detached in another way. */
	unlink(pin);
	err = bpf_link__pin(link, pin);
	if (err) {
		bpf_link__destroy(link);
		tc_die(TC_EXIT_FAILED, "%s: %s; the policy is detached again", pin, strerror(-err));
	}
	/* The pin keeps what this process gives back. */
	bpf_link__destroy(link);
	bpf_object__close(object);
}

bool tc_policy_detach(const char *pin)
{
	struct bpf_link *link = bpf_link__open(pin);
	int err;

	if (!link && errno == ENOENT)
		return false;
	if (!link)
		tc_die(TC_EXIT_FAILED, "%s: %s", pin, strerror(errno));
	/* At once; without the pin alone it would be detached some time after this process has ended. */
	err = bpf_link__detach(link);
	if (err && err != -EOPNOTSUPP)
		tc_warn("the policy is detached only when nobody holds it any more (%s)",
			strerror(-err));
	err = bpf_link__unpin(link);
	if (err)
		tc_die(TC_EXIT_FAILED, "%s: %s", pin, strerror(-err));
	bpf_link__destroy(link);
	return true;
}
