// SPDX-License-Identifier: GPL-2.0
/*
 * A program of the build: compares the prototypes that the module calls unexported functions by
 * with those in the BTF of the target kernel. Knows BTF and ELF, nothing of the functions.
 *
 * btfguard PROTOTYPES VMLINUX: exit status 0 when all agree, or there is no BTF to compare with (it
 * says so); 1 when a function has a form that PROTOTYPES does not list; 2 for a file it cannot read.
 */
#include <elf.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT 1024
#define DEPTH 8

struct file {
	char *data;
	size_t size;
};

struct btf {
	const struct btf_header *header;
	const char *types;
	const char *strings;
	const struct btf_type **type;
	unsigned int count;
};

static void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("thermocline: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(2);
}

static struct file read_file(const char *path)
{
	struct file file = { 0 };
	FILE *stream = fopen(path, "rb");

	if (!stream)
		return file;
	fseek(stream, 0, SEEK_END);
	file.size = ftell(stream);
	rewind(stream);
	file.data = calloc(1, file.size + 1);
	if (!file.data || fread(file.data, 1, file.size, stream) != file.size)
		fail("cannot read %s", path);
	fclose(stream);
	return file;
}

/* The .BTF section of an ELF file, or nothing. */
static struct file find_btf(struct file elf)
{
	const Elf64_Ehdr *header = (const void *)elf.data;
	const Elf64_Shdr *sections, *names;
	struct file none = { 0 };
	int i;

	if (elf.size < sizeof(*header) || memcmp(header->e_ident, ELFMAG, SELFMAG))
		return none;
	sections = (const void *)(elf.data + header->e_shoff);
	names = &sections[header->e_shstrndx];
	for (i = 0; i < header->e_shnum; i++)
		if (!strcmp(elf.data + names->sh_offset + sections[i].sh_name, ".BTF"))
			return (struct file){ elf.data + sections[i].sh_offset,
					      sections[i].sh_size };
	return none;
}

/* Bytes behind struct btf_type, by kind. */
static size_t extra_size(const struct btf_type *type)
{
	size_t members = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(__u32);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return members * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return members * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return members * 3 * sizeof(__u32);
	case BTF_KIND_FUNC_PROTO:
		return members * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return members * sizeof(struct btf_var_secinfo);
	default:
		return 0;
	}
}

static void index_types(struct btf *btf)
{
	const char *at = btf->types, *end = btf->types + btf->header->type_len;
	unsigned int room = 1 << 20;

	btf->type = calloc(room, sizeof(*btf->type));
	if (!btf->type)
		fail("out of memory");
	for (btf->count = 1; at < end && btf->count < room; btf->count++) {
		btf->type[btf->count] = (const void *)at;
		at += sizeof(struct btf_type) + extra_size((const void *)at);
	}
}

static bool open_btf(struct file section, struct btf *btf)
{
	btf->header = (const void *)section.data;
	if (section.size < sizeof(*btf->header) || btf->header->magic != BTF_MAGIC)
		return false;
	btf->types = section.data + btf->header->hdr_len + btf->header->type_off;
	btf->strings = section.data + btf->header->hdr_len + btf->header->str_off;
	index_types(btf);
	return true;
}

static const char *name_of(const struct btf *btf, const struct btf_type *type)
{
	return btf->strings + type->name_off;
}

static void write_proto(const struct btf *btf, const struct btf_type *proto, const char *inner,
			char *out, int depth);

/* The type as C writes it, with @inner (stars) where a name would be. */
static void write_type(const struct btf *btf, unsigned int id, const char *inner, char *out,
		       int depth)
{
	const struct btf_type *type = id && id < btf->count ? btf->type[id] : NULL;
	char stars[TEXT];

	if (!type || depth > DEPTH) {
		snprintf(out, TEXT, "void%s%s", *inner ? " " : "", inner);
		return;
	}
	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_PTR:
		snprintf(stars, TEXT, "*%.*s", TEXT - 2, inner);
		write_type(btf, type->type, stars, out, depth + 1);
		return;
	case BTF_KIND_CONST:
		memcpy(out, "const ", 6);
		write_type(btf, type->type, inner, out + 6, depth + 1);
		return;
	case BTF_KIND_FUNC_PROTO:
		write_proto(btf, type, inner, out, depth + 1);
		return;
	case BTF_KIND_STRUCT:
		snprintf(out, TEXT / 2, "struct %s%s%s", name_of(btf, type), *inner ? " " : "",
			 inner);
		return;
	case BTF_KIND_ENUM:
		snprintf(out, TEXT / 2, "enum %s%s%s", name_of(btf, type), *inner ? " " : "",
			 inner);
		return;
	default:
		snprintf(out, TEXT / 2, "%s%s%s", name_of(btf, type), *inner ? " " : "", inner);
	}
}

static void write_proto(const struct btf *btf, const struct btf_type *proto, const char *inner,
			char *out, int depth)
{
	const struct btf_param *param = (const void *)(proto + 1);
	unsigned int i, count = BTF_INFO_VLEN(proto->info);
	char type[TEXT * 2], list[TEXT * 2] = "";

	for (i = 0; i < count; i++) {
		write_type(btf, param[i].type, "", type, depth + 1);
		if (strlen(list) + strlen(type) + 3 < TEXT)
			strcat(strcat(list, i ? ", " : ""), type);
	}
	write_type(btf, proto->type, "", type, depth + 1);
	snprintf(out, TEXT, *inner ? "%s (%s)(%s)" : "%s %s(%s)", type, inner,
		 count ? list : "void");
}

/* Is @line, "name: form", one that lists this form of @name? Sets @listed when it lists @name. */
static bool line_allows(const char *line, const char *name, const char *form, bool *listed)
{
	size_t length = strlen(name);

	if (strncmp(line, name, length) || strncmp(line + length, ": ", 2))
		return false;
	*listed = true;
	return !strcmp(line + length + 2, form);
}

static int check_function(const struct btf *btf, const struct btf_type *function, char **lines)
{
	char form[TEXT * 2] = "";
	bool listed = false;
	int i;

	write_proto(btf, btf->type[function->type], "", form, 0);
	for (i = 0; lines[i]; i++)
		if (line_allows(lines[i], name_of(btf, function), form, &listed))
			return 0;
	if (!listed)
		return 0;
	fprintf(stderr,
		"thermocline: this kernel's %s has a form that this version does not know: %s\n",
		name_of(btf, function), form);
	return 1;
}

static char **split_lines(char *text)
{
	char **lines = calloc(strlen(text) + 2, sizeof(*lines));
	char *line;
	int count = 0;

	if (!lines)
		fail("out of memory");
	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (*line != '#')
			lines[count++] = line;
	return lines;
}

int main(int argc, char **argv)
{
	struct file expected, section;
	struct btf btf = { 0 };
	unsigned int id;
	char **lines;
	int wrong = 0;

	if (argc != 3)
		fail("usage: btfguard PROTOTYPES VMLINUX");
	expected = read_file(argv[1]);
	if (!expected.data)
		fail("%s: %s", argv[1], strerror(errno));
	section = find_btf(read_file(argv[2]));
	if (!section.data || !open_btf(section, &btf)) {
		printf("  thermocline: no BTF in %s: prototypes could not be checked\n", argv[2]);
		return 0;
	}
	lines = split_lines(expected.data);
	for (id = 1; id < btf.count; id++)
		if (BTF_INFO_KIND(btf.type[id]->info) == BTF_KIND_FUNC)
			wrong += check_function(&btf, btf.type[id], lines);
	return wrong ? 1 : 0;
}
